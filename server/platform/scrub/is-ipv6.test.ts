import { isIPv6 as isIPv6OfNode } from 'node:net'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIPv6 } from './is-ipv6.ts'

const known = [
  '::',
  '::1',
  '1::',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '1:2:3:4:5:6:7:8::',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '::ffff:1.2.3.4',
  '1:2:3:4:5:6:1.2.3.4',
  '1:2:3:4:5:6:7:1.2.3.4',
  '::1.2.3.4.5',
  '::256.1.1.1',
  '1.2.3.4',
  '1.2.3.4::',
  '::1.2.3.4:1',
  '12345::',
  '::g',
  '',
  ':1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7:8:',
]

describe('isIPv6', () => {
  it.each(known)('agrees with Node about %j', (text) => {
    expect(isIPv6(text)).toBe(isIPv6OfNode(text))
  })

  it('agrees with Node about made-up addresses', () => {
    const piece = fc.constantFrom(':', '::', '0', 'ab', 'FFFF', '12345', '1.2.3.4', '255.0.0.1', '256.0.0.1', '.', 'g')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 18 }), (pieces) => {
        expect(isIPv6(pieces.join(''))).toBe(isIPv6OfNode(pieces.join('')))
      }),
      { numRuns: 5_000 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { createInstanceSecret } from './instance-secret.ts'
import { createSeals, SealError } from './seals.ts'

const first = createInstanceSecret('the first secret of this instance')
const second = createInstanceSecret('the second secret of this instance')
const seals = createSeals({ current: first, previous: null })
const context = 'integration:0190-organisation:0190-integration'

describe('sealed values', () => {
  it.each(['', 'xoxb-token', '{"ü":"🔑"}', 'a\0b', 'x'.repeat(100_000)])(
    'open to the text that was sealed',
    (plain) => {
      const sealed = seals.seal(plain, context)
      expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]+$/)
      expect(seals.open(sealed, context)).toBe(plain)
    },
  )

  it('contain nothing of the text, and differ for the same text', () => {
    const sealed = Array.from({ length: 100 }, () => seals.seal('xoxb-token', context))
    expect(new Set(sealed).size).toBe(100)
    for (const each of sealed) {
      expect(Buffer.from(each.split('.')[2] ?? '', 'base64url').includes('xoxb')).toBe(false)
    }
  })

  it('stay closed in another row', () => {
    const sealed = seals.seal('xoxb-token', context)
    const error = 'The stored credentials are damaged, or belong to another row. Connect the integration again.'
    expect(() => seals.open(sealed, 'integration:0190-organisation:another')).toThrow(error)
    expect(() => seals.open(sealed, '')).toThrow(SealError)
  })

  it('stay closed when a single bit was changed, or a part is missing', () => {
    const [version = '', id = '', content = ''] = seals.seal('xoxb-token', context).split('.')
    const bytes = Buffer.from(content, 'base64url')
    const changed = Array.from(bytes, (_byte, at) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return `${version}.${id}.${copy.toString('base64url')}`
    })
    const cut = [1, 11, 12, 27, 28, bytes.length - 1].map(
      (length) => `${version}.${id}.${bytes.subarray(0, length).toString('base64url')}`,
    )
    const malformed = ['', 'xoxb-token', `v2.${id}.${content}`, `${version}.${id}`, `${version}.${id}.${content}.x`]
    for (const each of [...changed, ...cut, ...malformed]) expect(() => seals.open(each, context)).toThrow(SealError)
  })

  it('open after a change of the secret while the previous one is configured', () => {
    const old = seals.seal('xoxb-token', context)
    const overlap = createSeals({ current: second, previous: first })
    expect(overlap.open(old, context)).toBe('xoxb-token')
    expect([seals.isCurrent(old), overlap.isCurrent(old)]).toEqual([true, false])
    const renewed = overlap.seal(overlap.open(old, context), context)
    const after = createSeals({ current: second, previous: null })
    expect(after.isCurrent(renewed)).toBe(true)
    expect(after.open(renewed, context)).toBe('xoxb-token')
    expect(() => after.open(old, context)).toThrow(
      'The stored credentials were encrypted with another INSTANCE_SECRET. Set that one as INSTANCE_SECRET_PREVIOUS, or connect the integration again.',
    )
  })
})

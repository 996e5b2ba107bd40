import { describe, expect, it } from 'vitest'
import { chooseEncoding } from './choose-encoding.ts'

describe('chooseEncoding', () => {
  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=1.0, br;q=0.1', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.000, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['brotli', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('answers %j with %j', (accepted, chosen) => {
    expect(chooseEncoding(accepted)).toBe(chosen)
  })

  it('skips an encoding that is not offered', () => {
    expect(chooseEncoding('br, gzip', (encoding) => encoding === 'gzip')).toBe('gzip')
  })
})

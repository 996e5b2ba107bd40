import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createKey, isKeyText } from './key-format.ts'

describe('an API key', () => {
  it('passes its own check, and no key is made twice', () => {
    const keys = Array.from({ length: 1000 }, createKey)
    expect(keys.every((key) => isKeyText(key) && key.length === 39)).toBe(true)
    expect(new Set(keys).size).toBe(1000)
  })

  it('has a checksum that other programs can check: CRC-32 of the random part, in base62', () => {
    // python3: zlib.crc32(b'0' * 30), then base62 with digits, capitals, small letters.
    expect(crc32('0'.repeat(30))).toBe(2_011_552_642)
    expect(isKeyText(`es_${'0'.repeat(30)}2C8GjS`)).toBe(true)
  })

  it('fails the check with any character changed, missing or added', () => {
    const key = createKey()
    for (let place = 0; place < key.length; place += 1) {
      const other = key[place] === 'A' ? 'B' : 'A'
      expect(isKeyText(key.slice(0, place) + other + key.slice(place + 1))).toBe(false)
    }
    for (const text of ['', key.slice(0, -1), `${key}0`, ` ${key}`, key.toUpperCase(), `es_${'ü'.repeat(36)}`]) {
      expect(isKeyText(text)).toBe(false)
    }
  })
})

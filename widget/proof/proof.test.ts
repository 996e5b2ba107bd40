import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { solve } from './proof.ts'
import { countZeroBits, sha256 } from './sha-256.ts'

const toHex = (digest: Int32Array) => Array.from(digest, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')

describe('sha256', () => {
  it('agrees with OpenSSL for every length around its blocks', () => {
    for (let length = 0; length < 200; length++) {
      const message = new Uint8Array(length).map((_, index) => (index * 37 + length) & 255)
      expect(toHex(sha256(message)), `${length} bytes`).toBe(createHash('sha256').update(message).digest('hex'))
    }
  })
})

describe('countZeroBits', () => {
  it.each([
    [[-1, 0], 0],
    [[1, 0], 31],
    [[0, 0x00ffffff], 40],
    [[0, 0], 64],
  ])('%j: %i', (digest, bits) => expect(countZeroBits(digest)).toBe(bits))
})

describe('solve', () => {
  it.each([0, 1, 8, 13])('finds an answer of %i zero bits', async (difficulty) => {
    const answer = await solve('a1.challenge', difficulty)
    expect(answer).toMatch(/^a1\.challenge:\d+$/)
    const digest = createHash('sha256').update(answer).digest()
    expect(BigInt(`0x${digest.toString('hex')}`) >> BigInt(256 - difficulty)).toBe(0n)
  })

  it('yields to other tasks', async () => {
    let turns = 0
    const turning = setInterval(() => turns++, 1)
    await solve('busy', 16)
    clearInterval(turning)
    expect(turns).toBeGreaterThan(2)
  })
})

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createProofOfWork } from './proof-of-work.ts'

const key = Buffer.alloc(32, 7)

/** As the widget does it: counts up until the hash begins with enough zero bits. */
function solve(challenge: string, difficulty: number): string {
  for (let nonce = 0; ; nonce++) {
    const proof = `${challenge}:${nonce}`
    const hash = createHash('sha256').update(proof).digest('hex')
    const bits = [...hash].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('')
    if (bits.startsWith('0'.repeat(difficulty))) return proof
  }
}

describe('createProofOfWork', () => {
  const work = createProofOfWork(key)

  it.each([1, 7, 12])('takes a solution of %i bits', (difficulty) => {
    const { challenge } = work.ask('wk_a 1.2.3.4', difficulty)
    expect(work.check(solve(challenge, difficulty), 'wk_a 1.2.3.4')).toBe(true)
  })

  it('is checked by any server that has the key', () => {
    const { challenge } = work.ask('a', 4)
    expect(createProofOfWork(key).check(solve(challenge, 4), 'a')).toBe(true)
    expect(createProofOfWork(Buffer.alloc(32, 8)).check(solve(challenge, 4), 'a')).toBe(false)
  })

  it('counts for its purpose only, and for ten minutes only', () => {
    let nowMs = 1_700_000_000_000
    const clocked = createProofOfWork(key, () => nowMs)
    const proof = solve(clocked.ask('a', 4).challenge, 4)
    expect(clocked.check(proof, 'b')).toBe(false)
    nowMs += 599_000
    expect(clocked.check(proof, 'a')).toBe(true)
    nowMs += 2_000
    expect(clocked.check(proof, 'a')).toBe(false)
  })

  it('refuses what is not solved, easier than asked, or no proof at all', () => {
    const { challenge } = work.ask('a', 20)
    expect(work.check(`${challenge}:1`, 'a')).toBe(false)
    expect(work.check(solve(challenge.replace('.20.', '.1.'), 1), 'a')).toBe(false)
    for (const nonsense of ['', ':', 'a:b', `${challenge}`, `${challenge}:${'9'.repeat(1000)}`, '\u0000']) {
      expect(work.check(nonsense, 'a')).toBe(false)
    }
  })
})

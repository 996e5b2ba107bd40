import type { ProofModule } from '../loader/modules.ts'
import { countZeroBits, sha256 } from './sha-256.ts'

/** Hashes between two readings of the clock, and milliseconds of work between two pauses for the page. */
const batch = 50
const sliceMs = 12

/**
 * Finds the answer to a challenge: `{challenge}:{nonce}`, whose SHA-256 starts with `difficulty` zero bits. Needs
 * 2^difficulty hashes on average. Plain code rather than `crypto.subtle`: that is missing on plain HTTP, and one call
 * for each short text takes many times as long.
 */
export async function solve(challenge: string, difficulty: number): Promise<string> {
  let until = performance.now() + sliceMs
  for (let nonce = 0; ; nonce++) {
    const answer = `${challenge}:${nonce}`
    if (countZeroBits(sha256(new TextEncoder().encode(answer))) >= difficulty) return answer
    if (nonce % batch === 0 && performance.now() > until) {
      await new Promise((resume) => setTimeout(resume))
      until = performance.now() + sliceMs
    }
  }
}

;({ solve }) satisfies ProofModule

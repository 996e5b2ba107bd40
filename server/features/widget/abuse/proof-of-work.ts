import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A calculation to be asked for. */
export interface Challenge {
  readonly challenge: string
  /** Zero bits that the hash has to begin with. */
  readonly difficulty: number
}

export interface ProofOfWork {
  /** @param purpose what the challenge is bound to: the sender and the submission's id. */
  ask(purpose: string, difficulty: number): Challenge
  /** Whether `{challenge}:{nonce}` solves a challenge that was given for this purpose in the last ten minutes. */
  check(proof: string, purpose: string): boolean
}

const lifetimeMs = 10 * 60_000
const proofShape = /^(([0-9a-z]{6,12})\.(\d{1,2})\.([\w-]{43})):([\w-]{1,40})$/

/**
 * Challenges as hashcash makes them (SHA-256 with leading zero bits), signed instead of stored: any server can check
 * what another one asked. Each counts once, without a list of used ones: it is bound to a submission's id, of which the
 * database stores one, and a retry of that needs no new proof.
 */
export function createProofOfWork(key: Buffer, now: () => number = Date.now): ProofOfWork {
  const sign = (purpose: string, expires: string, difficulty: number | string) =>
    createHmac('sha256', key).update(`${purpose} ${expires} ${difficulty}`).digest()
  return {
    ask: (purpose, difficulty) => {
      const expires = (now() + lifetimeMs).toString(36)
      return {
        challenge: `${expires}.${difficulty}.${sign(purpose, expires, difficulty).toString('base64url')}`,
        difficulty,
      }
    },
    check: (proof, purpose) => {
      const [, , expires = '', difficulty = '', signature = ''] = proofShape.exec(proof) ?? []
      if (expires === '' || Number.parseInt(expires, 36) < now()) return false
      const expected = sign(purpose, expires, difficulty)
      const given = Buffer.from(signature, 'base64url')
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false
      return countZeroBits(createHash('sha256').update(proof).digest()) >= Number(difficulty)
    },
  }
}

function countZeroBits(hash: Buffer): number {
  let bits = 0
  for (const byte of hash) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

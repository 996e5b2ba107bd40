import { createCipheriv, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'
import { verify as verifyArgon2 } from '@node-rs/argon2'
import { verify as verifyBcrypt } from '@node-rs/bcrypt'
import { createTurnstile } from './turnstile.ts'

// OWASP's first choice for argon2id: 19 MiB, two passes, one lane.
export const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const ownKind = '$argon2id$v=19$m=19456,t=2,p=1$'

// Hashes of other systems, from imports. Above these costs, one sign-in would delay all others.
const maxArgon2 = { memoryKib: 131_072, passes: 10, lanes: 16 }
const bcryptCosts = { min: 4, max: 14 }
const maxScrypt = { power: 16, rounds: 16, lanes: 4 }

const argon2Pattern =
  /^(\$argon2(?:i|id|d)\$v=19\$m=(\d{1,6}),t=(\d{1,2}),p=(\d{1,2})\$)[A-Za-z0-9+/]{11,64}\$[A-Za-z0-9+/]{16,86}$/
const bcryptPattern = /^(\$2[aby]\$(\d\d)\$)[./A-Za-z0-9]{53}$/
// Firebase's variant of scrypt: memory is a power of two; the signer's key is encrypted with the derived key.
const scryptPattern =
  /^(\$fbscrypt\$v=1,n=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})(?:,ss=([A-Za-z0-9+/=]{1,64}))?,sk=([A-Za-z0-9+/=]{1,128})\$)([A-Za-z0-9+/=]{1,64})\$([A-Za-z0-9+/=]{1,128})$/

// Some of them take a second of a core each. At most this many at a time leave threads for other requests.
const passSlowly = createTurnstile(2)

interface Hash {
  /** The parameters that determine the duration of a check: two hashes of one kind cost the same. */
  readonly kind: string
  check(password: string): Promise<boolean>
}

function readHash(hash: string): Hash | undefined {
  return readArgon2(hash) ?? readBcrypt(hash) ?? readFirebaseScrypt(hash)
}

function readArgon2(hash: string): Hash | undefined {
  const [, kind, memory, passes, lanes] = argon2Pattern.exec(hash) ?? []
  if (kind === undefined) return undefined
  const isModerate =
    Number(memory) <= maxArgon2.memoryKib && Number(passes) <= maxArgon2.passes && Number(lanes) <= maxArgon2.lanes
  return isModerate ? { kind, check: (password) => verifyArgon2(hash, password) } : undefined
}

function readBcrypt(hash: string): Hash | undefined {
  const [, kind, cost] = bcryptPattern.exec(hash) ?? []
  if (kind === undefined || Number(cost) < bcryptCosts.min || Number(cost) > bcryptCosts.max) return undefined
  return { kind, check: (password) => verifyBcrypt(password, hash) }
}

function readFirebaseScrypt(hash: string): Hash | undefined {
  const [, kind, power, rounds, lanes, separator = '', signerKey = '', salt = '', expected = ''] =
    scryptPattern.exec(hash) ?? []
  if (kind === undefined) return undefined
  const [N, r, p] = [2 ** Number(power), Number(rounds), Number(lanes)]
  const isModerate =
    N > 1 && N <= 2 ** maxScrypt.power && r > 0 && r <= maxScrypt.rounds && p > 0 && p <= maxScrypt.lanes
  if (!isModerate) return undefined
  return {
    kind,
    async check(password) {
      const wholeSalt = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(separator, 'base64')])
      const key = await deriveKey(password, wholeSalt, { N, r, p, maxmem: 2 * 128 * N * r })
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
      const actual = Buffer.concat([cipher.update(Buffer.from(signerKey, 'base64')), cipher.final()])
      const wanted = Buffer.from(expected, 'base64')
      return actual.length === wanted.length && timingSafeEqual(actual, wanted)
    },
  }
}

function deriveKey(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)))
  })
}

/** Whether sign-in can check passwords against the hash, in moderate time. */
export function isUsableHash(hash: string): boolean {
  return hash.length <= 255 && readHash(hash) !== undefined
}

/** Whether the hash was imported or uses our older parameters, and should be replaced. */
export function isDatedHash(hash: string): boolean {
  return !hash.startsWith(ownKind)
}

/** The part of a usable hash that determines the cost of a check. */
export function readHashKind(hash: string): string | undefined {
  return readHash(hash)?.kind
}

/** Whether the password belongs to the hash; false for one that can't be checked. Works off the main thread. */
export async function checkHash(password: string, hash: string): Promise<boolean> {
  const readable = readHash(hash)
  if (!readable) return false
  const check = () => readable.check(password).catch(() => false)
  return isDatedHash(hash) ? passSlowly(check) : check()
}

/** A hash of the kind that matches no password; undefined for an unknown kind. */
export function createDecoyHash(kind: string): string | undefined {
  const tails = [`${'A'.repeat(22)}$${'A'.repeat(43)}`, '.'.repeat(53), `${'A'.repeat(16)}$${'A'.repeat(86)}==`]
  return tails.map((tail) => kind + tail).find((hash) => readHash(hash)?.kind === kind)
}

/** The kind of hash for new passwords. */
export const ownDecoyHash = `${ownKind}${'A'.repeat(22)}$${'A'.repeat(43)}`

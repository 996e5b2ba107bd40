import { createHmac } from 'node:crypto'
import type { Database } from '#server/platform/database/database.ts'
import { sampleHashKinds } from './password.queries.ts'
import { createDecoyHash, isDatedHash, ownDecoyHash } from './password-hash.ts'

const sampleSize = 1000
const freshForMs = 10 * 60_000

/**
 * Picks a decoy hash to check a password against when the address has none, so that response times reveal nothing.
 *
 * Where accounts were imported, one person's check takes 30 ms and another's 300 ms. An unknown address must then look
 * like either: it gets a kind of hash by the kinds' shares among the accounts, and always the same one, because the
 * choice depends on the address and a secret. As new hashes replace imported ones, their decoys follow. Known gap: a
 * kind that fewer than one account in a thousand has may be missed, so that an account of that kind answers like no
 * unknown address.
 */
export type DecoyPicker = (email: string) => Promise<string>

/** @param secret the same in every process of the instance. */
export function createDecoyPicker(database: Pick<Database, 'asAuthAdmin'>, secret: string): DecoyPicker {
  let sample: Promise<readonly { hash: string; count: number }[]> | undefined
  let sampledAt = Number.NEGATIVE_INFINITY

  function sampleDecoys() {
    const now = performance.now()
    if (sample && now - sampledAt < freshForMs) return sample
    sampledAt = now
    const pending = database.asAuthAdmin('sample of password hashes', async (tx) => {
      const kinds = await sampleHashKinds(tx, sampleSize)
      return kinds
        .map(({ kind, count }) => ({ hash: createDecoyHash(kind) ?? ownDecoyHash, count }))
        .sort((a, b) => Number(isDatedHash(b.hash)) - Number(isDatedHash(a.hash)) || (a.hash < b.hash ? -1 : 1))
    })
    // A failure fails this sign-in and is not cached.
    pending.catch(() => {
      if (sample === pending) sample = undefined
    })
    sample = pending
    return pending
  }

  return async (email) => {
    const decoys = await sampleDecoys()
    const total = decoys.reduce((sum, { count }) => sum + count, 0)
    const digest = createHmac('sha256', secret).update(email).digest()
    let rest = (digest.readUInt32BE(0) / 2 ** 32) * total
    for (const { hash, count } of decoys) {
      rest -= count
      if (rest < 0) return hash
    }
    return ownDecoyHash
  }
}

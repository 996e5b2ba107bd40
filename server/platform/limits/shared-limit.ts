import type { AuthTx, Database } from '../database/database.ts'
import { probeToken, returnToken, takeToken } from './limits.queries.ts'

/**
 * A rate limit by token bucket that all processes on one database share: each key may spend `capacity` at once, which
 * refills evenly over `refillMs`.
 */
export interface SharedLimit {
  /**
   * Spends one token, outside any transaction: it stays spent even if the request fails.
   *
   * @returns undefined when granted, else the seconds until the next one.
   * @throws the database's error when it is unreachable: then no request is granted.
   */
  take(key: string): Promise<number | undefined>
  /** Returns a token that {@link SharedLimit.take} spent, for a limit of failures only. */
  giveBack(key: string): Promise<void>
  /** Spends one token within a transaction; others wait for the same key until it ends. */
  takeWithin(tx: AuthTx, key: string): Promise<number | undefined>
  /** Answers as {@link SharedLimit.takeWithin} would, and spends nothing. */
  probeWithin(tx: AuthTx, key: string): Promise<number | undefined>
}

export interface SharedLimitOptions {
  /** The limited operation. Limits of one name share their buckets. */
  readonly name: string
  readonly capacity: number
  readonly refillMs: number
}

const maxRefused = 50_000

export function createSharedLimit(options: SharedLimitOptions, database: Database): SharedLimit {
  // An empty bucket refills by time only, so the database's time of the next token stays valid until then, and a flood
  // from one address costs one query per token, not one per request. Granted keys are not cached: only the database
  // knows what other processes have spent.
  const refusedUntilMs = new Map<string, number>()

  async function take(
    on: Database['powerless'] | AuthTx,
    key: string,
    ask: typeof takeToken = takeToken,
  ): Promise<number | undefined> {
    const leftMs = (refusedUntilMs.get(key) ?? 0) - performance.now()
    if (leftMs > 0) return toSeconds(leftMs)
    refusedUntilMs.delete(key)
    const waitMs = await ask(on, { ...options, key })
    if (waitMs === 0) return undefined
    if (refusedUntilMs.size >= maxRefused) {
      const oldest = refusedUntilMs.keys().next()
      if (!oldest.done) refusedUntilMs.delete(oldest.value)
    }
    refusedUntilMs.set(key, performance.now() + waitMs)
    return toSeconds(waitMs)
  }

  return {
    take: (key) => take(database.powerless, key),
    async giveBack(key) {
      refusedUntilMs.delete(key)
      await returnToken(database.powerless, { ...options, key })
    },
    takeWithin: (tx, key) => take(tx, key),
    probeWithin: (tx, key) => take(tx, key, () => probeToken(tx, { ...options, key })),
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

import type { AuthTx, Database } from '../database/database.ts'
import { probeToken, takeToken } from './limits.queries.ts'

/**
 * A rate limit by token bucket that all processes on one database share: each key may spend `capacity` at once and gets
 * it back evenly over `refillMs`.
 */
export interface SharedLimit {
  /**
   * Spends one token, outside any transaction: it stays spent whatever becomes of the request.
   *
   * @returns undefined when there was one, else the seconds until there is.
   * @throws what the database throws when it can't be asked: then nobody is let through.
   */
  take(key: string): Promise<number | undefined>
  /** Spends one token within a transaction, and keeps others waiting for the same key until it ends. */
  takeWithin(tx: AuthTx, key: string): Promise<number | undefined>
  /** Answers as {@link SharedLimit.takeWithin} would, and spends nothing. */
  probeWithin(tx: AuthTx, key: string): Promise<number | undefined>
}

export interface SharedLimitOptions {
  /** What is limited. Limits of one name share their buckets. */
  readonly name: string
  readonly capacity: number
  readonly refillMs: number
}

const maxRefused = 50_000

export function createSharedLimit(options: SharedLimitOptions, database: Database): SharedLimit {
  // An empty bucket fills by time alone: others can take from it, nobody can give. So what the database said about the
  // next token holds until then, and a flood from one address costs it one question per token, not one per request.
  // Nothing is remembered about those who are granted: only the database knows what others have spent.
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
    takeWithin: (tx, key) => take(tx, key),
    probeWithin: (tx, key) => take(tx, key, () => probeToken(tx, { ...options, key })),
  }
}

function toSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

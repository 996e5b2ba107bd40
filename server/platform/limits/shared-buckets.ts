import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { describeBucket, type TokenBuckets } from '../http/token-buckets.ts'
import type { Log } from '../log/log.ts'
import { spendTokens } from './limits.queries.ts'

/*
 * Token buckets that all processes share, without a round trip per request.
 *
 * Each process decides by its own copy of a bucket, at once. What it has granted it settles with the database afterwards:
 * once a key has spent a fiftieth of its capacity (and two tokens at least), the sum goes there, with those of the limit's
 * other keys that are due, in one statement; its answer is the bucket's true level, with the other processes' spending, and
 * becomes the copy. One statement runs at a time, so a flood makes batches larger, not more.
 *
 * How exact it is: a process grants at most a fiftieth and the requests of one round trip beyond the true level. Over two
 * processes that is below a tenth (shared-buckets.test.ts). The database keeps the excess as a debt, so that it does not
 * repeat: in the long run exactly the refill is granted. A visitor who sends one thing costs the database nothing.
 *
 * While the database is away, each process grants by its copy alone, as if it were the only one.
 *
 * Rejected: taking tokens in advance. Of every key the first request would wait for a round trip, and for visitors nearly
 * every request is the first; tokens that a process holds and doesn't use are missing in the others.
 */

export interface SharedBuckets {
  /** Buckets under a name. Those of one name are the same in all processes. */
  create(options: BucketOptions): TokenBuckets
  /** As {@link SharedBuckets.create}, filling within a minute. */
  perMinute(name: string, capacity: number): TokenBuckets
  /** Settles nothing more. */
  close(): void
}

interface BucketOptions {
  readonly name: string
  readonly capacity: number
  readonly refillMs: number
}

interface Bucket {
  /** Below zero: a debt. */
  tokens: number
  atMs: number
  /** Granted since it was last settled. */
  unsettled: number
}

/** Buckets of one limit that are to be settled, by key. */
interface Due {
  readonly options: BucketOptions
  /** When a bucket is due: tokens since it was last settled. */
  readonly settledAt: number
  readonly buckets: Map<string, Bucket>
}

/** Per limit. When full of busy keys, those that were used longest ago are forgotten first. */
const maxKeys = 50_000
const settledShare = 0.02
const leastSettled = 2
/** After a failed statement. */
const retryMs = 1_000
/** Keys in one statement. */
const batchSize = 1_000

export function createSharedBuckets(database: Database, log: Pick<Log, 'warn'>): SharedBuckets {
  const { settleSoon, close } = createSettler(database, log)
  const create = (options: BucketOptions) => createBuckets(options, settleSoon)
  return { create, perMinute: (name, capacity) => create({ name, capacity, refillMs: 60_000 }), close }
}

/** Settles with the database, one statement at a time. */
function createSettler(database: Database, log: Pick<Log, 'warn'>) {
  const waiting = new Set<Due>()
  let isSettling = false
  let isAway = false
  let isClosed = false

  async function settleAll(): Promise<void> {
    isSettling = true
    // The requests that arrived together are granted first, and settled together.
    await new Promise((resolve) => setImmediate(resolve))
    for (const due of waiting) {
      waiting.delete(due)
      const isDone = await settle(due)
      if (isClosed) break
      if (due.buckets.size > 0) waiting.add(due)
      if (!isDone) await pause(retryMs, undefined, { ref: false })
    }
    isSettling = false
  }

  /** Whether the database took them. */
  async function settle({ options, settledAt, buckets }: Due): Promise<boolean> {
    const batch = [...buckets].slice(0, batchSize)
    const spent = new Map(batch.map(([key, bucket]) => [key, bucket.unsettled]))
    try {
      const levels = await spendTokens(database, options, spent)
      const atMs = performance.now()
      for (const [key, bucket] of batch) {
        bucket.unsettled -= spent.get(key) ?? 0
        bucket.tokens = Math.min(options.capacity, (levels.get(key) ?? 0) - bucket.unsettled)
        bucket.atMs = atMs
        if (bucket.unsettled < settledAt) buckets.delete(key)
      }
      isAway = false
      return true
    } catch (error) {
      if (!isAway && !isClosed)
        log.warn({ err: error }, 'rate limits are counted by this process alone until the database answers')
      isAway = true
      return false
    }
  }

  return {
    settleSoon: (due: Due) => {
      waiting.add(due)
      if (!isSettling && !isClosed) void settleAll()
    },
    close: () => {
      isClosed = true
    },
  }
}

function createBuckets(options: BucketOptions, settleSoon: (due: Due) => void): TokenBuckets {
  const { capacity, refillMs } = options
  const settledAt = Math.max(leastSettled, Math.ceil(capacity * settledShare))
  const buckets = new Map<string, Bucket>()
  const due: Due = { options, settledAt, buckets: new Map() }
  const readTokens = (bucket: Bucket | undefined, atMs: number) =>
    bucket ? Math.min(capacity, bucket.tokens + ((atMs - bucket.atMs) / refillMs) * capacity) : capacity

  /** The bucket now, as the latest in order of use. */
  function refresh(key: string): Bucket {
    const atMs = performance.now()
    const bucket = buckets.get(key) ?? { tokens: capacity, atMs, unsettled: 0 }
    bucket.tokens = readTokens(bucket, atMs)
    bucket.atMs = atMs
    // Full again: what was granted has come back, in the database too.
    if (bucket.tokens === capacity && !due.buckets.has(key)) bucket.unsettled = 0
    buckets.delete(key)
    if (buckets.size >= maxKeys) {
      const oldest = buckets.keys().next()
      if (!oldest.done) buckets.delete(oldest.value)
    }
    buckets.set(key, bucket)
    return bucket
  }

  return {
    take(key, count = 1) {
      const bucket = refresh(key)
      if (bucket.tokens < count) {
        return Math.max(1, Math.ceil(((count - bucket.tokens) * refillMs) / capacity / 1000))
      }
      bucket.tokens -= count
      bucket.unsettled += count
      if (bucket.unsettled >= settledAt) {
        due.buckets.set(key, bucket)
        settleSoon(due)
      }
      return undefined
    },
    spentShare: (key) => 1 - readTokens(buckets.get(key), performance.now()) / capacity,
    describe: (key) => describeBucket({ capacity, refillMs, tokens: readTokens(buckets.get(key), performance.now()) }),
  }
}

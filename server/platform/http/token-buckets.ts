/**
 * Rate limits by token bucket: each key may spend `capacity` at once and gets it back evenly over `refillMs`.
 * Held in the memory of one process, bounded: when full of busy keys, the oldest are forgotten first.
 */
export interface TokenBuckets {
  /** Spends tokens, by default one. Undefined when there were enough, else the seconds until there are. */
  take(key: string, count?: number): number | undefined
  /** How much of what the key may spend at once is spent, 0 to 1. */
  spentShare(key: string): number
  /** The limit, and what a key has left of it. */
  describe(key: string): BucketState
}

export interface BucketState {
  readonly capacity: number
  /** How long an empty bucket takes to fill. */
  readonly refillSeconds: number
  /** Whole tokens. */
  readonly left: number
  readonly fullInSeconds: number
}

const maxKeys = 50_000

export function createTokenBuckets(options: { capacity: number; refillMs: number; now?: () => number }): TokenBuckets {
  const { capacity, refillMs, now = () => performance.now() } = options
  const buckets = new Map<string, { tokens: number; at: number }>()
  const readTokens = (key: string, at: number) => {
    const bucket = buckets.get(key)
    return bucket ? Math.min(capacity, bucket.tokens + ((at - bucket.at) / refillMs) * capacity) : capacity
  }
  return {
    spentShare: (key) => 1 - readTokens(key, now()) / capacity,
    describe: (key) => describeBucket({ capacity, refillMs, tokens: readTokens(key, now()) }),
    take(key, count = 1) {
      const at = now()
      const tokens = readTokens(key, at)
      // Re-inserting keeps the map in order of use.
      buckets.delete(key)
      if (buckets.size >= maxKeys) {
        const oldest = buckets.keys().next()
        if (!oldest.done) buckets.delete(oldest.value)
      }
      if (tokens < count) {
        buckets.set(key, { tokens, at })
        return Math.max(1, Math.ceil(((count - tokens) * refillMs) / capacity / 1000))
      }
      buckets.set(key, { tokens: tokens - count, at })
      return undefined
    },
  }
}

export function describeBucket(bucket: { capacity: number; refillMs: number; tokens: number }): BucketState {
  const { capacity, refillMs, tokens } = bucket
  return {
    capacity,
    refillSeconds: Math.ceil(refillMs / 1000),
    left: Math.max(0, Math.floor(tokens)),
    fullInSeconds: Math.ceil(((capacity - Math.max(0, tokens)) * refillMs) / capacity / 1000),
  }
}

/** Buckets that give `capacity` back over a minute. */
export function perMinute(capacity: number): TokenBuckets {
  return createTokenBuckets({ capacity, refillMs: 60_000 })
}

/** The part of an address that one person holds: an IPv6 customer gets a /64, so all of it counts as one. */
export function rateKeyOf(ip: string): string {
  if (!ip.includes(':')) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? []
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === '' ? [] : tail.split(':')
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, 4).join(':')
}

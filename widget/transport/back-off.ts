const firstMs = 1000
const longestMs = 5 * 60_000

/**
 * Milliseconds to wait after the given number of failed attempts (1 or more): doubling from one second to five minutes,
 * half of it random, so that many visitors do not come back in the same instant after an outage.
 */
export function backOffMs(attempts: number, random = Math.random()): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1)) * (0.5 + random / 2)
}

/** Milliseconds a `Retry-After` header asks for (seconds or a date), at most an hour; undefined without a usable one. */
export function retryAfterMs(header: string | null | undefined, now = Date.now()): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? +header * 1000 : Date.parse(header) - now
  // What is no number compares with none.
  return ms > 3_600_000 ? 3_600_000 : ms > 0 ? ms : ms <= 0 ? 0 : undefined
}

const firstMs = 1000
const longestMs = 5 * 60_000

/**
 * Milliseconds to wait after the given number of failed attempts (1 or more): doubling from one second to five minutes,
 * half of it random, so that visitors do not all retry in the same instant after an outage.
 */
export function backOffMs(attempts: number, random = Math.random()): number {
  return Math.min(longestMs, firstMs * 2 ** (attempts - 1)) * (0.5 + random / 2)
}

/** Milliseconds a `Retry-After` header asks for (seconds or a date), at most an hour; 0 without a usable one. */
export function retryAfterMs(header = '', now = Date.now()): number {
  const ms = /^\d+$/.test(header) ? +header * 1000 : Date.parse(header) - now
  // NaN is not above 0.
  return ms > 0 ? Math.min(ms, 3_600_000) : 0
}

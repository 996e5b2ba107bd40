/** Waits after each failed attempt of a delivery, in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h. */
const waitsSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000]
/** Retries of many deliveries that failed together don't come back together. */
const jitter = 0.1
const longestWaitSeconds = 86_400

/** An integration that refused everything for so long is disabled. */
export const disableAfterMs = 5 * 24 * 3600_000

/** The queue of a failing integration rests between its attempts, so that one that never answers costs little. */
const longestRestSeconds = 300

/**
 * Seconds until the next attempt of a delivery, or undefined when that was its last.
 *
 * @param attempts made so far, with the one that just failed.
 * @param retryAfterSeconds what the service asked for; it counts where it is longer.
 */
export function chooseWaitSeconds(
  attempts: number,
  retryAfterSeconds = 0,
  random: () => number = Math.random,
): number | undefined {
  const planned = waitsSeconds[attempts - 1]
  if (planned === undefined) return undefined
  const spread = planned * (1 + jitter * (2 * random() - 1))
  return Math.min(longestWaitSeconds, Math.max(spread, retryAfterSeconds))
}

/** Seconds that a queue rests after so many failed attempts in a row. */
export function chooseRestSeconds(failures: number, retryAfterSeconds = 0): number {
  if (failures === 0) return 0
  return Math.min(longestWaitSeconds, Math.max(Math.min(longestRestSeconds, 2 ** (failures - 1)), retryAfterSeconds))
}

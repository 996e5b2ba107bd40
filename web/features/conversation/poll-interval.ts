const shortestMs = 4_000
const longestMs = 20_000
const shareOfQuiet = 0.1

/**
 * The polling interval of a visible conversation. Waiting costs a tenth of the quiet time before it at most, so that an
 * exchange is fast and a forgotten tab makes three requests a minute.
 */
export function toPollMs(quietMs: number, isFailing = false): number {
  if (isFailing) return longestMs
  return Math.min(Math.max(quietMs * shareOfQuiet, shortestMs), longestMs)
}

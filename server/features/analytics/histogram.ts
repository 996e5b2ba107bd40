/*
 * Durations as counts of ranges that grow: under a minute, then four ranges for each doubling. Histograms of several days
 * are added up, and percentiles of the sum are those of all items, to within the width of a range.
 */

const firstSeconds = 60
const rangesPerDoubling = 4
/** Two years and more fall into the last. */
export const maxRange = 80

/**
 * The value that at least `part` of all are not above (nearest rank), as the geometric middle of its range: at most
 * 2^(1/8) − 1 = 9.1 % beside the true one. What took under a minute is half a minute.
 *
 * @returns seconds; null for no values at all
 */
export function findPercentile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, n) => sum + n, 0)
  if (total === 0) return null
  let below = 0
  for (const [range, n] of counts.entries()) {
    below += n
    if (below >= part * total) return toSeconds(range)
  }
  return null
}

function toSeconds(range: number): number {
  if (range === 0) return firstSeconds / 2
  return firstSeconds * 2 ** ((range - 0.5) / rangesPerDoubling)
}

/** Element by element; the shorter is filled up with zeros. */
export function addCounts(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => (a[index] ?? 0) + (b[index] ?? 0))
}

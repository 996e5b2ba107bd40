/** Pauses that double with each failure. */
export interface BackOff {
  readonly firstMs: number
  readonly longestMs: number
}

/**
 * How long to wait after so many failures in a row, in milliseconds. Up to half of it is chance, so that several processes
 * that lost the same server don't come back at the same instant.
 */
export function choosePause({ firstMs, longestMs }: BackOff, failures: number): number {
  const fullMs = Math.min(firstMs * 2 ** Math.max(0, failures - 1), longestMs)
  return fullMs * (0.5 + Math.random() / 2)
}

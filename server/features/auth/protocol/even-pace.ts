import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs `work` and answers, or fails, no sooner than `minMs` after it began: so that the time does not tell whether
 * there was much to do. Only as good as `minMs` is longer than the work.
 */
export async function runAtEvenPace<T>(minMs: number, work: () => Promise<T>): Promise<T> {
  const begunAt = performance.now()
  try {
    return await work()
  } finally {
    await waitUntil(begunAt + minMs)
  }
}

/** As {@link runAtEvenPace}, but a success is answered at once. */
export async function failAtEvenPace<T>(minMs: number, work: () => Promise<T>): Promise<T> {
  const begunAt = performance.now()
  try {
    return await work()
  } catch (error) {
    await waitUntil(begunAt + minMs)
    throw error
  }
}

async function waitUntil(at: number): Promise<void> {
  await pause(Math.max(0, at - performance.now()))
}

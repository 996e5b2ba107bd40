import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs `work` and resolves or rejects no sooner than `minMs` after the start, so that the duration does not reveal how
 * much work there was. `minMs` must exceed the duration of the work.
 */
export async function runAtEvenPace<T>(minMs: number, work: () => Promise<T>): Promise<T> {
  const begunAt = performance.now()
  try {
    return await work()
  } finally {
    await waitUntil(begunAt + minMs)
  }
}

/** As {@link runAtEvenPace}, but a success resolves immediately. */
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

import { setTimeout as pause } from 'node:timers/promises'
import { type BackOff, choosePause } from '../back-off.ts'
import { isDatabaseAway } from './away.ts'

const repeating: BackOff = { firstMs: 50, longestMs: 500 }

/**
 * Repeats what records something that has happened already, as long as the database is away. `fn` must bear being run
 * again after it succeeded.
 *
 * @param forMs after which the last error is thrown.
 */
export async function repeatWhileAway<T>(fn: () => Promise<T>, forMs: number): Promise<T> {
  const until = performance.now() + forMs
  for (let failures = 1; ; failures += 1) {
    try {
      return await fn()
    } catch (error) {
      if (!isDatabaseAway(error) || performance.now() > until) throw error
      await pause(choosePause(repeating, failures))
    }
  }
}

import { setTimeout as pause } from 'node:timers/promises'
import { type BackOff, choosePause } from '../back-off.ts'
import type { Log } from '../log/log.ts'
import type { ReadOnly } from '../read-only/read-only.ts'
import type { Job } from './job.ts'
import type { Worker } from './worker.ts'

export interface PausableWorkerOptions {
  /** All jobs of the pool. */
  readonly jobs: readonly Job[]
  /** Starts a worker that runs these and takes no others. */
  readonly start: (jobs: readonly Job[]) => Promise<Worker>
  readonly readOnly: Pick<ReadOnly, 'current' | 'onChange'>
  readonly log: Pick<Log, 'warn'>
}

const retrying: BackOff = { firstMs: 200, longestMs: 5_000 }

/**
 * A worker that takes only the jobs which go on while the instance is read-only. All others stay in the queue without an
 * attempt, and scheduled ones are made up for afterwards as after an outage. Jobs at hand end first.
 *
 * @throws when the first worker can't be started.
 */
export async function startPausableWorker({ jobs, start, readOnly, log }: PausableWorkerOptions): Promise<Worker> {
  const stopping = new AbortController()
  const ending = new Set<Promise<void>>()
  let isPaused = readOnly.current() !== undefined
  let current = await startFor(isPaused)
  let switching = Promise.resolve()

  function startFor(paused: boolean): Promise<Worker | undefined> {
    const chosen = paused ? jobs.filter(({ evenReadOnly }) => evenReadOnly !== undefined) : jobs
    return chosen.length > 0 ? start(chosen) : Promise.resolve(undefined)
  }

  async function follow(): Promise<void> {
    const wanted = readOnly.current() !== undefined
    if (wanted === isPaused || stopping.signal.aborted) return
    isPaused = wanted
    // It takes no more jobs from here on. Those at hand may take minutes, and the next worker does not wait for them.
    const ended: Promise<void> = (current?.stop() ?? Promise.resolve())
      .catch((error: unknown) => log.warn({ err: error }, 'a worker did not stop'))
      .then(() => void ending.delete(ended))
    ending.add(ended)
    current = undefined
    for (let failures = 1; !stopping.signal.aborted; failures += 1) {
      try {
        current = await startFor(isPaused)
        return
      } catch (error) {
        log.warn({ err: error }, 'jobs wait for the database')
        await pause(choosePause(retrying, failures), undefined, { signal: stopping.signal }).catch(() => {})
      }
    }
  }

  readOnly.onChange(() => {
    switching = switching.then(follow)
  })

  return {
    check: async () => current?.check(),
    stop: async () => {
      stopping.abort()
      await switching
      await Promise.all([current?.stop(), ...ending])
    },
  }
}

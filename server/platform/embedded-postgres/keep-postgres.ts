import { setTimeout as pause } from 'node:timers/promises'
import { type BackOff, choosePause } from '../back-off.ts'
import type { Log } from '../log/log.ts'
import { readErrorMessage } from '../read-error.ts'
import type { EmbeddedPostgres } from './start-postgres.ts'

export interface KeepPostgresOptions {
  /** Starts it on the same port, so that its URL stays the same. */
  readonly startAgain: () => Promise<EmbeddedPostgres>
  readonly log: Pick<Log, 'error' | 'warn'>
  /** Called once, with one sentence for the operator, when it is not started any more. */
  readonly onGivenUp: (lastWord: string) => void
  /** Default: 5 minutes. */
  readonly giveUpAfterMs?: number
}

const restarting: BackOff = { firstMs: 50, longestMs: 2_000 }
/** One that ran for this long did start: its successor need not wait. */
const startedMs = 1_000
/** One that ran for this long ended for a new reason. */
const steadyMs = 10_000
const usualPatienceMs = 5 * 60_000

/** Starts PostgreSQL again whenever it ends by itself: killed, out of memory, or unable to write to a full disk. */
export function keepPostgres(
  first: EmbeddedPostgres,
  { startAgain, log, onGivenUp, giveUpAfterMs = usualPatienceMs }: KeepPostgresOptions,
): Pick<EmbeddedPostgres, 'url' | 'stop' | 'kill'> {
  const stopping = new AbortController()
  let running = first

  async function keep(): Promise<void> {
    let failures = 0
    let troubleSince: number | undefined
    for (;;) {
      const startedAt = performance.now()
      await running.ended
      if (stopping.signal.aborted) return
      const ranMs = performance.now() - startedAt
      if (ranMs > startedMs) failures = 0
      if (troubleSince === undefined || ranMs > steadyMs) troubleSince = performance.now()
      log.error('PostgreSQL has ended unexpectedly; starting it again')
      for (let isStarted = false; !isStarted; ) {
        failures += 1
        await pause(choosePause(restarting, failures), undefined, { signal: stopping.signal }).catch(() => {})
        if (stopping.signal.aborted) return
        try {
          running = await startAgain()
          isStarted = true
        } catch (error) {
          log.warn({ err: error }, 'PostgreSQL does not start yet')
          if (performance.now() - troubleSince > giveUpAfterMs) return onGivenUp(describeEnd(giveUpAfterMs, error))
        }
      }
      if (performance.now() - troubleSince > giveUpAfterMs) return onGivenUp(describeEnd(giveUpAfterMs))
    }
  }

  const keeping = keep()
  return {
    url: first.url,
    async stop() {
      stopping.abort()
      await running.stop()
      await keeping
      // One that was just being started.
      await running.stop()
    },
    kill: () => running.kill(),
  }
}

function describeEnd(giveUpAfterMs: number, error?: unknown): string {
  const minutes = Math.round(giveUpAfterMs / 60_000)
  const reason =
    error === undefined ? 'it ended each time; see postgres.log in the data folder' : readErrorMessage(error)
  return (
    `PostgreSQL could not be kept running for ${minutes} minutes and is not started again: ${reason}. ` +
    'Free the disk or memory it needs, then start Earshot again.'
  )
}

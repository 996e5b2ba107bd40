import type { Static, TSchema } from 'typebox'
import { Check } from 'typebox/value'

/**
 * Jobs of one pool wait for each other only. `short`: seconds, and what people wait for. `media`: conversions of
 * recordings. `transfer`: exports and imports. `yielding`: what yields to visitors under full load.
 */
export type WorkerPool = 'short' | 'media' | 'transfer' | 'yielding'

/**
 * A kind of work done after the fact, outside the request that caused it. It runs at least once: a worker may die
 * after the work and before its tick, so `run` must bear being run again with the same payload.
 */
export interface Job<Payload = unknown> {
  readonly name: string
  /** @throws when the payload is none of this job's, or the work failed: it is tried again later. */
  run(payload: unknown): Promise<void>
  /** Only tells the compiler what payload belongs to the job. */
  readonly payload?: Payload
  /** Default: `short`. */
  readonly pool?: WorkerPool
  /** When it runs by itself. */
  readonly schedule?: Schedule
  /** Why it continues while the instance is read-only. Default: it waits for the end. */
  readonly evenReadOnly?: string
}

/** When a job runs by itself: once per moment, however many processes work. */
interface Schedule {
  /** Minute, hour, day of the month, month and day of the week, as in crontab(5); in UTC. */
  readonly at: string
  /** A moment missed without a running worker is made up for, if it is no longer ago than this. */
  readonly catchUpHours: number
}

/** Declares a job. Its payload is checked when it runs: a queued payload may be older than the code. */
export function defineJob<S extends TSchema>(
  name: string,
  payload: S,
  run: (payload: Static<S>) => Promise<void>,
  options: Pick<Job, 'pool' | 'evenReadOnly'> = {},
): Job<Static<S>> {
  return {
    ...options,
    name,
    run: async (value) => {
      if (!Check(payload, value)) throw new Error(`the payload of job ${name} does not fit its schema`)
      await run(value)
    },
  }
}

/** Declares a job that runs by itself, e.g. every night. */
export function defineCron(
  name: string,
  schedule: Schedule,
  run: () => Promise<void>,
  options: Pick<Job, 'evenReadOnly'> = {},
): Job {
  return { ...options, name, run, schedule }
}

import { Logger, type ParsedCronItem, parseCronItem, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import { repeatWhileAway } from '../database/repeat-while-away.ts'
import { withOrigin } from '../database/request-origin.ts'
import type { Log } from '../log/log.ts'
import { giveBack, type Heart, startHeart } from './heartbeats.ts'
import type { Job } from './job.ts'
import { type KeptRunner, keepRunner } from './keep-runner.ts'
import { openWorkerPool } from './worker-pool.ts'

export interface Worker {
  /** Rejects when this worker has stopped seeing its queue. */
  check(): Promise<void>
  /** Finishes the jobs at hand, then stops. */
  stop(): Promise<void>
}

export interface WorkerOptions {
  readonly url: string
  readonly log: Log
  readonly jobs: readonly Job[]
  /** Jobs run side by side. */
  readonly concurrency?: number
  /** Default: 5 s. */
  readonly heartbeatMs?: number
  /** What starts this process again when it ends. Default: nothing does. */
  readonly keeperId?: string | null
}

const usualHeartbeatMs = 5_000

/** A stop waits for jobs that are being repeated. */
const repeatForMs = 5_000

/** Starts running jobs. The queue's own tables must exist (migrate first). */
export async function startWorker({
  url,
  log,
  jobs,
  concurrency = 5,
  heartbeatMs = usualHeartbeatMs,
  keeperId = null,
}: WorkerOptions): Promise<Worker> {
  const pool = openWorkerPool(url, concurrency + 3, log)
  const taskList = toTaskList(jobs)
  const parsedCronItems = toCronItems(jobs)
  const logger = toGraphileLogger(log)
  const start = (events: WorkerEvents) =>
    run({
      pgPool: pool,
      events,
      concurrency,
      noHandleSignals: true,
      noPreparedStatements: false,
      pollInterval: 2_000,
      // Without these, a job that could not be recorded as done is an unhandled rejection.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      taskList,
      parsedCronItems,
      logger,
    })
  let runner: KeptRunner
  let heart: Heart | undefined
  try {
    runner = await keepRunner({
      start,
      onEnded: (lockId) => giveBack(pool, [lockId]),
      onReplaced: (reason) => log.warn({ reason }, 'jobs continue in a new runner'),
      onStartedAgain: () => heart?.beatNow(),
    })
  } catch (error) {
    await pool.end()
    throw error
  }
  const started = startHeart({ pool, runner, log, heartbeatMs, keeperId })
  heart = started
  return {
    check: async () => {
      if (started.silentMs() > 3 * heartbeatMs) throw new Error('the worker has missed three heartbeats')
    },
    stop: async () => {
      // Jobs that take their time keep their heartbeat until they end.
      await runner.stop()
      await started.stop()
      await giveBack(pool, runner.lockIds()).catch(() => {})
      await pool.end()
    },
  }
}

/**
 * A job that lost its database runs again as soon as that is back: as a failed attempt it would wait longer each time, up to
 * hours.
 */
function toTaskList(jobs: readonly Job[]): TaskList {
  return Object.fromEntries(
    jobs.map((job) => [
      job.name,
      (payload: unknown) =>
        withOrigin({ kind: 'system', job: job.name }, () => repeatWhileAway(() => job.run(payload), repeatForMs)),
    ]),
  )
}

function toCronItems(jobs: readonly Job[]): ParsedCronItem[] {
  return jobs.flatMap(({ name, schedule }) => {
    if (!schedule) return []
    // One key for all its runs: several that were missed are made up for by one.
    const options = { backfillPeriod: schedule.catchUpHours * 3_600_000, jobKey: name, jobKeyMode: 'replace' } as const
    return [parseCronItem({ task: name, match: schedule.at, options })]
  })
}

function toGraphileLogger(log: Log): Logger {
  return new Logger(() => (level, message, meta) => {
    // Its "info" is one line per job: debugging.
    if (level === 'error') log.error(describeJob(meta), message)
    else if (level === 'warning') log.warn(describeJob(meta), message)
    else log.debug(message)
  })
}

/** What the log says about a job: its name and its error, not its payload, which may name people. */
function describeJob(meta: Record<string, unknown> | undefined): object {
  // graphile-worker adds the row of the job, if the message is about one.
  const job = meta?.job as { id?: unknown; task_identifier?: unknown; attempts?: unknown } | undefined
  return {
    ...(job && { job: { id: job.id, name: job.task_identifier, attempt: job.attempts } }),
    ...(meta?.error instanceof Error && { err: meta.error }),
  }
}

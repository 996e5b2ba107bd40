import { Logger, type ParsedCronItem, parseCronItem, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { DatabaseAwayError } from '../database/away.ts'
import { openPool } from '../database/pool.ts'
import { repeatWhileAway } from '../database/repeat-while-away.ts'
import type { Log } from '../log/log.ts'
import type { Job } from './job.ts'
import { type KeptRunner, keepRunner } from './keep-runner.ts'

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
}

const usualHeartbeatMs = 5_000
/**
 * A process that missed so many heartbeats is dead, and its jobs are given to others: at most 30 s after its end.
 * graphile-worker alone would keep them locked for hours.
 */
const missedByTheDead = 4

/** A stop waits for jobs that are being repeated. */
const repeatForMs = 5_000

/** Starts running jobs. The queue's own tables must exist (migrate first). */
export async function startWorker({
  url,
  log,
  jobs,
  concurrency = 5,
  heartbeatMs = usualHeartbeatMs,
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
  try {
    runner = await keepRunner({
      start,
      onEnded: (lockId) => giveBack(pool, [lockId]),
      onReplaced: (reason) => log.warn({ reason }, 'jobs continue in a new runner'),
    })
  } catch (error) {
    await pool.end()
    throw error
  }
  const heart = startHeart({ pool, runner, log, heartbeatMs })
  return {
    check: async () => {
      if (heart.silentMs() > 3 * heartbeatMs) throw new Error('the worker has missed three heartbeats')
    },
    stop: async () => {
      // Jobs that take their time keep their heartbeat until they end.
      await runner.stop()
      await heart.stop()
      await giveBack(pool, runner.lockIds()).catch(() => {})
      await pool.end()
    },
  }
}

function openWorkerPool(url: string, max: number, log: Log): pg.Pool {
  const pool = openPool(
    {
      connectionString: url,
      max,
      application_name: 'earshot worker',
      // This pool only notes which jobs are taken and which are done. A note lost with the machine means that a job runs
      // again, as it may at any time; not waiting for the disk leaves it to those who are promised something.
      // The login itself has no rights.
      options: '-c role=service_role -c synchronous_commit=off',
    },
    log,
  )
  // graphile-worker repeats by itself after some codes of a lost server, with pauses of up to two minutes: that long it would
  // neither run jobs nor stop. Without a code, its runner is replaced as soon as the server is back.
  const connect = pool.connect.bind(pool)
  const connectOrFail = (callback?: Parameters<typeof connect>[0]) =>
    callback
      ? connect(callback)
      : connect().catch((cause: unknown) => {
          throw new DatabaseAwayError({ cause })
        })
  // Both signatures of the driver, as they were.
  pool.connect = connectOrFail as typeof pool.connect
  return pool
}

/** Says regularly that this process lives, and frees the jobs of processes that don't. */
function startHeart(options: { pool: pg.Pool; runner: KeptRunner; log: Log; heartbeatMs: number }) {
  const { pool, runner, log, heartbeatMs } = options
  let lastBeatAt = performance.now()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let beating = beat()

  async function beat(): Promise<void> {
    const startedAt = performance.now()
    let hasFailed = false
    try {
      await recordHeartbeat(pool, runner.lockIds())
      const sinceLastMs = performance.now() - lastBeatAt
      lastBeatAt = performance.now()
      // After an outage the others could not beat either: each gets its turn before anyone is declared dead.
      if (sinceLastMs < 2 * heartbeatMs) await freeJobsOfTheDead(pool, (missedByTheDead * heartbeatMs) / 1000)
    } catch (error) {
      hasFailed = true
      log.warn({ err: error }, 'the worker’s heartbeat failed')
    }
    if (isStopped) return
    // After a failure sooner, so that it is known to live soon after the database is back.
    const restMs = Math.max(0, startedAt + (hasFailed ? heartbeatMs / 5 : heartbeatMs) - performance.now())
    timer = setTimeout(() => {
      beating = beat()
    }, restMs)
  }

  return {
    silentMs: () => performance.now() - lastBeatAt,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await beating
    },
  }
}

async function recordHeartbeat(pool: pg.Pool, lockIds: readonly string[]): Promise<void> {
  await pool.query(
    `insert into app.job_workers (worker_id)
     select unnest($1::text[])
     on conflict (worker_id) do update set last_seen_at = now()`,
    [lockIds],
  )
}

async function freeJobsOfTheDead(pool: pg.Pool, deadAfterSeconds: number): Promise<void> {
  await pool.query('delete from app.job_workers where last_seen_at < now() - make_interval(secs => $1)', [
    deadAfterSeconds,
  ])
  // A runner takes its first jobs before its first heartbeat: the age of the lock gives it time.
  const { rows } = await pool.query<{ locked_by: string }>(
    `select distinct locked_by
     from graphile_worker.jobs j
     where locked_at < now() - make_interval(secs => $1)
       and not exists (select from app.job_workers w where w.worker_id = j.locked_by)`,
    [deadAfterSeconds],
  )
  if (rows.length > 0) {
    await pool.query('select graphile_worker.force_unlock_workers($1)', [rows.map((row) => row.locked_by)])
  }
}

/** What runners left locked when they ended is for others at once. */
async function giveBack(pool: pg.Pool, lockIds: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [lockIds])
  await pool.query('delete from app.job_workers where worker_id = any($1)', [lockIds])
}

/**
 * A job that lost its database runs again as soon as that is back: as a failed attempt it would wait longer each time, up to
 * hours.
 */
function toTaskList(jobs: readonly Job[]): TaskList {
  return Object.fromEntries(
    jobs.map((job) => [job.name, (payload: unknown) => repeatWhileAway(() => job.run(payload), repeatForMs)]),
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

import { EventEmitter } from 'node:events'
import {
  Logger,
  type ParsedCronItem,
  parseCronItem,
  type Runner,
  run,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker'
import pg from 'pg'
import type { Log } from '../log/log.ts'
import type { Job } from './job.ts'

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
}

const heartbeatMs = 10_000
// A worker that missed this many seconds of heartbeats is dead. graphile-worker alone would keep its jobs for hours.
const deadAfterSeconds = 60

/** Starts running jobs. The queue's own tables must exist (migrate first). */
export async function startWorker({ url, log, jobs, concurrency = 5 }: WorkerOptions): Promise<Worker> {
  const pool = new pg.Pool({
    connectionString: url,
    max: concurrency + 3,
    application_name: 'earshot worker',
    connectionTimeoutMillis: 5_000,
    // This pool only notes which jobs are taken and which are done. A note lost with the machine means that a job runs
    // again, as it may at any time; not waiting for the disk leaves it to those who are promised something.
    // The login itself has no rights.
    options: '-c role=service_role -c synchronous_commit=off',
  })
  let isStopping = false
  // Errors of connections that end with their pool are expected.
  const onLost = (error: Error) => {
    if (!isStopping) log.warn({ err: error }, 'worker connection lost')
  }
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))

  // Each of the pool's workers takes jobs under an id of its own.
  const workerIds = new Set<string>()
  const events: WorkerEvents = new EventEmitter()
  events.on('worker:create', ({ worker }) => workerIds.add(worker.workerId))
  const runner = await run({
    pgPool: pool,
    events,
    concurrency,
    noHandleSignals: true,
    noPreparedStatements: false,
    pollInterval: 2_000,
    taskList: toTaskList(jobs),
    parsedCronItems: toCronItems(jobs),
    logger: toGraphileLogger(log),
  })

  // Monotonic: a clock that is set forward must not declare a living worker dead, nor one set back a dead one alive.
  let lastBeatAt = performance.now()
  const beat = async () => {
    try {
      await recordHeartbeat(pool, [...workerIds])
      await freeJobsOfTheDead(pool)
      lastBeatAt = performance.now()
    } catch (error) {
      log.warn({ err: error }, 'the worker’s heartbeat failed')
    }
  }
  await beat()
  const timer = setInterval(beat, heartbeatMs)

  return {
    check: async () => {
      if (performance.now() - lastBeatAt > 3 * heartbeatMs)
        throw new Error('the worker has not reached its queue for 30 s')
    },
    stop: async () => {
      clearInterval(timer)
      await stopRunner(runner)
      isStopping = true
      await pool.query('delete from app.job_workers where worker_id = any($1)', [[...workerIds]]).catch(() => {})
      await pool.end()
    },
  }
}

async function recordHeartbeat(pool: pg.Pool, workerIds: readonly string[]): Promise<void> {
  await pool.query(
    `insert into app.job_workers (worker_id)
     select unnest($1::text[])
     on conflict (worker_id) do update set last_seen_at = now()`,
    [workerIds],
  )
}

async function freeJobsOfTheDead(pool: pg.Pool): Promise<void> {
  await pool.query('delete from app.job_workers where last_seen_at < now() - make_interval(secs => $1)', [
    deadAfterSeconds,
  ])
  // Locked for longer than the living go without a heartbeat, by someone who has none.
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

async function stopRunner(runner: Runner): Promise<void> {
  try {
    await runner.stop()
  } catch {
    // Stopped already: a second signal asked for the same.
  }
}

function toTaskList(jobs: readonly Job[]): TaskList {
  return Object.fromEntries(jobs.map((job) => [job.name, (payload: unknown) => job.run(payload)]))
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
    if (level === 'error') log.error(toLogFields(meta), message)
    else if (level === 'warning') log.warn(toLogFields(meta), message)
    else log.debug(message)
  })
}

/** Names a job and its error. Payloads are never logged: they may contain what a visitor or a member wrote. */
function toLogFields(meta: { job?: unknown; error?: unknown } | undefined): object {
  // The queue passes a row of its table with lines about one job.
  const job = meta?.job as { id?: unknown; task_identifier?: unknown; attempts?: unknown } | undefined
  return {
    ...(job && { job: { id: job.id, name: job.task_identifier, attempts: job.attempts } }),
    ...(meta?.error instanceof Error && { err: meta.error }),
  }
}

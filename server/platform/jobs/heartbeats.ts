import type pg from 'pg'
import type { Log } from '../log/log.ts'
import type { KeptRunner } from './keep-runner.ts'

/**
 * A process that missed so many heartbeats is dead, and its jobs are given to others: at most 30 s after its end.
 * graphile-worker alone would keep them locked for hours.
 */
const missedByTheDead = 4

export interface HeartOptions {
  readonly pool: pg.Pool
  readonly runner: Pick<KeptRunner, 'lockIds'>
  readonly log: Pick<Log, 'warn'>
  readonly heartbeatMs: number
  readonly keeperId: string | null
}

export interface Heart {
  /** Milliseconds since the last heartbeat that was recorded. */
  silentMs(): number
  /** Makes lock ids known that are new, without waiting for the next heartbeat. */
  beatNow(): void
  stop(): Promise<void>
}

/** Says regularly that this process lives, and frees the jobs of processes that don't. */
export function startHeart(options: HeartOptions): Heart {
  const { pool, runner, log, heartbeatMs, keeperId } = options
  let lastBeatAt = performance.now()
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let beating = beat()

  async function beat(): Promise<void> {
    clearTimeout(timer)
    const startedAt = performance.now()
    let hasFailed = false
    try {
      await recordHeartbeat(pool, runner.lockIds(), keeperId)
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
    beatNow: () => {
      if (!isStopped) beating = beating.then(beat)
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await beating
    },
  }
}

async function recordHeartbeat(pool: pg.Pool, lockIds: readonly string[], keeperId: string | null): Promise<void> {
  await pool.query(
    `insert into app.job_workers (worker_id, keeper_id)
     select id, $2 from unnest($1::text[]) as ids (id)
     on conflict (worker_id) do update set last_seen_at = now()`,
    [lockIds, keeperId],
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
export async function giveBack(pool: pg.Pool, lockIds: readonly string[]): Promise<void> {
  await pool.query('select graphile_worker.force_unlock_workers($1)', [lockIds])
  await pool.query('delete from app.job_workers where worker_id = any($1)', [lockIds])
}

import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Shortcoming } from '../health/run-checks.ts'

// Three times as long as it takes until a silent worker's jobs are given to others: a restart of the worker is no alarm.
const deadAfterSeconds = 60

/** Whether another process runs jobs, for a process that runs none. By the database's clock, which all heartbeats have. */
export async function checkOtherWorkers(database: Database): Promise<Shortcoming | undefined> {
  const { rows } = await database.asSystem('heartbeats belong to no organisation', (tx) =>
    sql`
      select from app.job_workers where last_seen_at > now() - make_interval(secs => ${deadAfterSeconds}) limit 1
    `.execute(tx),
  )
  return rows.length === 0 ? 'no_worker' : undefined
}

/**
 * Frees the jobs of processes that the same keeper started before this one. They have ended: it starts one after the other.
 * Without this, their jobs would wait for missed heartbeats. Call before the first job is taken.
 */
export async function freePredecessors(database: Database, keeperId: string): Promise<void> {
  await database.asSystem('heartbeats belong to no organisation', async (tx) => {
    const { rows } = await sql<{ worker_id: string }>`
      delete from app.job_workers where keeper_id = ${keeperId} returning worker_id
    `.execute(tx)
    if (rows.length === 0) return
    await sql`select graphile_worker.force_unlock_workers(${rows.map(({ worker_id }) => worker_id)}::text[])`.execute(
      tx,
    )
  })
}

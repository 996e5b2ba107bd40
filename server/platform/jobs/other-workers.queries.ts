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

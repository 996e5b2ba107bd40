import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Shortcoming } from '../health/run-checks.ts'

// As long as a worker may miss its heartbeats before its jobs are taken from it.
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

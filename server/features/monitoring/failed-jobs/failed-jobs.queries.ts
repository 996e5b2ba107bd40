import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

interface FailedJobRow {
  readonly id: string
  readonly name: string
  readonly attempts: number
  readonly lastError: string | null
  readonly createdAt: Date
  readonly failedAt: Date
  /** `failedAt` as PostgreSQL writes it, which keeps the microseconds. */
  readonly place: string
}

/** Where a page ends. */
export interface JobPlace {
  readonly failedAt: string
  readonly id: string
}

const hasFailed = sql`j.attempts >= j.max_attempts and j.locked_at is null`
const matches = (search: string) =>
  search === ''
    ? sql`true`
    : sql`(strpos(lower(j.task_identifier), ${search}) > 0 or strpos(lower(j.last_error), ${search}) > 0)`

interface Wanted {
  /** In lower case; empty: all. */
  readonly search: string
  readonly isOldestFirst: boolean
  readonly after: JobPlace | undefined
  readonly limit: number
}

export async function listFailedJobs(tx: SystemTx, { search, isOldestFirst, after, limit }: Wanted) {
  const place = after && sql`(${after.failedAt}::timestamptz, ${after.id}::bigint)`
  const beyond = isOldestFirst ? sql`>` : sql`<`
  const direction = isOldestFirst ? sql`asc` : sql`desc`
  const { rows } = await sql<FailedJobRow>`
    select j.id::text as id, j.task_identifier as name, j.attempts, j.last_error as "lastError",
      j.created_at as "createdAt", j.updated_at as "failedAt", j.updated_at::text as place
    from graphile_worker.jobs j
    where ${hasFailed} and ${matches(search)} and ${place ? sql`(j.updated_at, j.id) ${beyond} ${place}` : sql`true`}
    order by j.updated_at ${direction}, j.id ${direction} limit ${limit}
  `.execute(tx)
  return rows
}

export async function countFailedJobs(tx: SystemTx, search: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from graphile_worker.jobs j where ${hasFailed} and ${matches(search)}
  `.execute(tx)
  return rows[0]?.n ?? 0
}

/** A failed job's name; undefined: it isn't among the failed ones. */
export async function findFailedJob(tx: SystemTx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select j.task_identifier as name from graphile_worker.jobs j where j.id = ${id}::bigint and ${hasFailed}
  `.execute(tx)
  return rows[0]?.name
}

/** Gives failed jobs all their attempts again, from now on. */
export async function retryJob(tx: SystemTx, id: string): Promise<number> {
  const { rows } = await sql`
    select from graphile_worker.reschedule_jobs(array[${id}::bigint], run_at => now(), attempts => 0)
  `.execute(tx)
  return rows.length
}

/** As {@link retryJob}, for at most so many that match. */
export async function retryJobs(tx: SystemTx, search: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from graphile_worker.reschedule_jobs(
      array(select j.id from graphile_worker.jobs j where ${hasFailed} and ${matches(search)} order by j.id limit ${limit}),
      run_at => now(), attempts => 0)
  `.execute(tx)
  return rows[0]?.n ?? 0
}

export async function deleteJob(tx: SystemTx, id: string): Promise<number> {
  const { rows } = await sql`select from graphile_worker.complete_jobs(array[${id}::bigint])`.execute(tx)
  return rows.length
}

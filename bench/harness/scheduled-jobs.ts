import { setTimeout as pause } from 'node:timers/promises'
import type { BenchServer } from './server.ts'

/** Milliseconds until a job has run. @throws when it fails. */
export async function runJob({ sql }: BenchServer, name: string): Promise<number> {
  // One that failed on kept data, before what it does was changed, says nothing of now.
  await sql.query(
    'select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = $1 and last_error is not null',
    [name],
  )
  const startedAt = performance.now()
  await sql.query('select app.enqueue_job($1, $2)', [name, '{}'])
  for (;;) {
    const { rows } = await sql.query<{ error: string | null }>(
      'select last_error as error from graphile_worker.jobs where task_identifier = $1',
      [name],
    )
    const failure = rows.find(({ error }) => error !== null)
    if (failure) throw new Error(`${name}: ${failure.error}`)
    if (rows.length === 0) return performance.now() - startedAt
    await pause(5)
  }
}

/** Jobs that run by themselves; not backups, which would copy the data. */
async function listScheduledJobs({ sql }: BenchServer): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `select distinct identifier as name from graphile_worker._private_known_crontabs
     where identifier not in ('make_backup', 'drill_restore') order by 1`,
  )
  return rows.map(({ name }) => name)
}

/**
 * Runs each scheduled job once on each server.
 *
 * @returns the milliseconds of those that take half a second or longer on one of them; all are told while they run.
 */
export async function measureScheduledJobs(
  servers: readonly [BenchServer, ...BenchServer[]],
): Promise<{ name: string; times: number[] }[]> {
  const slow: { name: string; times: number[] }[] = []
  for (const name of await listScheduledJobs(servers[0])) {
    const times: number[] = []
    for (const server of servers) times.push(await runJob(server, name))
    process.stderr.write(`job ${name}: ${times.map((ms) => ms.toFixed(0)).join(', ')} ms\n`)
    if (Math.max(...times) >= 500) slow.push({ name, times })
  }
  return slow
}

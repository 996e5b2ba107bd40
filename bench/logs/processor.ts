import { readFileSync } from 'node:fs'
import type pg from 'pg'

/** Milliseconds that this process of the machine has run on a core until now. On Linux only: it reads `/proc`. */
function readOwnMs(pid: number): number {
  try {
    // Nanoseconds on the core, nanoseconds waiting for one, turns.
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    // It has ended.
    return 0
  }
}

/** Processor time of the database's processes that serve queries: what other work on the machine does not lengthen. */
export async function readDatabaseMs(sql: pg.Client): Promise<number> {
  const { rows } = await sql.query<{ pid: number }>(
    `select pid from pg_stat_activity where pid <> pg_backend_pid() and backend_type in ('client backend', 'parallel worker')`,
  )
  return rows.reduce((sum, { pid }) => sum + readOwnMs(pid), 0)
}

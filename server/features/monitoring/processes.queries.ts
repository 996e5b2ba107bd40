import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Outer, Row, RowAs } from '#server/platform/database/row.ts'

type ProcessRow = Row<'app.monitored_processes', 'id' | 'services' | 'host' | 'pid'> &
  RowAs<
    'app.monitored_processes',
    { appVersion: 'app_version'; nodeVersion: 'node_version'; startedAt: 'started_at'; lastSeenAt: 'last_seen_at' }
  > &
  Outer<
    RowAs<
      'app.process_minutes',
      {
        delayMs: 'delay_ms'
        cpuPercent: 'cpu_percent'
        memoryBytes: 'memory_bytes'
        diskFreePercent: 'disk_free_percent'
      }
    >
  > & { readonly isRunning: boolean }

/** Processes of the last day with their latest minute, running ones first. */
export async function listProcesses(tx: SystemTx, limit: number): Promise<ProcessRow[]> {
  const { rows } = await sql<ProcessRow>`
    select p.id, p.services, p.host, p.pid, p.app_version as "appVersion", p.node_version as "nodeVersion",
      p.started_at as "startedAt", p.last_seen_at as "lastSeenAt", m.delay_ms as "delayMs",
      m.cpu_percent as "cpuPercent", m.memory_bytes as "memoryBytes", m.disk_free_percent as "diskFreePercent",
      p.ended_at is null and p.last_seen_at > now() - interval '3 minutes' as "isRunning"
    from app.monitored_processes p
    left join lateral (
      select * from app.process_minutes m where m.process_id = p.id order by m.minute desc limit 1) m on true
    where p.last_seen_at > now() - interval '1 day'
    order by "isRunning" desc, p.last_seen_at desc, p.id limit ${limit}
  `.execute(tx)
  return rows
}

interface SlowQueryRow {
  readonly query: string
  readonly calls: number | null
  readonly ms: number
}

/** Statements by the server's statistics, slowest first. Undefined: the server has no pg_stat_statements. */
export async function listSlowStatements(
  tx: SystemTx,
  { minMs, limit }: { minMs: number; limit: number },
): Promise<SlowQueryRow[] | undefined> {
  const { rows: found } = await sql`select from pg_extension where extname = 'pg_stat_statements'`.execute(tx)
  if (found.length === 0) return undefined
  const { rows } = await sql<SlowQueryRow>`
    select query, calls, mean_ms as ms from app.list_slow_statements(${minMs}::float8, ${limit}::integer)
  `.execute(tx)
  return rows
}

/** Queries that run for long at this moment, longest first. */
export async function listRunningQueries(tx: SystemTx, seconds: number, limit: number): Promise<SlowQueryRow[]> {
  const { rows } = await sql<SlowQueryRow>`
    select query, null::bigint as calls, running_ms as ms from app.list_running_queries(${seconds}) limit ${limit}
  `.execute(tx)
  return rows
}

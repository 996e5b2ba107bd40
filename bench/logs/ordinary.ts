import { setTimeout as pause } from 'node:timers/promises'
import { startLogWriter } from '#server/features/logs/log-writer.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { findWaitingLines } from '#server/platform/log/waiting-lines.ts'
import { makeLogLine } from '../harness/log-lines.ts'
import { startBenchServer } from '../harness/server.ts'
import { printTable } from '../harness/table.ts'

const ordinarySeconds = Number(process.env.BENCH_ORDINARY_SECONDS ?? 60)
const mostCorePercent = 1
/** 1,000,000 lines a day. */
const ordinaryLinesPerSecond = 12
const silent = createLog({ level: 'silent' })

/** What storing the lines of ordinary load costs, in the process and in the database. */
export async function measureOrdinary(): Promise<void> {
  const server = await startBenchServer({ SERVICES: 'web' })
  const database = openDatabase({ url: server.databaseUrl, log: silent, maxConnections: 1 })
  const log = createLog({ level: 'info', destination: { write: () => {} } })
  const waiting = findWaitingLines(log)
  if (!waiting) throw new Error('the log keeps no lines')
  try {
    const without = await writeLines()
    await server.sql.query('create extension if not exists pg_stat_statements')
    const writer = startLogWriter({
      ...{ database, waiting, log, process: 'bench:1', yielding: { run: (work) => work() } },
      limits: { days: 14, maxBytes: 1e12 },
    })
    await pause(2_000)
    await server.sql.query('select pg_stat_statements_reset()')
    const withWriter = await writeLines()
    const { rows } = await server.sql.query<{ ms: number }>(
      `select coalesce(sum(total_exec_time + total_plan_time), 0)::float8 as ms from pg_stat_statements
       where query not ilike '%pg_stat_statements%'`,
    )
    await writer.stop()
    const own = Math.max(0, withWriter - without)
    const databasePercent = (rows[0]?.ms ?? 0) / 10 / ordinarySeconds
    process.stdout.write(
      `\nOrdinary load: ${ordinaryLinesPerSecond} lines a second (1,000,000 a day) for ${ordinarySeconds} s.\n\n`,
    )
    const row = (what: string, figure: number) => [
      what,
      figure.toFixed(3),
      String(mostCorePercent),
      figure <= mostCorePercent ? 'yes' : 'NO',
    ]
    printTable(
      ['what', 'figure', 'limit', 'met'],
      [
        row('writing lines without storing, % of one core', without),
        row('storing them, in the process, % of one core', own),
        row('storing them, in the database, % of one core', databasePercent),
        row('storing, both, % of one core', own + databasePercent),
      ],
    )
  } finally {
    await database.close()
    await server.stop()
  }

  /** Processor time of this process meanwhile, in percent of one core. */
  async function writeLines(): Promise<number> {
    const before = process.cpuUsage()
    for (let n = 0; n < ordinarySeconds * ordinaryLinesPerSecond; n++) {
      log.info(JSON.parse(makeLogLine(n, 1_000_000, new Date(), 400)) as object, 'a line of ordinary load')
      await pause(1_000 / ordinaryLinesPerSecond)
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 10_000 / ordinarySeconds
  }
}

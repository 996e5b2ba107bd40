/*
 * What monitoring costs: processor time of a process and of its database for each minute, and memory, with 14 days of
 * figures stored, beside the limits. Run: npm run bench -- monitoring
 */
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '#server/config.ts'
import { type Collector, startCollector } from '#server/features/monitoring/collect.ts'
import { createMonitoring } from '#server/features/monitoring/monitoring.service.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'

const minutes = Number(process.env.BENCH_MINUTES ?? 120)
const idleSeconds = Number(process.env.BENCH_IDLE_SECONDS ?? 30)
const reads = Number(process.env.BENCH_REQUESTS ?? 50)
const processes = 3
const mostCorePercent = 1
const mostMebibytes = 50
const minuteMs = 60_000

const server = await startBenchServer({ SERVICES: 'web' })
const log = createLog({ level: 'silent' })
const database = openDatabase({ url: server.databaseUrl, log, maxConnections: 2 })
let collector: Collector | undefined
try {
  await fillFortnight()
  await database.ping()
  const idleBefore = await measureIdle()
  const memoryBefore = readMemory()
  const config = { ...loadConfig({ APP_URL: server.url, DATA_DIR: server.dataDir }), databaseUrl: server.databaseUrl }
  collector = startCollector({ config, database, log }, { web: true, worker: true })
  const idleWith = await measureIdle()
  const { ownMs, databaseMs } = await measureMinutes(collector)
  const ownPercent = Math.max(0, idleWith - idleBefore) + (100 * ownMs) / minuteMs
  const databasePercent = (100 * databaseMs) / minuteMs
  const mebibytes = Math.max(0, readMemory() - memoryBefore) / 1024 ** 2
  process.stdout.write(
    `\nMonitoring of ${processes} processes, with 14 days of figures; ${minutes} minutes measured.\n\n`,
  )
  printTable(
    ['what', 'figure', 'limit', 'met'],
    [
      row('processor time of a process, % of one core', ownPercent, mostCorePercent),
      row('processor time of the database for a minute, % of one core', databasePercent, mostCorePercent),
      row('both, % of one core', ownPercent + databasePercent, mostCorePercent),
      row('memory of a process, MiB', mebibytes, mostMebibytes),
      ['14 days of figures, MiB', (await readStoredMebibytes()).toFixed(1), '', ''],
      ['current figures read, p95 ms', (await timeReads((monitoring) => monitoring.readNow())).toFixed(1), '', ''],
      ['14 days read, p95 ms', (await timeReads((monitoring) => monitoring.readHistory(336))).toFixed(1), '', ''],
    ],
  )
} finally {
  await collector?.stop()
  await database.close()
  await server.stop()
}

function row(what: string, figure: number, limit: number): string[] {
  return [what, figure.toFixed(3), String(limit), figure <= limit ? 'yes' : 'NO']
}

async function fillFortnight(): Promise<void> {
  await server.sql.query('create extension if not exists pg_stat_statements')
  await server.sql.query(`
    insert into app.monitored_processes
    select gen_random_uuid(), 'web', 'bench', n, '1.0.0', '24', now() from generate_series(1, ${processes}) as n;
    insert into app.process_minutes
    select date_trunc('minute', now()) - n * interval '1 minute', p.id, random(), random() * 100, 2e8, 50
    from generate_series(5, 14 * 1440) as n, app.monitored_processes p where p.host = 'bench';
    insert into app.instance_minutes
    select date_trunc('minute', now()) - n * interval '1 minute', 1e9, 10, 0, 0, 0, 0, 0, 0, 0, 1
    from generate_series(5, 14 * 1440) as n`)
  await server.sql.query('vacuum analyze app.process_minutes, app.instance_minutes')
}

/** Processor time of this process while it waits, in percent of one core. */
async function measureIdle(): Promise<number> {
  const before = process.cpuUsage()
  await pause(idleSeconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 10_000 / idleSeconds
}

/** Mean processor time of this process, and time that the database worked, for one minute's figures. */
async function measureMinutes({ collect }: Collector): Promise<{ ownMs: number; databaseMs: number }> {
  let ownMs = 0
  let databaseMs = 0
  for (let minute = 0; minute < minutes; minute += 1) {
    // Without the rows of this minute, it is measured again.
    await server.sql.query(`
      delete from app.instance_minutes where minute > now() - interval '2 minutes';
      delete from app.process_minutes where minute > now() - interval '2 minutes'`)
    await server.sql.query('select pg_stat_statements_reset()')
    const before = process.cpuUsage()
    await collect()
    const { user, system } = process.cpuUsage(before)
    ownMs += (user + system) / 1000
    const { rows } = await server.sql.query<{ ms: number }>(
      'select sum(total_exec_time + total_plan_time)::float8 as ms from pg_stat_statements',
    )
    databaseMs += rows[0]?.ms ?? 0
  }
  return { ownMs: ownMs / minutes, databaseMs: databaseMs / minutes }
}

function readMemory(): number {
  globalThis.gc?.()
  return process.memoryUsage.rss()
}

async function readStoredMebibytes(): Promise<number> {
  const { rows } = await server.sql.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(t))::float8 as bytes
     from unnest(array['app.process_minutes', 'app.instance_minutes']::regclass[]) as t`,
  )
  return (rows[0]?.bytes ?? 0) / 1024 ** 2
}

async function timeReads(read: (monitoring: ReturnType<typeof createMonitoring>) => Promise<unknown>): Promise<number> {
  const monitoring = createMonitoring(database)
  const durations: number[] = []
  for (let request = 0; request < reads; request += 1) {
    const before = performance.now()
    await read(monitoring)
    durations.push(performance.now() - before)
  }
  return percentile(durations, 0.95)
}

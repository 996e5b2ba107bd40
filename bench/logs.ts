/*
 * The stored log: searches of a superadmin over a day of 1,000,000 lines (1 GB), beside the limit of 200 ms and beside grep over the
 * same lines as a file; what storing costs at ordinary load; requests per second and memory under a flood of lines, beside a server that
 * stores none. Run: npm run bench -- logs
 */
import { execFile } from 'node:child_process'
import { createWriteStream, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startLogWriter } from '#server/features/logs/log-writer.ts'
import { readLine, type StoredLine } from '#server/features/logs/read-line.ts'
import { storeLines } from '#server/features/logs/writer.queries.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { createLog } from '#server/platform/log/log.ts'
import { findWaitingLines } from '#server/platform/log/waiting-lines.ts'
import { createUser } from '#server/testing/builders.ts'
import { makeLogLine } from './harness/log-lines.ts'
import { signIn } from './harness/owner.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { median, percentile, printTable } from './harness/table.ts'

const linesADay = Number(process.env.BENCH_LINES ?? 1_000_000)
const days = Number(process.env.BENCH_DAYS ?? 1)
const requests = Number(process.env.BENCH_REQUESTS ?? 40)
const lineCharacters = Number(process.env.BENCH_LINE_CHARACTERS ?? 1_000)
const seconds = Number(process.env.BENCH_SECONDS ?? 10)
const ordinarySeconds = Number(process.env.BENCH_ORDINARY_SECONDS ?? 60)
const rounds = 3
const limitMs = 200
const mostCorePercent = 1
/** 1,000,000 lines a day. */
const ordinaryLinesPerSecond = 12
const dayMs = 86_400_000
const silent = createLog({ level: 'silent' })

await measureSearches()
await measureOrdinary()
await measureFlood()

async function measureSearches(): Promise<void> {
  const server = await startBenchServer({ SERVICES: 'web', LOG_MAX_MB: '1000000' })
  const database = openDatabase({ url: server.databaseUrl, log: silent, maxConnections: 1 })
  try {
    const file = join(server.dataDir, 'lines.ndjson')
    const { requestId, lastDay, perLine } = await fill(server, database, file)
    const token = await signIn(server, (await createUser(server.sql)).email)
    const range = { from: lastDay.toISOString(), to: new Date(lastDay.getTime() + dayMs).toISOString() }
    const cases: Readonly<Record<string, { query: Readonly<Record<string, string>>; grep?: string }>> = {
      'latest lines': { query: {} },
      'a word that all lines have': { query: { search: 'route' }, grep: 'route' },
      'part of a frequent word': { query: { search: 'ailab' }, grep: 'ailab' },
      'a rare word, 1 of 1,000 lines': { query: { search: 'quetzalcoatl' }, grep: 'quetzalcoatl' },
      'a rare word, 1 of 50,000 lines': { query: { search: 'xylophone' }, grep: 'xylophone' },
      'a word only of the first hours': { query: { search: 'econnrefused' }, grep: 'econnrefused' },
      'an absent word': { query: { search: 'marmalade' }, grep: 'marmalade' },
      'two frequent words of different lines': { query: { search: 'stored refused' } },
      'a phrase whose words all lines have': { query: { search: '"connect route"' }, grep: 'connect route' },
      'a single letter': { query: { search: 'q' } },
      'warnings and above': { query: { level: 'warn' } },
      'fatal lines': { query: { level: 'fatal' } },
      'fatal lines of an absent process': { query: { level: 'fatal', process: 'nowhere:1' } },
      'a request id': { query: { requestId }, grep: requestId },
      'a request id as a word': { query: { search: requestId }, grep: requestId },
      'rare word, errors, process': { query: { search: 'xylophone', level: 'error', process: 'bench:1' } },
      'frequent word, fatal, process': { query: { search: 'delivery', level: 'fatal', process: 'bench:1' } },
    }
    const rows: string[][] = []
    for (const [name, { query, grep }] of Object.entries(cases)) {
      const { durations, found, calls } = await timeSearch(server, token, { ...range, ...query })
      const grepMs = grep === undefined ? undefined : await timeGrep(file, grep)
      const p95 = percentile(durations, 0.95)
      rows.push([
        name,
        String(found),
        median(durations).toFixed(1),
        p95.toFixed(1),
        (p95 / limitMs).toFixed(2),
        String(calls),
        grepMs === undefined ? '' : grepMs.toFixed(0),
        grepMs === undefined ? '' : `${(grepMs / p95).toFixed(0)}×`,
      ])
    }
    process.stdout.write(
      `\n${days} ${days === 1 ? 'day' : 'days'} of ${linesADay.toLocaleString('en')} lines, ${lineCharacters} characters each; the last day is searched, ${requests} requests each.\n` +
        `${(statSync(file).size / 1e6).toFixed(0)} MB as a file; stored: ${await describeSizes(server)}\n${perLine}\n\n`,
    )
    printTable(
      ['search', 'lines', 'p50 ms', 'p95 ms', 'of 200 ms', 'calls to the end', 'grep ms', 'faster than grep'],
      rows,
    )
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Lines of whole days up to the last midnight, oldest first, through the writer's own steps. */
async function fill(server: BenchServer, database: Database, path: string) {
  const file = createWriteStream(path)
  const lastDay = new Date(Math.floor(Date.now() / dayMs) * dayMs - dayMs)
  const firstMs = lastDay.getTime() - (days - 1) * dayMs
  const known = new Set<string>()
  let requestId = ''
  let ownMs = 0
  let storeMs = 0
  for (let n = 0; n < days * linesADay; n += 500) {
    const lines: StoredLine[] = []
    const startedAtMs = performance.now()
    for (let index = n; index < n + 500; index++) {
      const atMs = firstMs + (index / linesADay) * dayMs
      const text = makeLogLine(index % linesADay, linesADay, new Date(atMs), lineCharacters)
      if (index >= (days - 1) * linesADay) file.write(`${text}\n`)
      const line = readLine(text, `bench:${index % 3}`, atMs)
      lines.push(line)
      if (index === Math.floor((days - 0.5) * linesADay)) requestId = line.requestId ?? ''
    }
    const words = [...new Set(lines.flatMap((line) => line.words))].filter((word) => !known.has(word))
    for (const word of words) known.add(word)
    const readAtMs = performance.now()
    await database.asSystem('a benchmark', async (tx) => {
      await skipFlush(tx)
      await storeLines(tx, 'bench:1', lines, words)
    })
    ownMs += readAtMs - startedAtMs
    storeMs += performance.now() - readAtMs
    if (file.writableNeedDrain) await new Promise<void>((resolve) => file.once('drain', resolve))
  }
  await new Promise<void>((resolve) => file.end(resolve))
  const count = days * linesADay
  await server.sql.query('vacuum analyze app.app_logs, app.log_blocks, app.log_words')
  return {
    requestId,
    lastDay,
    perLine: `A line: ${((ownMs * 1000) / count).toFixed(0)} µs to make and read it, ${((storeMs * 1000) / count).toFixed(0)} µs to store it.`,
  }
}

async function describeSizes({ sql }: BenchServer): Promise<string> {
  const { rows } = await sql.query<{ lines: number; words: number; other: number }>(`
    select sum(pg_table_size(relid))::float8 as lines,
      (select sum(pg_relation_size(i.indexrelid)) from pg_index i join pg_am a on a.amname = 'gin'
         join pg_class c on c.oid = i.indexrelid and c.relam = a.oid and c.relnamespace = 'logs'::regnamespace)::float8 as words,
      sum(pg_indexes_size(relid))::float8 as other
    from pg_partition_tree('app.app_logs') where isleaf`)
  const { lines = 0, words = 0, other = 0 } = rows[0] ?? {}
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  return `lines ${mb(lines)}, index of words ${mb(words)}, other indexes ${mb(other - words)}.`
}

/** @returns how long the first answer takes, and calls until the search is complete or a page is full. */
async function timeSearch({ url }: BenchServer, token: string, query: Readonly<Record<string, string>>) {
  const durations: number[] = []
  let found = 0
  let mostCalls = 0
  for (let request = 0; request < requests + 3; request++) {
    let before: string | null = null
    let foundNow = 0
    let calls = 0
    do {
      const search = new URLSearchParams({ ...query, ...(before !== null && { before }) })
      const startedAtMs = performance.now()
      const reply = await fetch(`${url}/api/v1/superadmin/logs?${search}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${search} answered ${reply.status} ${text}`)
      // The first requests warm the database's cache.
      if (request >= 3 && calls === 0) durations.push(performance.now() - startedAtMs)
      const page = JSON.parse(text) as { items: unknown[]; olderThan: string | null; searchedTo: string | null }
      foundNow += page.items.length
      calls += 1
      before = page.searchedTo === null ? null : page.olderThan
    } while (before !== null && request < 4)
    found = Math.max(found, foundNow)
    mostCalls = Math.max(mostCalls, calls)
  }
  return { durations, found, calls: mostCalls }
}

/** As an operator would: the last 100 lines that contain it, whatever the case. */
async function timeGrep(file: string, words: string): Promise<number> {
  const durations: number[] = []
  for (let round = 0; round < 3; round++) {
    const startedAtMs = performance.now()
    await promisify(execFile)('sh', ['-c', 'grep -iF -- "$1" "$2" | tail -n 100', 'sh', words, file], {
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 100_000_000,
    })
    durations.push(performance.now() - startedAtMs)
  }
  return median(durations)
}

async function measureOrdinary(): Promise<void> {
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

/** At LOG_LEVEL=debug each call of the API writes some lines: more than can be stored. */
async function measureFlood(): Promise<void> {
  const settings = { SERVICES: 'web', LOG_LEVEL: 'debug' }
  const kinds = { without: { ...settings, LOG_DAYS: '0' }, storing: settings } as const
  const rates: Record<keyof typeof kinds, number[]> = { without: [], storing: [] }
  const memory: Record<keyof typeof kinds, number[]> = { without: [], storing: [] }
  let flood = ''
  for (let round = 0; round < rounds; round++) {
    for (const [kind, env] of Object.entries(kinds) as [keyof typeof kinds, Record<string, string>][]) {
      const server = await startBenchServer(env)
      try {
        const token = await signIn(server, (await createUser(server.sql)).email)
        await sendCalls(server, token, 2)
        const before = await readStored(server)
        rates[kind].push(await sendCalls(server, token, seconds))
        memory[kind].push(readPeakMemory(server.pid))
        if (kind === 'storing') {
          await pause(2_000)
          const stored = (await readStored(server)) - before
          flood = `${(stored / seconds).toFixed(0)} lines a second were stored`
        }
      } finally {
        await server.stop()
      }
    }
  }
  const [without, storing] = [median(rates.without), median(rates.storing)]
  process.stdout.write(
    `\nA flood of lines (LOG_LEVEL=debug, 16 callers, ${seconds} s, ${rounds} rounds); ${flood}.\n\n`,
  )
  printTable(
    ['server', 'calls a second', 'ratio', 'peak memory MB'],
    [
      ['stores no lines', without.toFixed(0), '1', (median(memory.without) / 1e6).toFixed(0)],
      ['stores lines', storing.toFixed(0), (storing / without).toFixed(2), (median(memory.storing) / 1e6).toFixed(0)],
    ],
  )
}

async function sendCalls({ url }: BenchServer, token: string, forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1000
  let count = 0
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (performance.now() < until) {
        const reply = await fetch(`${url}/api/v1/superadmin/users?limit=1`, {
          headers: { authorization: `Bearer ${token}` },
        })
        await reply.arrayBuffer()
        if (!reply.ok) throw new Error(`the call answered ${reply.status}`)
        count += 1
      }
    }),
  )
  return count / forSeconds
}

async function readStored({ sql }: BenchServer): Promise<number> {
  const { rows } = await sql.query<{ n: string }>('select count(*) as n from app.app_logs')
  return Number(rows[0]?.n ?? 0)
}

/** Of the process and its children: the largest. */
function readPeakMemory(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const peaks = [String(pid), ...children].map((each) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8')
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
  })
  return Math.max(...peaks)
}

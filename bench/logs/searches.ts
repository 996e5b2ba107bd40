import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'
import { loadavg } from 'node:os'
import { promisify } from 'node:util'
import { createUser } from '#server/testing/builders.ts'
import { signIn } from '../harness/owner.ts'
import { type BenchServer, startBenchServer } from '../harness/server.ts'
import { median, percentile, printTable } from '../harness/table.ts'
import { days, fillLog, lineCharacters, linesADay } from './fill.ts'
import { readDatabaseMs } from './processor.ts'

const requests = Number(process.env.BENCH_REQUESTS ?? 40)
const limitMs = 200
/** The first requests warm the database's cache. */
const warmUps = 3
/** Always the same work: when it takes longer, the machine is busy with other things. */
const peer = 'select sum(hashint8(n)) from generate_series(1, 100000) n'

interface Case {
  readonly query: Readonly<Record<string, string>>
  /** What grep looks for. */
  readonly grep?: string
}

/** How long searches of a superadmin take, beside the limit, beside grep over the same lines, and beside a fixed statement. */
export async function measureSearches(): Promise<void> {
  const server = await startBenchServer({ SERVICES: 'web', LOG_MAX_MB: '1000000' }, 'logs')
  try {
    const { file, from, to, requestId, perLine } = await fillLog(server)
    await server.sql.query('create extension if not exists pg_stat_statements')
    const user = await createUser(server.sql)
    // In a kept database an earlier run's user was the first.
    await server.sql.query('insert into app.superadmins (user_id) values ($1) on conflict do nothing', [user.id])
    const token = await signIn(server, user.email)
    const range = { from: from.toISOString(), to: to.toISOString() }
    const rows: string[][] = []
    const peers: number[] = []
    for (const [name, { query, grep }] of Object.entries(makeCases(requestId))) {
      const timed = await timeSearch(server, token, { ...range, ...query })
      peers.push(...timed.peers)
      rows.push([name, ...describeTimes(timed), ...(await describeGrep(file, grep, percentile(timed.durations, 0.95)))])
    }
    process.stdout.write(
      `\n${days} ${days === 1 ? 'day' : 'days'} of ${linesADay.toLocaleString('en')} lines, ${lineCharacters} characters each; the last day is searched, ${requests} requests each.\n` +
        `${(statSync(file).size / 1e6).toFixed(0)} MB as a file; stored: ${await describeSizes(server)}\n` +
        (perLine === undefined ? '' : `${perLine}\n`) +
        `The peer is one statement, always the same, before each request: p50 ${median(peers).toFixed(1)} ms, p95 ${percentile(peers, 0.95).toFixed(1)} ms in this run; load average ${loadavg()
          .map((each) => each.toFixed(1))
          .join(', ')}.\n\n`,
    )
    printTable(
      [
        ...['search', 'lines', 'p50 ms', 'p95 ms', 'of 200 ms', 'peer p50', 'peer p95', 'executing ms', 'processor ms'],
        ...['calls to the end', 'grep ms', 'faster than grep'],
      ],
      rows,
    )
  } finally {
    await server.stop()
  }
}

function makeCases(requestId: string): Readonly<Record<string, Case>> {
  return {
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
    'signs that no line has': { query: { search: '§§§' } },
    'hostile: twelve patterns of wildcards': {
      query: { search: Array.from({ length: 12 }, (_, n) => `%_%\\${'%a'.repeat(n + 8)}`).join(' ') },
    },
    'warnings and above': { query: { level: 'warn' } },
    'fatal lines': { query: { level: 'fatal' } },
    'fatal lines of an absent process': { query: { level: 'fatal', process: 'nowhere:1' } },
    'a request id': { query: { requestId }, grep: requestId },
    'a request id as a word': { query: { search: requestId }, grep: requestId },
    'rare word, errors, process': { query: { search: 'xylophone', level: 'error', process: 'bench:1' } },
    'frequent word, fatal, process': { query: { search: 'delivery', level: 'fatal', process: 'bench:1' } },
  }
}

interface Timed {
  /** Until the first answer, in milliseconds. */
  readonly durations: readonly number[]
  readonly peers: readonly number[]
  /** Of the database for one request: what EXPLAIN (ANALYZE) calls planning and execution, of all its statements together. */
  readonly executingMs: number
  readonly processorMs: number
  readonly found: number
  /** Until the search is complete or a page is full. */
  readonly calls: number
}

async function timeSearch(server: BenchServer, token: string, query: Readonly<Record<string, string>>): Promise<Timed> {
  const whole = await searchToTheEnd(server, token, query)
  for (let n = 1; n < warmUps; n++) await askPage(server, token, query)
  const durations: number[] = []
  const peers: number[] = []
  await server.sql.query('select pg_stat_statements_reset()')
  const processorBefore = await readDatabaseMs(server.sql)
  for (let n = 0; n < requests; n++) {
    // On the connection of the measurement, whose processor time does not count.
    peers.push(await time(() => server.sql.query(peer)))
    durations.push(await time(() => askPage(server, token, query)))
  }
  const processorMs = ((await readDatabaseMs(server.sql)) - processorBefore) / requests
  const { rows } = await server.sql.query<{ ms: number }>(
    `select coalesce(sum(total_exec_time + total_plan_time), 0)::float8 as ms from pg_stat_statements where query like '%app.log\\_%' or query like '%app.app\\_logs%'`,
  )
  return { durations, peers, executingMs: (rows[0]?.ms ?? 0) / requests, processorMs, ...whole }
}

interface Page {
  readonly items: readonly unknown[]
  readonly olderThan: string | null
  readonly searchedTo: string | null
}

async function askPage({ url }: BenchServer, token: string, query: Readonly<Record<string, string>>): Promise<Page> {
  const search = new URLSearchParams(query)
  const reply = await fetch(`${url}/api/v1/superadmin/logs?${search}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${search} answered ${reply.status} ${text}`)
  // Our own server's answer, by its contract.
  return JSON.parse(text) as Page
}

async function searchToTheEnd(server: BenchServer, token: string, query: Readonly<Record<string, string>>) {
  let found = 0
  let calls = 0
  let before: string | null = null
  do {
    const page: Page = await askPage(server, token, { ...query, ...(before !== null && { before }) })
    found += page.items.length
    calls += 1
    before = page.searchedTo === null ? null : page.olderThan
  } while (before !== null)
  return { found, calls }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now()
  await work()
  return performance.now() - startedAtMs
}

function describeTimes({ durations, peers, executingMs, processorMs, found, calls }: Timed): string[] {
  const p95 = percentile(durations, 0.95)
  const figures = [median(durations), p95].map((ms) => ms.toFixed(1))
  const others = [median(peers), percentile(peers, 0.95), executingMs, processorMs].map((ms) => ms.toFixed(1))
  return [String(found), ...figures, (p95 / limitMs).toFixed(2), ...others, String(calls)]
}

/** As an operator would: the last 100 lines that contain it, whatever the case. */
async function describeGrep(file: string, words: string | undefined, p95: number): Promise<string[]> {
  if (words === undefined) return ['', '']
  const durations: number[] = []
  for (let round = 0; round < 3; round++) {
    const grep = promisify(execFile)('sh', ['-c', 'grep -iF -- "$1" "$2" | tail -n 100', 'sh', words, file], {
      env: { ...process.env, LC_ALL: 'C' },
      maxBuffer: 100_000_000,
    })
    durations.push(await time(() => grep))
  }
  return [median(durations).toFixed(0), `${(median(durations) / p95).toFixed(0)}×`]
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

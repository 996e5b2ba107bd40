/*
 * Durable ingest: submissions accepted per second over HTTP, each answered only after its commit, beside pgbench that
 * inserts the same rows one by one, into the same table and into a bare one. Run: npm run bench -- ingest
 */
import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createProject, createUser } from '#server/testing/builders.ts'
import { insertSingly } from './harness/insert-singly.ts'
import { runSenders } from './harness/run-senders.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { makeSubmission, variants } from './harness/submissions.ts'
import { median, printTable } from './harness/table.ts'
import type { SendResult } from './send-submissions.ts'

const connectionCounts = [64, 256]
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 10_000)
/** Of the rows per second of the peer that inserts into the same table. */
const target = 1
/** Of those of the peer that inserts into a table with nothing but a primary key. */
const bareTargets = new Map([
  [64, 0.35],
  [256, 0.6],
])

interface Place {
  readonly organizationId: string
  readonly projectId: string
  readonly widgetKey: string
  readonly domain: string
}

const server = await startBenchServer()
try {
  await checkDurable(server)
  const place = await makePlace(server)
  const peer = findPgbench() ? runPgbench : insertSingly
  const rows: string[][] = []
  for (const connections of connectionCounts) {
    const ours: SendResult[] = []
    const theirs: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      await empty(server)
      const { widgetKey, domain } = place
      const origin = `https://${domain}`
      ours.push(await runSenders({ port: server.port, widgetKey, origin, connections, warmUpMs, measureMs }))
      await checkStored(server)
      await empty(server)
      const task = { databaseUrl: server.databaseUrl, clients: connections, warmUpMs, measureMs }
      theirs.push(await peer({ ...task, inserts: makeInserts(place, 'public.feedback') }))
      await empty(server)
      bare.push(await peer({ ...task, inserts: makeInserts(place, 'public.bench_bare') }))
    }
    rows.push(toRow(connections, ours, theirs, bare))
  }
  process.stdout.write(
    `\nDurable ingest, 1 kB bodies, median of ${rounds} rounds of ${measureMs / 1000} s. ` +
      `Peers: single-row inserts by ${peer === runPgbench ? 'pgbench' : 'a driver in Node (pgbench is not installed)'}, ` +
      'into the same table and into one with nothing but a primary key.\n\n',
  )
  printTable(
    [
      ...[
        'connections',
        'accepted/s',
        'same table, rows/s',
        'ratio',
        'target',
        'bare table, rows/s',
        'ratio',
        'target',
      ],
      ...['p50 ms', 'p99 ms', 'senders’ cores', 'not 201'],
    ],
    rows,
  )
} finally {
  await server.stop()
}

function toRow(
  connections: number,
  ours: readonly SendResult[],
  theirs: readonly number[],
  bare: readonly number[],
): string[] {
  const accepted = median(ours.map((result) => result.accepted / result.seconds))
  const inserted = median(theirs)
  const refused = ours.flatMap((result) => Object.values(result.other)).reduce((sum, count) => sum + count, 0)
  return [
    String(connections),
    accepted.toFixed(0),
    inserted.toFixed(0),
    (accepted / inserted).toFixed(2),
    `≥ ${target.toFixed(1)}`,
    median(bare).toFixed(0),
    (accepted / median(bare)).toFixed(2),
    `≥ ${bareTargets.get(connections)}`,
    median(ours.map((result) => result.p50Ms)).toFixed(1),
    median(ours.map((result) => result.p99Ms)).toFixed(1),
    median(ours.map((result) => result.cpuSeconds / result.seconds)).toFixed(2),
    String(refused),
  ]
}

/** @throws when commits would not be durable: the figures would be meaningless. */
async function checkDurable({ sql }: BenchServer): Promise<void> {
  for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const { rows } = await sql.query<{ value: string }>('select current_setting($1) as value', [name])
    if (rows[0]?.value !== 'on') throw new Error(`${name} is ${rows[0]?.value}, not on`)
  }
  const { rows } = await sql.query<{ count: string }>(
    `select count(*) from pg_db_role_setting, unnest(setconfig) as s (line) where line like 'synchronous_commit=%'`,
  )
  if (rows[0]?.count !== '0') throw new Error('a role or database has a synchronous_commit of its own')
}

async function makePlace({ sql }: BenchServer): Promise<Place> {
  await sql.query(`
    create table public.bench_bare as
      select organization_id, id, project_id, number, type, source, message, rating, visitor_email, visitor_name, page_url,
        page_title, context, metadata, content_hash
      from public.feedback with no data;
    alter table public.bench_bare add primary key (organization_id, id)`)
  const { organizationId } = await createUser(sql)
  if (organizationId === undefined) throw new Error('sign-up created no organisation')
  const project = await createProject(sql, { organizationId, domain: 'shop.example.com' })
  return { organizationId, projectId: project.id, widgetKey: project.widgetKey, domain: project.domain }
}

/** The same start for every measurement. */
async function empty({ sql }: BenchServer): Promise<void> {
  await sql.query('truncate public.feedback, public.bench_bare cascade')
  await sql.query('update public.project_counters set last_number = 0, feedback_count = 0')
  await sql.query('vacuum analyze public.project_counters')
  await sql.query('checkpoint')
}

async function checkStored({ sql }: BenchServer): Promise<void> {
  const { rows } = await sql.query<{ stored: string; top: string; counted: string }>(
    `select count(*) as stored, max(number) as top, (select sum(feedback_count) from public.project_counters) as counted
     from public.feedback`,
  )
  const { stored, top, counted } = rows[0] ?? {}
  if (stored !== top || stored !== counted) throw new Error(`stored ${stored}, numbered ${top}, counted ${counted}`)
}

/** One insert per variant, with a number from a sequence: only the cost of the row. */
function makeInserts({ organizationId, projectId }: Place, table: string): string[] {
  const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
  return Array.from({ length: variants }, (_, variant) => {
    const item = makeSubmission(variant)
    const values = [
      quote(organizationId),
      'gen_random_uuid()',
      quote(projectId),
      `nextval('bench_number')`,
      quote(item.type),
      `'widget'`,
      quote(item.message),
      String(item.rating ?? 'null'),
      quote(item.email ?? ''),
      quote(item.name ?? ''),
      quote(item.page.url),
      quote(item.page.title ?? ''),
      quote(JSON.stringify(item.context)),
      quote(JSON.stringify(item.metadata)),
      `decode(repeat('ab', 32), 'hex')`,
    ]
    return (
      `insert into ${table} (organization_id, id, project_id, number, type, source, message, rating, ` +
      'visitor_email, visitor_name, page_url, page_title, context, metadata, content_hash) ' +
      `values (${values.join(', ')})`
    )
  })
}

function findPgbench(): boolean {
  return spawnSync('pgbench', ['--version'], { stdio: 'ignore' }).status === 0
}

async function runPgbench(task: {
  databaseUrl: string
  clients: number
  warmUpMs: number
  measureMs: number
  inserts: readonly string[]
}): Promise<number> {
  await server.sql.query('create sequence if not exists public.bench_number')
  const folder = mkdtempSync(join(tmpdir(), 'earshot-pgbench-'))
  try {
    const files = task.inserts.map((insert, index) => {
      const file = join(folder, `${index}.sql`)
      writeFileSync(file, `${insert};\n`)
      return ['-f', file]
    })
    const run = async (ms: number) => {
      const { stdout } = await promisify(execFile)('pgbench', [
        ...['-n', '-M', 'prepared', '-c', String(task.clients), '-j', '2', '-T', String(Math.ceil(ms / 1000))],
        ...files.flat(),
        task.databaseUrl,
      ])
      return Number(/tps = ([\d.]+) \(without initial connection time\)/.exec(stdout)?.[1])
    }
    await run(task.warmUpMs)
    return await run(task.measureMs)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

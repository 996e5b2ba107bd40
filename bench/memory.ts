/*
 * Memory of everything that `npx earshot` starts, PostgreSQL included, with 10,000 items: idle, under load, and after it. Proportional: what
 * processes share counts once, so the sum is what they occupy. On Linux. Run: npm run bench -- memory
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/start-postgres.ts'
import { settings as allSettings } from '#server/settings.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { install, pack, startPackage } from './harness/install-package.ts'
import { signIn } from './harness/owner.ts'
import { type ProcessMemory, readMemory } from './harness/processes.ts'
import { readInbox } from './harness/read-inbox.ts'
import { runSenders } from './harness/run-senders.ts'
import { printTable } from './harness/table.ts'

const items = Number(process.env.BENCH_ITEMS ?? 10_000)
const idleMs = Number(process.env.BENCH_IDLE_MS ?? 60_000)
const loadMs = Number(process.env.BENCH_MEASURE_MS ?? 20_000)
const connections = 64
const idleTarget = 300
const loadedTarget = 450

const folder = mkdtempSync(join(tmpdir(), 'earshot-bench-memory-'))
const dataDir = join(folder, 'data')
const [port = 0] = await findFreePorts(1)
const url = `http://127.0.0.1:${port}`
const ambient = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in allSettings)))
const env = {
  ...ambient,
  ...{ NODE_ENV: 'production', HOST: '127.0.0.1', PORT: String(port), APP_URL: url, DATA_DIR: dataDir },
  ...{ LOG_LEVEL: 'error', INGEST_RATE_PER_MINUTE: '1000000', API_RATE_PER_MINUTE: '1000000' },
}

try {
  const cwd = install(pack(folder), folder, env)
  await (await startPackage(cwd, url, env)).stop()
  const filled = await fill()
  const running = await startPackage(cwd, url, env)
  await pause(idleMs)
  const idle = readMemory(running.pid)
  const token = await signIn({ url }, filled.email)
  const reading = readInbox(
    { server: { url }, organizationId: filled.organizationId, token },
    { perSecond: 5, warmUpMs: 0 },
  )
  let peak = idle
  const watching = setInterval(() => {
    const now = readMemory(running.pid)
    if (sum(now) > sum(peak)) peak = now
  }, 1_000)
  const { widgetKey, domain } = filled
  const sent = await runSenders({
    port,
    widgetKey,
    origin: `https://${domain}`,
    connections,
    warmUpMs: 0,
    measureMs: loadMs,
  })
  clearInterval(watching)
  await reading.stop()
  await pause(idleMs)
  const after = readMemory(running.pid)
  await running.stop()
  process.stdout.write(
    `\nMemory of the npm package with its own PostgreSQL and ${items} items: idle for ${idleMs / 1000} s after its start; the most under load ` +
      `(${connections} connections for ${loadMs / 1000} s, ${sent.accepted} items stored, and a member’s inbox); idle again. MB.\n\n`,
  )
  const row = (what: string, pick: (all: readonly ProcessMemory[]) => number) => [
    what,
    ...[idle, peak, after].map((all) => (pick(all) / 2 ** 20).toFixed(0)),
  ]
  const part = (pattern: RegExp) => (all: readonly ProcessMemory[]) =>
    sum(all.filter(({ command }) => pattern.test(command)))
  printTable(
    ['proportional', 'idle', 'most under load', 'after it'],
    [
      row('server', part(/server-process/)),
      row('its parent, which starts it again', part(/earshot\.js/)),
      row('PostgreSQL', part(/postgres/i)),
      row('all', sum),
      ['target', `≤ ${idleTarget}`, `≤ ${loadedTarget}`, `≤ ${loadedTarget}`],
    ],
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function sum(all: readonly ProcessMemory[]): number {
  return all.reduce((total, { proportionalBytes }) => total + proportionalBytes, 0)
}

/** Writes the items into the database of the stopped product. */
async function fill() {
  const postgres = await startEmbeddedPostgres(dataDir)
  const sql = new pg.Client({ connectionString: postgres.url })
  await sql.connect()
  try {
    const { organizationId = '' } = await createUser(sql)
    const project = await createProject(sql, { organizationId, domain: 'shop.example.com' })
    const { email } = await createMember(sql, { organizationId, role: 'member' })
    await fillInbox(sql, { organizationId, projectIds: [project.id] }, items)
    await sql.query(`update public.project_counters set feedback_count = $1, last_number = $1 where project_id = $2`, [
      items,
      project.id,
    ])
    return { organizationId, email, widgetKey: project.widgetKey, domain: project.domain }
  } finally {
    await sql.end()
    await postgres.stop()
  }
}

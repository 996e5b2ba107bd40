/*
 * Exports of 100,000 items in each format: the peak memory of the writing process, the growth of the worker, and the
 * duration. Every item has an answer, tags and metadata, one in five a comment and history; for the archive, one in a
 * hundred has a picture. Run: npm run bench -- export
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Export, exportFormats } from '#contract/exports.ts'
import { findFreePorts, spawnProduct } from '../e2e/start-product.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { printTable } from './harness/table.ts'
import { makeTenant } from './harness/tenant.ts'

const count = Number(process.env.BENCH_ITEMS ?? 100_000)
const megabyte = 1024 * 1024
const targetMegabytes = 200

const dataDir = mkdtempSync(join(tmpdir(), 'earshot-bench-export-'))
let server: BenchServer | undefined
try {
  server = await startBenchServer({ SERVICES: 'web', DATA_DIR: dataDir })
  const { organizationId, token } = await makeTenant(server, async ({ server: { sql }, ...tenant }) => {
    await fillInbox(sql, tenant, count)
    await fillDetails(sql, tenant.organizationId)
  })
  const rows: string[][] = []
  for (const format of exportFormats) {
    // A new worker for each, so that none inherits the memory of the previous one.
    const worker = await startExportWorker(server)
    const idleMegabytes = readMemory(worker.pid, 'VmRSS')
    const startedAt = performance.now()
    const writer = watchWriter(worker.pid)
    const made = await take(server, organizationId, token, format)
    const seconds = (performance.now() - startedAt) / 1000
    const peakMegabytes = writer.stop()
    const growthMegabytes = readMemory(worker.pid, 'VmHWM') - idleMegabytes
    await worker.stop()
    if (made.count !== count) throw new Error(`${format} has ${made.count} items`)
    rows.push([
      format,
      peakMegabytes.toFixed(0),
      `≤ ${targetMegabytes}`,
      idleMegabytes.toFixed(0),
      growthMegabytes.toFixed(0),
      seconds.toFixed(1),
      (count / seconds).toFixed(0),
      ((made.bytes ?? 0) / megabyte).toFixed(0),
    ])
  }
  process.stdout.write(`\nExports of ${count} items.\n\n`)
  printTable(
    ['format', 'peak MB resident', 'target', 'worker MB', 'its growth', 'seconds', 'items/s', 'MB written'],
    rows,
  )
} finally {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function startExportWorker({ databaseUrl }: BenchServer): Promise<{ pid: number; stop(): Promise<void> }> {
  const [port = 0] = await findFreePorts(1)
  const product = spawnProduct({
    NODE_ENV: 'production',
    SERVICES: 'worker',
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'warn',
  })
  await product.ready
  return {
    pid: product.child.pid ?? 0,
    stop: async () => {
      product.child.kill('SIGINT')
      await product.ended
    },
  }
}

/** A memory figure of a process by its name in proc(5), in megabytes. */
function readMemory(pid: number, kind: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`${kind}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
}

/** Polls the process that writes an export: its peak can't be read after it ends. */
function watchWriter(workerPid: number): { stop(): number } {
  let peakMegabytes = 0
  const timer = setInterval(() => {
    try {
      const children = readFileSync(`/proc/${workerPid}/task/${workerPid}/children`, 'utf8').split(' ')
      for (const pid of children.filter((each) => each !== '')) {
        peakMegabytes = Math.max(peakMegabytes, readMemory(Number(pid), 'VmHWM') || 0)
      }
    } catch {
      // It has ended since.
    }
  }, 20)
  return {
    stop: () => {
      clearInterval(timer)
      if (peakMegabytes === 0) throw new Error('no writing process was found')
      return peakMegabytes
    },
  }
}

async function take(
  { url }: BenchServer,
  organizationId: string,
  token: string,
  format: Export['format'],
): Promise<Export> {
  const path = `${url}/api/v1/organizations/${organizationId}/exports`
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const id = randomUUID()
  const asked = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ id, format, selection: {} }) })
  if (asked.status !== 201) throw new Error(`${asked.status} ${await asked.text()}`)
  for (;;) {
    const made = (await (await fetch(`${path}/${id}`, { headers })).json()) as Export
    if (made.state === 'ready') return made
    if (made.state === 'failed') throw new Error(made.note ?? 'failed')
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

async function fillDetails(sql: BenchServer['sql'], organizationId: string): Promise<void> {
  await sql.query('set session_replication_role = replica')
  await sql.query(
    `update feedback set fields = '{"plan": "Professional", "agreed": true}', tags = '{checkout,mobile}',
       spam_reason = null, archived_at = null, deleted_at = null, merged_into = null,
       metadata = jsonb_build_object('release', '2026.11.' || number % 21, 'account', md5(number::text)),
       context = jsonb_build_object('language', 'en-GB', 'viewport', '1280x720', 'log', repeat(md5(number::text), 20))
     where organization_id = $1`,
    [organizationId],
  )
  await sql.query(
    `insert into feedback_comments (organization_id, id, feedback_id, kind, author_user_id, text)
     select organization_id, gen_random_uuid(), id, 'note', gen_random_uuid(), repeat('Seen and noted. ', 10)
     from feedback where organization_id = $1 and number % 5 = 0`,
    [organizationId],
  )
  await sql.query(
    `insert into feedback_events (organization_id, feedback_id, field, from_value, to_value)
     select organization_id, id, 'status', 'new', 'open' from feedback where organization_id = $1 and number % 5 = 0`,
    [organizationId],
  )
  const { rows } = await sql.query<{ storage_key: string }>(
    `with files as (
       select f.organization_id, f.id as feedback_id, f.project_id, gen_random_uuid() as id, gen_random_uuid() as key
       from feedback f where f.organization_id = $1 and f.number % 100 = 0),
     announced as (
       insert into feedback_attachments (organization_id, id, feedback_id, kind, name)
       select organization_id, id, feedback_id, 'screenshot', 'page.png' from files)
     insert into uploads (organization_id, id, project_id, state, kind, name, mime, bytes, storage_key, completed_at)
     select organization_id, id, project_id, 'ready', 'screenshot', 'page.png', 'image/png', 200000,
       organization_id || '/' || key, now()
     from files returning storage_key`,
    [organizationId],
  )
  mkdirSync(join(dataDir, 'files', organizationId), { recursive: true })
  const picture = Buffer.alloc(200_000, 7)
  for (const { storage_key } of rows) writeFileSync(join(dataDir, 'files', storage_key), picture)
  if (readdirSync(join(dataDir, 'files', organizationId)).length !== rows.length) throw new Error('files are missing')
  await sql.query('set session_replication_role = origin')
  await sql.query('vacuum analyze')
}

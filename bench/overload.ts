/*
 * Three times the submissions that the server sustains, at an even pace that no refusal slows: accepted submissions
 * beside those of full load, their latency, the inbox of a member meanwhile, a quiet project meanwhile, and memory.
 * Run: npm run bench -- overload
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createProject } from '#server/testing/builders.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { readUsage } from './harness/processes.ts'
import { readInbox } from './harness/read-inbox.ts'
import { type BenchServer, startBenchServer } from './harness/server.ts'
import { percentile, printTable } from './harness/table.ts'
import { type BenchTenant, makeTenant } from './harness/tenant.ts'
import type { SendResult, SendTask } from './send-submissions.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 10_000)
const items = Number(process.env.BENCH_ITEMS ?? 20_000)
const factor = 3
/** A website with few visitors, and a member who looks at the inbox. */
const quietPerSecond = 10
const inboxPerSecond = 5

interface Site {
  readonly widgetKey: string
  readonly origin: string
}

interface Load {
  readonly busy: SendResult
  readonly quiet: SendResult
  readonly inboxMs: readonly number[]
  readonly inboxFailed: number
  readonly residentBytes: number
  readonly serverCores: number
}

const server = await startBenchServer()
try {
  const tenant = await makeTenant(server, (empty) => fillInbox(server.sql, empty, items))
  const busy = await makeSite(tenant)
  const quiet = await makeSite(tenant)
  const rows: string[][] = []
  for (let round = 0; round < rounds; round += 1) {
    await empty(server, [busy, quiet])
    const full = await run(tenant, busy, quiet, { connections: 256 })
    const sustained = full.busy.accepted / full.busy.seconds
    await empty(server, [busy, quiet])
    const over = await run(tenant, busy, quiet, { connections: 2_000, perSecond: Math.round(sustained * factor) })
    rows.push(toRow(`full load ${round + 1}`, full, sustained), toRow(`${factor} times ${round + 1}`, over, sustained))
  }
  process.stdout.write(
    `\nSubmissions at ${factor} times full load, rounds of ${measureMs / 1000} s; full load is 256 connections that send ` +
      `again when answered. Beside them ${quietPerSecond} submissions per second to another project and ${inboxPerSecond} ` +
      `reads of the inbox per second. Targets at ${factor} times: goodput ≥ 0.8, p99 ≤ 2000 ms, inbox p95 ≤ 300 ms.\n\n`,
  )
  printTable(
    [
      'load',
      'offered/s',
      'accepted/s',
      'goodput',
      'p50 ms',
      'p99 ms',
      'other answers',
      'inbox p95 ms',
      'quiet site p95 ms',
      'of it not 201',
      'MB',
      'server’s cores',
      'senders’ cores',
    ],
    rows,
  )
} finally {
  await server.stop()
}

function toRow(name: string, load: Load, sustained: number): string[] {
  const { busy, quiet } = load
  const accepted = busy.accepted / busy.seconds
  const others = Object.entries(busy.other).map(
    ([status, count]) => `${status}: ${(count / busy.seconds).toFixed(0)}/s`,
  )
  const notAccepted = Object.values(quiet.other).reduce((sum, count) => sum + count, 0)
  return [
    name,
    (busy.offered / busy.seconds).toFixed(0),
    accepted.toFixed(0),
    (accepted / sustained).toFixed(2),
    busy.p50Ms.toFixed(0),
    busy.p99Ms.toFixed(0),
    others.join(' ') || 'none',
    `${percentile(load.inboxMs, 0.95).toFixed(0)}${load.inboxFailed > 0 ? ` (${load.inboxFailed} failed)` : ''}`,
    quiet.p95Ms.toFixed(0),
    `${notAccepted} of ${notAccepted + quiet.accepted}`,
    (load.residentBytes / 1024 ** 2).toFixed(0),
    load.serverCores.toFixed(2),
    ((busy.cpuSeconds + quiet.cpuSeconds) / busy.seconds).toFixed(2),
  ]
}

async function makeSite({ organizationId }: BenchTenant): Promise<Site & { projectId: string }> {
  const { id, widgetKey, domain } = await createProject(server.sql, { organizationId })
  return { projectId: id, widgetKey, origin: `https://${domain}` }
}

/** The same start for every measurement. */
async function empty({ sql }: BenchServer, sites: readonly { projectId: string }[]): Promise<void> {
  await sql.query('delete from public.feedback where project_id = any ($1)', [sites.map(({ projectId }) => projectId)])
  await sql.query('vacuum analyze public.feedback')
  await sql.query('checkpoint')
}

async function run(
  tenant: BenchTenant,
  busy: Site,
  quiet: Site,
  load: Pick<SendTask, 'connections' | 'perSecond'>,
): Promise<Load> {
  const reading = readInbox(tenant, { perSecond: inboxPerSecond, warmUpMs })
  const before = readUsage(server.pid)
  const startedAt = performance.now()
  let residentBytes = 0
  const timer = setInterval(() => {
    residentBytes = Math.max(residentBytes, readUsage(server.pid).residentBytes)
  }, 500)
  const [busyResult, quietResult] = await Promise.all([
    sendSubmissions(busy, load),
    sendSubmissions(quiet, { connections: 50, perSecond: quietPerSecond }),
  ])
  clearInterval(timer)
  const serverCores = (readUsage(server.pid).cpuSeconds - before.cpuSeconds) / ((performance.now() - startedAt) / 1000)
  const { durationsMs, failed } = await reading.stop()
  return { busy: busyResult, quiet: quietResult, inboxMs: durationsMs, inboxFailed: failed, residentBytes, serverCores }
}

async function sendSubmissions(site: Site, load: Pick<SendTask, 'connections' | 'perSecond'>): Promise<SendResult> {
  const task: SendTask = { host: '127.0.0.1', port: server.port, ...site, ...load, warmUpMs, measureMs }
  const script = join(import.meta.dirname, 'send-submissions.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(task)])
  return JSON.parse(stdout) as SendResult
}

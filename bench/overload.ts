/*
 * Three times the submissions that the server sustains, at an even pace that no refusal slows: accepted submissions
 * beside those of full load, their latency, the inbox of a member meanwhile, a quiet project meanwhile, and memory.
 * Beside it the same surplus sent to a bare server of Node: what senders and refusals cost at the least.
 * Run: npm run bench -- overload
 */
import { createProject } from '#server/testing/builders.ts'
import { startBareServer } from './harness/bare-server.ts'
import { fillInbox } from './harness/fill-inbox.ts'
import { readUsage } from './harness/processes.ts'
import { readInbox } from './harness/read-inbox.ts'
import { runSenders } from './harness/run-senders.ts'
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
  /** Processor time of the server for each answer, in microseconds. */
  readonly serverUs: number
}

const server = await startBenchServer()
const refuser = await startBareServer({ status: 503, headers: { 'content-length': '0', 'retry-after': '5' }, body: '' })
try {
  const tenant = await makeTenant(server, (empty) => fillInbox(server.sql, empty, items))
  const busy = await makeSite(tenant)
  const quiet = await makeSite(tenant)
  const rows: string[][] = []
  const notes: string[] = []
  for (let round = 0; round < rounds; round += 1) {
    await empty(server, [busy, quiet])
    const full = await run(tenant, busy, quiet, { connections: 256 })
    const sustained = full.busy.accepted / full.busy.seconds
    await empty(server, [busy, quiet])
    const over = await run(tenant, busy, quiet, { connections: 2_000, perSecond: Math.round(sustained * factor) })
    await empty(server, [busy, quiet])
    const surplus = { connections: 2_000, perSecond: Math.round(sustained * (factor - 1)) }
    const [beside] = await Promise.all([
      run(tenant, busy, quiet, { connections: 256 }),
      sendSubmissions(busy, surplus, refuser.port),
    ])
    rows.push(
      toRow(`full load ${round + 1}`, full, sustained),
      toRow(`${factor} times ${round + 1}`, over, sustained),
      toRow(`surplus to bare Node ${round + 1}`, beside, sustained),
    )
    const refused = over.busy.other[503] ?? 0
    const refusalUs = (over.serverUs * (over.busy.accepted + refused) - full.serverUs * over.busy.accepted) / refused
    const part = over.busy.accepted / over.busy.seconds / (beside.busy.accepted / beside.busy.seconds)
    notes.push(
      `Round ${round + 1}: ${part.toFixed(2)} of what is accepted while the surplus goes to bare Node. Processor time of ` +
        `the server: ${full.serverUs.toFixed(0)} µs for an accepted submission, ${refusalUs.toFixed(0)} µs for a refusal.`,
    )
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
  process.stdout.write(`\n${notes.join('\n')}\n`)
} finally {
  refuser.stop()
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
  const answered = Object.values(busyResult.other).reduce((sum, count) => sum + count, busyResult.accepted)
  return {
    busy: busyResult,
    quiet: quietResult,
    inboxMs: durationsMs,
    inboxFailed: failed,
    residentBytes,
    serverCores,
    serverUs: (serverCores * busyResult.seconds * 1e6) / answered,
  }
}

async function sendSubmissions(
  site: Site,
  load: Pick<SendTask, 'connections' | 'perSecond'>,
  port = server.port,
): Promise<SendResult> {
  return runSenders({ port, ...site, ...load, warmUpMs, measureMs })
}

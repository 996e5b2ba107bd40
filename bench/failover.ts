/*
 * Patroni, etcd, HAProxy and PgBouncer of Debian: two web and two worker processes on three database nodes, whose primary is
 * killed again and again under load. Run: npm run bench -- failover
 */
import pg from 'pg'
import { createTraffic } from '#server/testing/steady-requests.ts'
import { countLosses, type FinalCount } from './failover/count-losses.ts'
import { type KillResult, killPrimary } from './failover/kill-primary.ts'
import { type Load, startLoad } from './failover/load.ts'
import { countServerRestarts } from './failover/products.ts'
import { type OwnWrites, readOwnWrites } from './failover/read-own-writes.ts'
import { readSizes } from './failover/sizes.ts'
import { startTopology, type Topology } from './failover/topology.ts'
import { median, printTable } from './harness/table.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 20)
const perSecond = Number(process.env.BENCH_PER_SECOND ?? 20)
const readsPerSecond = 10
const calmMs = 3_000

const topology = await startTopology()
try {
  const { load, organizationId } = await startTraffic(topology)
  await new Promise((resolve) => setTimeout(resolve, calmMs))
  const before = { ...(await readSizes(topology.superuserUrl)), items: load.acknowledged.size }
  const results: KillResult[] = []
  const problems: string[] = []
  for (let round = 1; round <= rounds; round += 1) {
    try {
      const result = await killPrimary(topology.cluster, load, round % 2 === 1 ? 'machine' : 'postmaster')
      results.push(result)
      process.stdout.write(`${describeKill(round, result, load)}\n`)
    } catch (error) {
      problems.push(`kill ${round}: ${error instanceof Error ? error.message : String(error)}`)
      break
    }
  }
  const ownWrites = await readOwnWrites(topology.appUrls, load, 200)
  await load.finish()
  const after = await readSizes(topology.superuserUrl)
  const perItem = (bytes: number) => (bytes / (load.acknowledged.size - before.items) / 1024).toFixed(1)
  const count = await countLosses(topology.superuserUrl, organizationId, load)
  process.stdout.write(
    `\nFor each item: ${perItem(after.databaseBytes - before.databaseBytes)} kB of the database, ` +
      `${perItem(after.walBytes - before.walBytes)} kB of WAL, jobs and failovers included. ` +
      `Sessions at the primary: ${Object.entries(after.sessions)
        .map(([name, n]) => `${name} ${n}`)
        .join(', ')}.\n`,
  )
  print(results, count, ownWrites, load, [...problems, ...topology.processes.exits(), ...load.wrongAnswers])
} finally {
  await topology.stop()
}

/** A project whose visitors send; readers of its loader and of its inbox. */
async function startTraffic({ superuserUrl, url }: Topology): Promise<{ load: Load; organizationId: string }> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    const { makeRequest, organizationId, widgetKey, origin } = await createTraffic(client, url)
    const inbox = makeRequest(1)
    const reads = [
      { path: `/e/${widgetKey}.js`, headers: {} },
      { path: inbox.path, headers: inbox.headers ?? {} },
      { path: `/api/v1/organizations/${organizationId}/analytics/trends`, headers: inbox.headers ?? {} },
    ]
    return { load: startLoad({ url, widgetKey, origin, perSecond, readsPerSecond, reads }), organizationId }
  } finally {
    await client.end()
  }
}

function describeKill(round: number, result: KillResult, load: Load): string {
  const { kind, from, to, timeline } = result
  return (
    `${String(round).padStart(2)}  ${new Date().toISOString()}  ${kind.padEnd(10)}  ${from} → ${to}  timeline ${timeline}  ` +
    `promoted after ${seconds(result.promotedMs)} s  serves after ${seconds(result.outageMs)} s  ` +
    `whole after ${seconds(result.wholeMs)} s  ${load.acknowledged.size} acknowledged`
  )
}

function print(
  results: readonly KillResult[],
  count: FinalCount,
  ownWrites: OwnWrites,
  load: Load,
  problems: readonly string[],
): void {
  const row = (name: string, of: readonly KillResult[]) => [
    name,
    String(of.length),
    ...(['promotedMs', 'outageMs', 'wholeMs'] as const).flatMap((figure) => {
      const values = of.map((result) => result[figure])
      return [seconds(median(values)), seconds(Math.max(...values))]
    }),
  ]
  process.stdout.write(
    `\nThe primary killed ${results.length} of ${rounds} times at ${perSecond} submissions and ${readsPerSecond} reads per second. ` +
      'Targets: nothing lost or duplicated, serving again within 15 s, no request longer than 30 s, no process ends.\n\n',
  )
  printTable(
    ['killed', 'times', 'promoted s', 'worst', 'serves s', 'worst', 'whole s', 'worst'],
    [
      row(
        'the machine',
        results.filter(({ kind }) => kind === 'machine'),
      ),
      row(
        'PostgreSQL alone',
        results.filter(({ kind }) => kind === 'postmaster'),
      ),
    ],
  )
  const failed = Object.entries(load.failedReads).map(([what, n]) => `${what}: ${n}`)
  process.stdout.write(
    [
      '',
      `Submissions: ${count.acknowledged} acknowledged, ${count.lost} lost, ${count.duplicated} duplicated, ${count.renumbered} with another number than in the receipt.`,
      `Longest request: ${seconds(load.longestRequestMs())} s. Reads: ${load.reads()}, not answered with 200: ${failed.join(', ') || 'none'}.`,
      `Jobs: ${count.jobsLeft} left, ${count.eventsUndispatched} events undispatched, ${count.emailsTwice} emails queued twice; items ${count.items}, in the sums of analytics ${count.counted}.`,
      `Reports: ${ownWrites.found} of ${ownWrites.reads} found the submission that was acknowledged just before; ${ownWrites.byReplica} were read from a replica.`,
      `Processes: ${topology.processes.exits().length} ended, ${countServerRestarts(topology.processes)} servers started again by their keepers.`,
      ...(problems.length > 0 ? ['', ...problems.slice(0, 20)] : []),
      '',
    ].join('\n'),
  )
  if (problems.length > 0 || count.lost > 0 || count.duplicated > 0) process.exitCode = 1
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

/*
 * What three integrations cost visitors: submissions accepted per second at full load, with three connected and with none, in
 * turns. Run: npm run bench -- ingest-integrations
 */
import { setTimeout as pause } from 'node:timers/promises'
import { startBareServer } from './harness/bare-server.ts'
import { makeOwner } from './harness/owner.ts'
import { runSenders } from './harness/run-senders.ts'
import { startBenchServer } from './harness/server.ts'
import { median, printTable } from './harness/table.ts'
import type { SendResult } from './send-submissions.ts'

const connections = 64
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const warmUpMs = Number(process.env.BENCH_WARM_UP_MS ?? 3_000)
const measureMs = Number(process.env.BENCH_MEASURE_MS ?? 10_000)
const target = 0.95

const receiver = await startBareServer({ status: 200, headers: { 'content-length': '0' }, body: '' })
const url = `http://127.0.0.1:${receiver.port}/`
const server = await startBenchServer({ OUTBOUND_ALLOWED_HOSTS: new URL(url).host })
try {
  const { project, connect, call } = await makeOwner(server)
  const site = { port: server.port, widgetKey: project.widgetKey, origin: `https://${project.domain}` }
  const events = ['feedback.created']
  const full = await compare()
  process.stdout.write(
    `\nMedians of ${rounds} rounds of ${measureMs / 1000} s each, in turns, ${connections} connections.\n\n`,
  )
  const toRow = (name: string, { with: on, without: off }: Compared) => [
    name,
    off.perSecond.toFixed(0),
    on.perSecond.toFixed(0),
    (on.perSecond / off.perSecond).toFixed(3),
    `≥ ${target}`,
    off.p99Ms.toFixed(1),
    on.p99Ms.toFixed(1),
    String(on.delivered),
  ]
  printTable(
    ['load', 'none/s', 'three/s', 'ratio', 'target', 'none p99 ms', 'three p99 ms', 'delivered meanwhile'],
    [toRow('full', full)],
  )

  interface Side {
    readonly perSecond: number
    readonly p99Ms: number
    readonly delivered: number
  }
  interface Compared {
    readonly with: Side
    readonly without: Side
  }

  async function compare(): Promise<Compared> {
    const on: Round[] = []
    const off: Round[] = []
    for (let round = 0; round < rounds; round += 1) {
      off.push(await measure())
      const ids: string[] = []
      for (const name of ['one', 'two', 'three']) {
        ids.push((await connect({ type: 'webhook', config: { url: `${url}${name}` }, events })).id)
      }
      on.push(await measure())
      await empty()
      for (const id of ids) await call(`/integrations/${id}`, { method: 'DELETE' })
    }
    return { with: summarise(on), without: summarise(off) }
  }

  interface Round {
    readonly sent: SendResult
    readonly delivered: number
  }

  async function measure(): Promise<Round> {
    await empty()
    await pause(1_000)
    const sent = await runSenders({ ...site, connections, warmUpMs, measureMs })
    const { rows } = await server.sql.query<{ delivered: number }>(
      `select count(*)::integer as delivered from deliveries where state = 'delivered'`,
    )
    return { sent, delivered: rows[0]?.delivered ?? 0 }
  }

  /** The same start for every measurement. */
  async function empty(): Promise<void> {
    await waitForEvents()
    await server.sql.query('truncate public.feedback cascade')
    await server.sql.query('update public.project_counters set last_number = 0, feedback_count = 0')
    await server.sql.query('checkpoint')
  }

  /** What earlier rounds left to do would burden the next. */
  async function waitForEvents(): Promise<void> {
    const until = performance.now() + 120_000
    for (let waiting = 1; waiting > 0; await pause(200)) {
      if (performance.now() > until) throw new Error(`${waiting} jobs of events still wait after two minutes`)
      const { rows } = await server.sql.query<{ waiting: number }>(
        `select count(*)::integer as waiting from graphile_worker.jobs where task_identifier like 'event:%'`,
      )
      waiting = rows[0]?.waiting ?? 0
    }
  }

  function summarise(all: readonly Round[]): Side {
    return {
      perSecond: median(all.map(({ sent }) => sent.accepted / sent.seconds)),
      p99Ms: median(all.map(({ sent }) => sent.p99Ms)),
      delivered: median(all.map(({ delivered }) => delivered)),
    }
  }
} finally {
  await server.stop()
  receiver.stop()
}

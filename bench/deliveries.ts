/*
 * Deliveries to a webhook: how long after a visitor's submission its event arrives, alone, and while 10,000 deliveries wait
 * for another address that never answers. Run: npm run bench -- deliveries
 */
import { createServer as createTcpServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidV7 } from 'uuid'
import { startReceiver } from '#server/testing/receiver.ts'
import { findFreePorts } from '../e2e/start-product.ts'
import { makeOwner } from './harness/owner.ts'
import { startBenchServer } from './harness/server.ts'
import { makeSubmission, variants } from './harness/submissions.ts'
import { percentile, printTable } from './harness/table.ts'

const queued = 10_000
const perSecond = 10
const seconds = Number(process.env.BENCH_SECONDS ?? 30)
const targetMs = 1_000
const targetRatio = 2

const receiver = await startReceiver()
const [silentPort = 0] = await findFreePorts(1)
const sockets = new Set<Socket>()
// Takes connections and requests, and says nothing.
const silent = createTcpServer((socket) => {
  sockets.add(socket)
  socket.on('error', () => {})
})
await new Promise<void>((resolve) => silent.listen(silentPort, '127.0.0.1', resolve))
const silentUrl = `http://127.0.0.1:${silentPort}/`
const allowed = [receiver.url, silentUrl].map((url) => new URL(url).host).join(',')
const server = await startBenchServer({ OUTBOUND_ALLOWED_HOSTS: allowed })
try {
  const { organizationId, project, connect } = await makeOwner(server)
  const events = ['feedback.created']
  await connect({ type: 'webhook', config: { url: receiver.url }, events })
  const alone = await measure()
  const { id: dead } = await connect({ type: 'webhook', config: { url: silentUrl }, events })
  await server.sql.query(
    `insert into deliveries (organization_id, integration_id, event_id, event_name, subject_id)
     select $1, $2, gen_random_uuid(), 'feedback.deleted', gen_random_uuid() from generate_series(1, $3)`,
    [organizationId, dead, queued],
  )
  const beside = await measure()
  const { rows } = await server.sql.query<{ waiting: string; attempts: string }>(
    `select count(*) filter (where state = 'waiting') as waiting, sum(attempts) as attempts from deliveries
     where integration_id = $1`,
    [dead],
  )
  process.stdout.write(
    `\n${perSecond} submissions per second for ${seconds} s, until their event arrives at a webhook.\n\n`,
  )
  const p95 = (times: readonly number[]) => percentile(times, 0.95)
  printTable(
    ['deliveries', 'arrived', 'p50', 'p95', 'slowest', 'target'],
    [
      ['alone', ...toCells(alone), `p95 ≤ ${targetMs} ms`],
      [`beside ${queued} to an address that never answers`, ...toCells(beside), `≤ ${targetRatio} times`],
    ],
  )
  process.stdout.write(
    `\nRatio of p95: ${(p95(beside) / p95(alone)).toFixed(2)}. For the silent address ${rows[0]?.waiting} wait after ` +
      `${rows[0]?.attempts} failed attempts.\n`,
  )

  /** Milliseconds from each answered submission to the arrival of its event. */
  async function measure(): Promise<number[]> {
    const sentAt = new Map<string, number>()
    for (let sent = 0; sent < perSecond * seconds; sent += 1) {
      const id = uuidV7()
      const reply = await fetch(`${server.url}/e/${project.widgetKey}/submissions`, {
        method: 'POST',
        headers: { origin: `https://${project.domain}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id, ...makeSubmission(sent % variants), message: `Message ${id}` }),
      })
      if (reply.status !== 201) throw new Error(`not accepted: ${reply.status}`)
      sentAt.set(id, performance.now())
      await pause(1000 / perSecond)
    }
    await pause(5_000)
    return receiver.received.flatMap(({ body, atMs }) => {
      const { data } = JSON.parse(body) as { data: { feedbackId: string } }
      const at = sentAt.get(data.feedbackId)
      return at === undefined ? [] : [atMs - at]
    })
  }
} finally {
  await server.stop()
  await receiver.stop()
  for (const socket of sockets) socket.destroy()
  silent.close()
}

function toCells(times: readonly number[]): string[] {
  const ms = (value: number) => `${value.toFixed(0)} ms`
  return [
    `${times.length} of ${perSecond * seconds}`,
    ms(percentile(times, 0.5)),
    ms(percentile(times, 0.95)),
    ms(Math.max(...times)),
  ]
}

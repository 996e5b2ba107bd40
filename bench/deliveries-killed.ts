/*
 * The worker is killed while a webhook is being delivered, 20 times: which items are lost or arrive twice and under which id, and
 * how long until the delivery arrives. Run: npm run bench -- deliveries-killed
 */
import { setTimeout as pause } from 'node:timers/promises'
import { v7 as uuidV7 } from 'uuid'
import { startReceiver } from '#server/testing/receiver.ts'
import { type ProductProcess, spawnProduct } from '../e2e/start-product.ts'
import { findServer } from './faults/processes.ts'
import { makeOwner } from './harness/owner.ts'
import { startBenchServer } from './harness/server.ts'
import { makeSubmission, variants } from './harness/submissions.ts'
import { percentile, printTable } from './harness/table.ts'

const kills = Number(process.env.BENCH_KILLS ?? 20)
const perKill = 5
const targetMs = 60_000

const receiver = await startReceiver()
const server = await startBenchServer({ SERVICES: 'web', OUTBOUND_ALLOWED_HOSTS: new URL(receiver.url).host })
let worker: ProductProcess | undefined
try {
  const owner = await makeOwner(server)
  await owner.connect({ type: 'webhook', config: { url: receiver.url }, events: ['feedback.created'] })
  worker = startWorker()
  await worker.ready
  /** Webhook ids of each item, in the order of their arrival. */
  const arrivals = new Map<string, string[]>()
  const waits: number[] = []
  let interrupted = 0
  for (let kill = 0; kill < kills; kill += 1) {
    const ids = await send(kill)
    // The first delivery of this round is never answered: the worker dies meanwhile.
    const held = Promise.withResolvers<void>()
    receiver.answer((request, response) => {
      note(request)
      held.resolve()
      response.on('error', () => {})
    })
    await held.promise
    const pid = await findServer(worker.child.pid)
    receiver.answer((request, response) => {
      note(request)
      response.writeHead(200).end()
    })
    process.kill(pid, 'SIGKILL')
    interrupted += 1
    const killedAt = performance.now()
    while (!(await areDelivered(ids))) {
      if (performance.now() - killedAt > 2 * targetMs) throw new Error('deliveries did not resume')
      await pause(50)
    }
    waits.push(performance.now() - killedAt)
  }
  const sent = kills * perKill
  const repeated = [...arrivals.values()].filter((ids) => ids.length > 1)
  const otherIds = repeated.filter((ids) => new Set(ids).size > 1)
  process.stdout.write(
    `\n${interrupted} kills of the worker while a webhook is being delivered, ${perKill} items each.\n\n`,
  )
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  printTable(
    ['figure', 'value', 'target'],
    [
      ['items that arrived', `${arrivals.size} of ${sent}`, 'all'],
      ['arrived more than once', String(repeated.length), ''],
      ['of those, under another id', String(otherIds.length), '0'],
      ['all of a round arrived, median', seconds(percentile(waits, 0.5)), ''],
      ['all of a round arrived, slowest', seconds(Math.max(...waits)), `≤ ${seconds(targetMs)}`],
    ],
  )

  function note({ headers, body }: { headers: Record<string, unknown>; body: string }): void {
    const { data } = JSON.parse(body) as { data: { feedbackId: string } }
    arrivals.set(data.feedbackId, [...(arrivals.get(data.feedbackId) ?? []), String(headers['webhook-id'])])
  }

  async function send(round: number): Promise<string[]> {
    const ids: string[] = []
    for (let place = 0; place < perKill; place += 1) {
      const id = uuidV7()
      const reply = await fetch(`${server.url}/e/${owner.project.widgetKey}/submissions`, {
        method: 'POST',
        headers: { origin: `https://${owner.project.domain}`, 'content-type': 'application/json' },
        body: JSON.stringify({ id, ...makeSubmission((round + place) % variants), message: `Message ${id}` }),
      })
      if (reply.status !== 201) throw new Error(`not accepted: ${reply.status}`)
      ids.push(id)
    }
    return ids
  }

  /** As the log says: what has arrived and was not noted would be sent again. */
  async function areDelivered(ids: readonly string[]): Promise<boolean> {
    const { rows } = await server.sql.query(
      `select from deliveries where feedback_id = any ($1) and state = 'delivered'`,
      [ids],
    )
    return rows.length === ids.length
  }
} finally {
  worker?.child.kill('SIGINT')
  await worker?.ended
  await server.stop()
  await receiver.stop()
}

/** Jobs alone, under the supervisor that starts them again. */
function startWorker(): ProductProcess {
  return spawnProduct({
    NODE_ENV: 'production',
    SERVICES: 'worker',
    APP_URL: server.url,
    DATA_DIR: `${server.dataDir}/server`,
    DATABASE_URL: server.databaseUrl,
    LOG_LEVEL: 'warn',
    OUTBOUND_ALLOWED_HOSTS: new URL(receiver.url).host,
  })
}

import { randomUUID } from 'node:crypto'
import type { Database } from '#server/platform/database/database.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { ReadOnly } from '#server/platform/read-only/read-only.ts'
import { findNextDueMs, type Queue, releaseQueue, renewLeases, takeQueues } from './queue.queries.ts'

export interface DeliveryWorkerParts {
  readonly database: Database
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly readOnly: Pick<ReadOnly, 'current' | 'onChange'>
  /**
   * Works through what is due in a queue, until nothing is or the queue must rest.
   *
   * @param isOurs false: the lease was lost, and nothing more may be sent.
   * @returns seconds that the queue rests.
   */
  readonly work: (queue: Queue, isOurs: () => boolean) => Promise<number>
}

export interface DeliveryWorker {
  start(): Promise<void>
  /** Ends after the attempts that are under way. */
  stop(): Promise<void>
}

/** Queues that one process works through side by side: they mostly wait for answers. */
const maxQueues = 50
/** A process that died loses its queues after so long. Longer than an attempt takes. */
const leaseSeconds = 30
const renewEveryMs = 10_000
/** Without a message from the database, it is asked so often: messages can be missed. */
const longestPauseMs = 5_000
const pauseAfterErrorMs = 1_000
const reason = 'deliveries of every organisation are sent'

/** Queues that this process works through, by integration. */
type Running = Map<string, { isLost: boolean; done: Promise<void> }>

/** Works through the queues of all integrations, each by one process at a time. */
export function createDeliveryWorker({ database, log, readOnly, work }: DeliveryWorkerParts): DeliveryWorker {
  const workerId = randomUUID()
  const running: Running = new Map()
  let isStopping = false
  const alarm = createAlarm()
  let stopListening = async () => {}
  let rounds = Promise.resolve()
  let renewing: NodeJS.Timeout | undefined

  async function serve(queue: Queue, isLost: () => boolean): Promise<void> {
    let restSeconds = 0
    try {
      restSeconds = await work(queue, () => !isStopping && !isLost() && !readOnly.current())
    } catch (error) {
      log.error({ err: error, integrationId: queue.integrationId }, 'a queue of deliveries broke off')
      restSeconds = pauseAfterErrorMs / 1000
    }
    // Without the database, the lease ends by itself.
    await database
      .asSystem(reason, (tx) => releaseQueue(tx, workerId, queue, restSeconds))
      .catch((error: unknown) => log.warn({ err: error }, 'a queue of deliveries was not given back'))
  }

  async function takeRound(): Promise<number> {
    // Deliveries create issues and change items. They wait, and nothing is lost.
    if (readOnly.current()) return longestPauseMs
    const room = maxQueues - running.size
    const { taken, nextMs } = await database.asSystem(reason, async (tx) => {
      const queues = room > 0 ? await takeQueues(tx, { workerId, leaseSeconds, limit: room }) : []
      return { taken: queues, nextMs: await findNextDueMs(tx) }
    })
    for (const queue of taken) {
      const own = { isLost: false, done: Promise.resolve() }
      running.set(queue.integrationId, own)
      own.done = serve(queue, () => own.isLost).finally(() => {
        running.delete(queue.integrationId)
        alarm.ring()
      })
    }
    // Full: the next queue that ends wakes it.
    return running.size >= maxQueues ? longestPauseMs : Math.min(longestPauseMs, nextMs ?? longestPauseMs)
  }

  async function run(): Promise<void> {
    while (!isStopping) {
      const pauseMs = await takeRound().catch((error: unknown) => {
        log.warn({ err: error }, 'deliveries wait for the database')
        return pauseAfterErrorMs
      })
      // A queue that is due while another process has it must not be asked for without a rest.
      if (!isStopping) await alarm.wait(Math.max(50, pauseMs))
    }
  }

  return {
    start: async () => {
      stopListening = await database.listen('deliveries', alarm.ring, alarm.ring)
      readOnly.onChange(alarm.ring)
      renewing = setInterval(() => void renew({ database, log, workerId }, running), renewEveryMs)
      rounds = run()
    },
    stop: async () => {
      isStopping = true
      clearInterval(renewing)
      alarm.ring()
      await stopListening()
      await rounds
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

/** Renews the leases of the running queues, and notes which are lost. */
async function renew(
  { database, log, workerId }: Pick<DeliveryWorkerParts, 'database' | 'log'> & { workerId: string },
  running: Running,
): Promise<void> {
  if (running.size === 0) return
  // Those that are taken while this is asked have leases of their own time.
  const asked = [...running]
  try {
    const kept = new Set(await database.asSystem(reason, (tx) => renewLeases(tx, { workerId, leaseSeconds })))
    for (const [integrationId, own] of asked) own.isLost = !kept.has(integrationId)
  } catch (error) {
    log.warn({ err: error }, 'leases of deliveries were not renewed')
  }
}

/** A pause that can be ended early, also before it begins. */
function createAlarm(): { ring(): void; wait(ms: number): Promise<void> } {
  let hasRung = false
  let wake = () => {}
  return {
    ring: () => {
      hasRung = true
      wake()
    },
    wait: async (ms) => {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        wake = resolve
        timer = setTimeout(resolve, ms)
        if (hasRung) resolve()
      })
      clearTimeout(timer)
      hasRung = false
    },
  }
}

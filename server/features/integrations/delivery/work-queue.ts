import type { SystemTx } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import type { Yielding } from '#server/platform/yielding/yielding.ts'
import { type Attempted, type DeliverParts, deliver } from './deliver.ts'
import {
  type ConnectedIntegration,
  type DueDelivery,
  disableIntegration,
  dropDelivery,
  type Ending,
  findConnected,
  listDue,
  noteAnswer,
  noteFailure,
  type Queue,
  recordAttempt,
} from './queue.queries.ts'
import { chooseRestSeconds, chooseWaitSeconds, disableAfterMs } from './retry-schedule.ts'

/** Deliveries of one integration that are under way side by side. */
const maxAtOnce = 4
const batchSize = 20
const reason = 'deliveries of every organisation are sent'

/**
 * Works through what is due in a queue. While the integration fails, one delivery at a time tries whether it answers
 * again, and the queue rests in between: 10,000 deliveries to a dead address cost as much as one.
 *
 * @returns seconds that the queue must rest.
 */
export async function workQueue(
  parts: DeliverParts & { readonly yielding: Pick<Yielding, 'run'> },
  queue: Queue,
  isOurs: () => boolean,
): Promise<number> {
  let { failures } = queue
  let restSeconds = 0
  const work = async () => {
    const { integration, due } = await parts.database.asSystem(reason, async (tx) => ({
      integration: await findConnected(tx, queue),
      due: await listDue(tx, queue, failures > 0 ? 1 : batchSize),
    }))
    if (!integration) return false
    const waiting = [...due]
    const next = async () => {
      for (let each = waiting.shift(); each && isOurs() && restSeconds === 0; each = waiting.shift()) {
        const after = await deliverAndRecord(parts, integration, each, failures)
        failures = after.failures
        restSeconds = Math.max(restSeconds, after.restSeconds)
      }
    }
    await Promise.all(Array.from({ length: Math.min(maxAtOnce, due.length) }, next))
    return due.length > 0
  }
  while ((await parts.yielding.run(work)) && restSeconds === 0 && isOurs()) {
    // The next batch.
  }
  return restSeconds
}

async function deliverAndRecord(
  parts: DeliverParts,
  integration: ConnectedIntegration,
  delivery: DueDelivery,
  failures: number,
): Promise<{ failures: number; restSeconds: number }> {
  const attempted = await deliver(parts, integration, delivery)
  const queue = { organizationId: integration.organizationId, integrationId: integration.id, failures }
  return parts.database.asSystem(reason, async (tx) => {
    // No flush: if this transaction is lost, the delivery is made again under its id.
    await skipFlush(tx)
    if (!attempted) {
      await dropDelivery(tx, queue.organizationId, delivery.id)
      return { failures, restSeconds: 0 }
    }
    const { record, failure } = attempted
    await recordAttempt(tx, queue.organizationId, record, chooseEnding(attempted))
    // It refuses this one delivery: the service itself answers.
    if (!failure || failure.kind === 'refused') {
      await noteAnswer(tx, queue, !failure)
      return { failures: 0, restSeconds: 0 }
    }
    const noted = await noteFailure(tx, queue, failure.message)
    const isForGood = failure.kind === 'gone'
    const isTooLong = Date.now() - noted.failingSince.getTime() > disableAfterMs
    if (isForGood || isTooLong) {
      await disable(tx, queue, isForGood ? failure.message : `Nothing has arrived for five days. ${failure.message}`)
    }
    return { failures: noted.failures, restSeconds: chooseRestSeconds(noted.failures, failure.retryAfterSeconds) }
  })
}

function chooseEnding({ record, failure }: Attempted): Ending {
  if (!failure) return { state: 'delivered' }
  if (failure.kind === 'refused') return { state: 'failed' }
  // It waits for the integration to be enabled again.
  if (failure.kind === 'gone') return { state: 'waiting', waitSeconds: 0 }
  const waitSeconds = chooseWaitSeconds(record.number, failure.retryAfterSeconds)
  return waitSeconds === undefined ? { state: 'failed' } : { state: 'waiting', waitSeconds }
}

async function disable(tx: SystemTx, queue: Queue | Omit<Queue, 'failingSince'>, why: string): Promise<void> {
  const disabled = await disableIntegration(tx, queue, why)
  if (!disabled) return
  await recordEvent(tx, {
    organizationId: queue.organizationId,
    name: 'integration.disabled',
    ids: [queue.integrationId],
    payload: { ...disabled, reason: why },
    announced: 'never',
  })
}

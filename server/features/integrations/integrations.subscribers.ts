import { deliveredEvents } from '#contract/integrations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { DeliveredItems } from '../feedback/delivered-items.service.ts'
import { listReceivers } from './delivery/add-deliveries.queries.ts'
import { addDeliveriesFor, isDelivered } from './delivery/add-deliveries.ts'

const reason = 'events of every organisation are delivered'

/** Queues events for the integrations of their organisation. An event that comes twice is queued once. */
export function createIntegrationSubscribers(
  { database, yielding }: Pick<Platform, 'database' | 'yielding'>,
  items: DeliveredItems,
): Subscriber[] {
  return [
    defineSubscriber(
      'queue_deliveries',
      deliveredEvents,
      async (events) => {
        const byOrganization = Map.groupBy(events.filter(isDelivered), ({ organizationId }) => organizationId)
        const find = (tx: SystemTx) => listReceivers(tx, [...byOrganization.keys()])
        // Most organisations have none, and most events end here.
        if ((await database.asSystem(reason, find)).length === 0) return
        const queue = async (tx: SystemTx) => {
          // No flush: if this transaction is lost, so is the record that the job ran.
          await skipFlush(tx)
          const receivers = Map.groupBy(await find(tx), ({ organizationId }) => organizationId)
          for (const [organizationId, own] of receivers) {
            await addDeliveriesFor(tx, items, own, byOrganization.get(organizationId) ?? [])
          }
        }
        await yielding.run(() => database.asSystem(reason, queue))
      },
      { pool: 'yielding' },
    ),
  ]
}

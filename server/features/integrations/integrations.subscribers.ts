import type { AnyEvent } from '#contract/events.ts'
import { deliveredEvents } from '#contract/integrations.ts'
import type { Database } from '#server/platform/database/database.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import type { DeliveredItems } from '../feedback/delivered-items.service.ts'
import { listReceivers } from './delivery/add-deliveries.queries.ts'
import { addDeliveriesFor, isDelivered } from './delivery/add-deliveries.ts'

const reason = 'events of every organisation are delivered'

/** Queues events for the integrations of their organisation. An event that comes twice is queued once. */
export function createIntegrationSubscribers(database: Database, items: DeliveredItems): Subscriber[] {
  return [
    defineSubscriber('queue_deliveries', deliveredEvents, (events) =>
      database.asSystem(reason, async (tx) => {
        const byOrganization = Map.groupBy(
          events.filter((event: AnyEvent) => isDelivered(event)),
          ({ organizationId }) => organizationId,
        )
        // Most organisations have none, and most events end here.
        const receivers = await listReceivers(tx, [...byOrganization.keys()])
        if (receivers.length === 0) return
        // No flush: if this transaction is lost, so is the record that the job ran.
        await skipFlush(tx)
        for (const [organizationId, own] of Map.groupBy(receivers, (each) => each.organizationId)) {
          await addDeliveriesFor(tx, items, own, byOrganization.get(organizationId) ?? [])
        }
      }),
    ),
  ]
}

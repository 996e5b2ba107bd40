import type { Database } from '#server/platform/database/database.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { requestFollowing } from './closing.queries.ts'

/** A closed organisation pays nothing more; a restored one keeps the plan that it had paid for. */
export function createClosingSubscriber(database: Database): QueuedSubscriber {
  const names = ['organization.deletion_requested', 'organization.restored'] as const
  return defineSubscriber('end_payments_of_closed', names, async (events) => {
    for (const organizationId of new Set(events.map((event) => event.organizationId))) {
      await database.asSystem('an organisation was closed or restored', (tx) => requestFollowing(tx, organizationId))
    }
  })
}

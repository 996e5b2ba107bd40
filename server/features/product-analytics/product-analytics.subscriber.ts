import { v5 as uuidV5 } from 'uuid'
import { type AnyEvent, events as catalogue, type EventName } from '#contract/events.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineSubscriber, type QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import type { Capture, Captured } from './capture.ts'
import { type Counted, describeEvent } from './describe-event.ts'
import { type CountedItem, findCountedItems } from './items.queries.ts'

const reason = 'product analytics counts the acts of every organisation'

// The keys of an object are its names.
const names = (Object.keys(catalogue) as EventName[]).filter((name) => 'analytics' in catalogue[name])

/** Counts what domain events stand for. An event that is delivered again makes the same ids, and is counted once. */
export function createCaptureSubscriber(database: Database, capture: Capture): QueuedSubscriber {
  return defineSubscriber(
    'capture_analytics',
    names,
    async (events) => {
      // What a superadmin did as someone else says nothing of that person.
      const own = events.filter(({ impersonationId }) => impersonationId === null)
      const items = await findItems(database, own)
      await capture(own.flatMap((event) => describeEvent(event, items).map((counted) => identify(event, counted))))
    },
    // PostHog may be slow: no email waits for it.
    { pool: 'transfer' },
  )
}

function identify(event: AnyEvent, { name, properties, part }: Counted): Captured {
  const { organizationId, actorKind, actorUserId, occurredAt: at } = event
  const isPerson = actorKind === 'user' || actorKind === 'superadmin'
  return {
    id: uuidV5(`${name} ${part}`, event.id),
    name,
    properties,
    organizationId,
    userId: isPerson ? actorUserId : null,
    at,
  }
}

async function findItems(database: Database, events: readonly AnyEvent[]): Promise<ReadonlyMap<string, CountedItem>> {
  const aboutItems = events.filter(({ name }) => name.startsWith('feedback.'))
  const byOrganization = Map.groupBy(aboutItems, ({ organizationId }) => organizationId)
  const found = new Map<string, CountedItem>()
  for (const [organizationId, own] of byOrganization) {
    const ids = own.flatMap((event) => event.ids)
    for (const [id, item] of await database.asSystem(reason, (tx) => findCountedItems(tx, organizationId, ids))) {
      found.set(id, item)
    }
  }
  return found
}

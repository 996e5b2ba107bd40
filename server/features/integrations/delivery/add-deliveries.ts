import type { AnyEvent } from '#contract/events.ts'
import { type DeliveredEvent, deliveredEvents } from '#contract/integrations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { DeliveredItems } from '../../feedback/delivered-items.service.ts'
import { linkNewIssues, requestSyncsOfItems } from '../issues/links.queries.ts'
import { addDeliveries, type NewDelivery, type Receiver } from './add-deliveries.queries.ts'

/** Changes that concern the team's own reading alone. */
const ownFields = new Set(['viewed', 'snoozed'])

/** Queues events of one organisation for those of its integrations that want them. @returns how many deliveries it added. */
export async function addDeliveriesFor(
  tx: SystemTx,
  items: DeliveredItems,
  receivers: readonly Receiver[],
  events: readonly AnyEvent<DeliveredEvent>[],
): Promise<number> {
  let added = 0
  for (const receiver of receivers) {
    if (receiver.isTracker) {
      added += await syncIssues(tx, items, receiver, events)
      continue
    }
    const wanted = events.filter((event) => receiver.eventNames.includes(event.name) && isWorthTelling(event))
    if (wanted.length === 0) continue
    const { organizationId } = receiver
    const ids = [...new Set(wanted.flatMap((event) => event.ids))]
    const matching = await items.listMatching(tx, organizationId, receiver.rules, ids)
    added += await addDeliveries(
      tx,
      wanted.flatMap((event) => toDeliveries(receiver, event, matching)),
    )
  }
  return added
}

export function isDelivered(event: AnyEvent): event is AnyEvent<DeliveredEvent> {
  const names: readonly string[] = deliveredEvents
  return names.includes(event.name)
}

function isWorthTelling(event: AnyEvent<DeliveredEvent>): boolean {
  return event.name !== 'feedback.updated' || event.payload.fields.some((field) => !ownFields.has(field))
}

function toDeliveries(
  { organizationId, id: integrationId, rules }: Receiver,
  event: AnyEvent<DeliveredEvent>,
  matching: ReadonlySet<string>,
): NewDelivery[] {
  const own = { organizationId, integrationId, eventId: event.id, event: event.name, occurredAt: event.occurredAt }
  if (event.name === 'feedback.deleted') {
    // Whether a deleted item matched can't be known: only those who get everything hear of it.
    if (Object.keys(rules).length > 0) return []
    return event.ids.map((subjectId) => ({ ...own, feedbackId: null, subjectId }))
  }
  return event.ids
    .filter((feedbackId) => matching.has(feedbackId))
    .map((feedbackId) => ({ ...own, feedbackId, subjectId: feedbackId }))
}

const newItems: readonly DeliveredEvent[] = ['feedback.created', 'feedback.imported']

/** Links new items to new issues where the tracker wants them, and requests the synchronisation of linked ones. */
async function syncIssues(
  tx: SystemTx,
  items: DeliveredItems,
  { organizationId, id: integrationId, rules, createsIssues }: Receiver,
  events: readonly AnyEvent<DeliveredEvent>[],
): Promise<number> {
  const isNew = (event: AnyEvent<DeliveredEvent>) => newItems.includes(event.name)
  const ids = createsIssues ? events.filter(isNew).flatMap((event) => event.ids) : []
  const matching = ids.length === 0 ? [] : [...(await items.listMatching(tx, organizationId, rules, ids))]
  const created = await linkNewIssues(tx, { organizationId, integrationId, feedbackIds: matching, createdBy: null })
  // Its own changes came from the issue.
  const changed = events.filter((event) => !isNew(event) && event.actorUserId !== integrationId)
  const feedbackIds = [...new Set(changed.flatMap((event) => event.ids))]
  if (feedbackIds.length > 0) await requestSyncsOfItems(tx, { organizationId, integrationId, feedbackIds })
  return created
}

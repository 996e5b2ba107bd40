import { auditedEvents } from '#contract/audited-events.ts'
import type { AnyEvent, EventName } from '#contract/events.ts'
import type { Database } from '#server/platform/database/database.ts'
import { defineSubscriber, type Subscriber } from '#server/platform/events/subscriber.ts'
import { insertEntries, type NewEntry } from './audit.queries.ts'
import { toChanges } from './to-changes.ts'

// The keys of a table of events are names of events.
const names = Object.keys(auditedEvents) as EventName[]

/** Writes audited events into the audit log. An event that is delivered twice has one entry for each target. */
export function createAuditSubscribers(database: Database): Subscriber[] {
  return [
    defineSubscriber('write_audit_log', names, (events) =>
      database.asSystem('the audit log of every organisation is written', (tx) =>
        insertEntries(tx, events.flatMap(toEntries)),
      ),
    ),
  ]
}

function toEntries(event: AnyEvent): NewEntry[] {
  const audited = auditedEvents[event.name]
  if (!audited) return []
  return toChanges(event).map((change) => ({
    organizationId: event.organizationId,
    eventId: event.id,
    createdAt: event.occurredAt.toISOString(),
    action: event.name,
    category: audited.category,
    actorKind: event.actorKind,
    actorUserId: event.actorUserId,
    actorName: event.actorName,
    targetType: audited.target,
    targetId: change.targetId,
    targetName: change.targetName ?? null,
    before: change.before,
    after: change.after,
    ip: event.ip,
    userAgent: event.userAgent,
    requestId: event.requestId,
    cause: event.cause,
    impersonationId: event.impersonationId,
  }))
}

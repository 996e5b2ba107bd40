import type { testEvent } from '#contract/deliveries.ts'
import type { DeliveredEvent } from '#contract/integrations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { listEvents } from '#server/platform/events/events.queries.ts'
import type { DeliveredComment, DeliveredItem, DeliveredItems } from '../../feedback/delivered-items.service.ts'
import { sampleItem } from './sample-item.ts'

/** For how long pictures and recordings can be opened from another service. */
const linkDays = 7
/** A context beyond this is left out of a delivery: receivers refuse what is too long. */
const maxContextLength = 64_000

/** What happened, as another service is told. The same at every attempt. */
export interface DeliveryData {
  readonly organizationId: string
  readonly feedbackId: string | null
  /** The item as it was at the first attempt; null: it no longer exists. */
  readonly feedback: DeliveredItem | null
  /** Where the team opens it. */
  readonly url: string | null
  /** Who caused the event; null: a visitor, or Earshot itself. */
  readonly actorName: string | null
  /** Of a change of status. */
  readonly change?: { readonly from: string; readonly to: string }
  /** Names of what else changed. */
  readonly fields?: readonly string[]
  /** Of a note, a reply or an answer. */
  readonly comment?: DeliveredComment
}

/** A delivery, ready to be written for its service. */
export interface DeliveryContent {
  readonly event: DeliveredEvent | typeof testEvent
  /** ISO 8601. */
  readonly timestamp: string
  readonly data: DeliveryData
  /** `{type, timestamp, data}` as JSON, to the letter the same at every attempt. */
  readonly body: string
}

/** A delivery to be rendered. */
export interface Rendered {
  readonly organizationId: string
  readonly eventId: string | null
  readonly event: DeliveryContent['event']
  readonly occurredAt: Date
  readonly feedbackId: string | null
  readonly subjectId: string | null
}

/** Renders a delivery for the first time. Undefined: the item that it is about is gone. */
export async function renderBody(
  tx: SystemTx,
  { items, appUrl }: { items: DeliveredItems; appUrl: string },
  delivery: Rendered,
): Promise<string | undefined> {
  const { organizationId, eventId, event, occurredAt, feedbackId, subjectId } = delivery
  const isTest = event === 'integration.test'
  const found = feedbackId === null ? undefined : await items.find(tx, organizationId, feedbackId, linkDays)
  if (!found && !isTest && event !== 'feedback.deleted') return undefined
  const [happened] = eventId === null ? [] : await listEvents(tx, [{ organizationId, id: eventId }])
  const item = found ?? (isTest ? sampleItem(occurredAt) : undefined)
  const data: DeliveryData = {
    organizationId,
    feedbackId: isTest ? null : subjectId,
    feedback: item ? shorten(toAbsolute(item, appUrl)) : null,
    url: found ? `${appUrl}/dashboard/feedback?item=${found.id}` : null,
    actorName: happened?.actorName ?? null,
    ...(happened && (await readChange(tx, items, happened, subjectId ?? ''))),
  }
  return JSON.stringify({ type: event, timestamp: occurredAt.toISOString(), data })
}

/** What a rendered body says. */
export function readContent(body: string): DeliveryContent {
  // Written by `renderBody` above.
  const { type, timestamp, data } = JSON.parse(body) as {
    type: DeliveryContent['event']
    timestamp: string
    data: DeliveryData
  }
  return { event: type, timestamp, data, body }
}

async function readChange(
  tx: SystemTx,
  items: DeliveredItems,
  { organizationId, payload }: { organizationId: string; payload: unknown },
  itemId: string,
): Promise<Partial<DeliveryData>> {
  // Payloads were checked when their event was recorded; fields that an event has not are undefined.
  const { changes, fields, commentId } = payload as {
    changes?: { id: string; from: string; to: string }[]
    fields?: string[]
    commentId?: string
  }
  const change = changes?.find(({ id }) => id === itemId)
  const comment = commentId === undefined ? undefined : await items.findComment(tx, organizationId, commentId)
  return {
    ...(change && { change: { from: change.from, to: change.to } }),
    ...(fields && { fields }),
    ...(comment && { comment }),
  }
}

function toAbsolute(item: DeliveredItem, appUrl: string): DeliveredItem {
  const absolute = (path: string | null) => path && new URL(path, appUrl).href
  const attachments = item.attachments.map((file) => ({
    ...file,
    url: absolute(file.url),
    playbackUrl: absolute(file.playbackUrl),
    posterUrl: absolute(file.posterUrl),
  }))
  return { ...item, attachments }
}

function shorten(item: DeliveredItem): DeliveredItem {
  if (JSON.stringify(item.context).length <= maxContextLength) return item
  return { ...item, context: { omitted: 'It is longer than 64,000 characters. Read it in Earshot.' } }
}

import Type, { type Static } from 'typebox'
import {
  ClosedReason,
  type FeedbackDetail,
  type FeedbackListItem,
  FeedbackLocation,
  FeedbackPriority,
  FeedbackSource,
  FeedbackStatus,
  FeedbackType,
  type RelatedItem,
} from '#contract/feedback.ts'
import { Attachment, AttachmentKind } from '#contract/files.ts'
import { nullable } from '#contract/nullable.ts'
import { Timestamp, Uuid } from '#contract/text.ts'
import { Quotation, quote, quoteAny } from './quote.ts'

/* Items as agents get them: facts as they are, all that people and pages wrote as quotations. */

const MaybeQuotation = nullable(Quotation)

const brief = {
  id: Uuid,
  number: Type.Integer(),
  type: FeedbackType,
  status: FeedbackStatus,
  location: FeedbackLocation,
  createdAt: Timestamp,
  /** The first 280 characters of the message; null: no message. */
  excerpt: MaybeQuotation,
  visitorName: MaybeQuotation,
  visitorEmail: MaybeQuotation,
}

export const AgentRelatedItem = Type.Object(brief)

export const AgentListItem = Type.Object({
  ...brief,
  projectId: Uuid,
  source: FeedbackSource,
  priority: FeedbackPriority,
  rating: nullable(Type.Integer()),
  nps: nullable(Type.Integer()),
  attachmentKinds: Type.Array(AttachmentKind),
  lastReplyBy: nullable(Type.Enum(['team', 'visitor'])),
  mergedInto: nullable(Uuid),
  updatedAt: Timestamp,
  /** The organisation must choose a plan to read it: until then, its content is empty. */
  locked: Type.Boolean(),
  version: Type.Integer(),
  tags: Type.Array(Quotation),
  pageUrl: MaybeQuotation,
})

const { id, kind, state, mime, bytes, width, height, durationMs } = Attachment.properties

const AgentAttachment = Type.Object({
  ...{ id, kind, state, mime, bytes, width, height, durationMs },
  name: MaybeQuotation,
  /** Signed; ends within an hour. Null: not there yet, or refused. */
  url: nullable(Type.String()),
})

const AgentComment = Type.Object({
  id: Uuid,
  /** `note`: for the team. `reply`: between the team and the visitor. */
  kind: Type.Enum(['note', 'reply']),
  from: Type.Enum(['team', 'visitor']),
  createdAt: Timestamp,
  author: MaybeQuotation,
  text: MaybeQuotation,
})

export const AgentItem = Type.Object({
  ...AgentListItem.properties,
  /** In the app, for members: with replay, recordings and history. */
  url: Type.String(),
  closedReason: nullable(ClosedReason),
  visitorVerified: Type.Boolean(),
  consent: nullable(Type.Boolean()),
  message: MaybeQuotation,
  visitorId: MaybeQuotation,
  answers: Type.Array(
    Type.Object({ question: MaybeQuotation, answer: nullable(Type.Union([Quotation, Type.Boolean()])) }),
  ),
  pageTitle: MaybeQuotation,
  /** Lines of the browser's console before the visitor sent the item. */
  console: MaybeQuotation,
  /** Requests of the page before that. */
  network: MaybeQuotation,
  /** All else that the widget saw, as JSON. */
  environment: MaybeQuotation,
  /** What the site attached, as JSON. */
  metadata: MaybeQuotation,
  comments: Type.Array(AgentComment),
  attachments: Type.Array(AgentAttachment),
  original: nullable(AgentRelatedItem),
  duplicates: Type.Array(AgentRelatedItem),
})
export type AgentItem = Static<typeof AgentItem>

export function toRelatedItem(item: RelatedItem): Static<typeof AgentRelatedItem> {
  const { id: itemId, number, type, status, location, createdAt, excerpt, visitorName, visitorEmail } = item
  return {
    ...{ id: itemId, number, type, status, location, createdAt },
    excerpt: quoteAny('visitor', excerpt),
    visitorName: quoteAny('visitor', visitorName),
    visitorEmail: quoteAny('visitor', visitorEmail),
  }
}

export function toListItem(item: FeedbackListItem): Static<typeof AgentListItem> {
  const {
    projectId,
    source,
    priority,
    rating,
    nps,
    attachmentKinds,
    lastReplyBy,
    mergedInto,
    updatedAt,
    locked,
    version,
  } = item
  return {
    ...toRelatedItem(item),
    ...{
      projectId,
      source,
      priority,
      rating,
      nps,
      attachmentKinds,
      lastReplyBy,
      mergedInto,
      updatedAt,
      locked,
      version,
    },
    // The widget, the site and the team set tags.
    tags: item.tags.map((tag) => quote('unknown', tag)),
    pageUrl: quoteAny('page', item.pageUrl),
  }
}

export function toItem(item: FeedbackDetail, appUrl: string): AgentItem {
  const { closedReason, visitorVerified, consent } = item
  const { console: lines, network, ...environment } = item.context
  return {
    ...toListItem(item),
    url: `${appUrl}/dashboard/feedback?item=${item.id}`,
    ...{ closedReason, visitorVerified, consent },
    message: quoteAny('visitor', item.message),
    visitorId: quoteAny('page', item.visitorId),
    answers: item.fields.map(({ label, value }) => ({
      question: quoteAny('team', label),
      answer: typeof value === 'boolean' ? value : quoteAny('visitor', value),
    })),
    pageTitle: quoteAny('page', item.pageTitle),
    console: quoteEntries(lines),
    network: quoteEntries(network),
    environment: quoteJson(environment),
    metadata: quoteJson(item.metadata),
    comments: item.comments.map((comment) => ({
      id: comment.id,
      kind: comment.kind,
      from: comment.fromVisitor ? ('visitor' as const) : ('team' as const),
      createdAt: comment.createdAt,
      author: quoteAny('team', comment.authorName),
      text: quoteAny(comment.fromVisitor ? 'visitor' : 'team', comment.text),
    })),
    attachments: item.attachments.map((attachment) => toAttachment(attachment, appUrl)),
    original: item.original && toRelatedItem(item.original),
    duplicates: item.duplicates.map(toRelatedItem),
  }
}

function toAttachment(attachment: Attachment, appUrl: string): Static<typeof AgentAttachment> {
  const { id: fileId, kind: ownKind, state: ownState, mime: ownMime, bytes: size, name, url } = attachment
  return {
    ...{ id: fileId, kind: ownKind, state: ownState, mime: ownMime, bytes: size },
    ...{ width: attachment.width, height: attachment.height, durationMs: attachment.durationMs },
    name: quoteAny('visitor', name),
    url: url && appUrl + url,
  }
}

/** Records of the widget, a line each. They begin with a time, which is left out. A visitor may send anything in their place. */
function quoteEntries(entries: unknown): Quotation | null {
  if (!Array.isArray(entries)) return quoteJson(entries)
  const lines = entries.map((entry) => (Array.isArray(entry) ? entry.slice(1) : [entry]).map(writePart).join(' '))
  return quoteAny('page', lines.join('\n'))
}

const writePart = (part: unknown) => (typeof part === 'string' ? part : JSON.stringify(part))

/** Names within are as free as values: all of it is one quotation. */
function quoteJson(value: unknown): Quotation | null {
  if (value === null || value === undefined) return null
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0
  return isEmpty ? null : quote('page', JSON.stringify(value, null, 1))
}

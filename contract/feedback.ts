import Type, { type Static } from 'typebox'
import { FeedbackComment } from './conversation.ts'
import { Attachment, AttachmentKind } from './files.ts'
import { IssueMark } from './issue-mark.ts'
import { nullable } from './nullable.ts'
import { FeedbackParams, OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

export const feedbackTypes = ['bug', 'idea', 'question', 'praise', 'other'] as const
export const feedbackSources = ['widget', 'api', 'link', 'import', 'manual', 'test'] as const
export const feedbackStatuses = ['new', 'open', 'in_progress', 'resolved', 'closed'] as const
export const closedReasons = ['wont_fix', 'duplicate', 'not_reproducible'] as const
/**
 * Where an item is found. `merged`: under the item that it is a duplicate of. One that is in several (archived and
 * thrown away) is found in the first of trash, merged, spam, archived, snoozed.
 */
export const feedbackLocations = ['inbox', 'snoozed', 'archived', 'spam', 'trash', 'merged'] as const
/** Status of items that need no more work. */
export const doneStatuses = ['resolved', 'closed'] as const satisfies readonly (typeof feedbackStatuses)[number][]
/** Status of all others. */
export const openStatuses = [
  'new',
  'open',
  'in_progress',
] as const satisfies readonly (typeof feedbackStatuses)[number][]
/** From lowest to highest. */
export const feedbackPriorities = ['none', 'low', 'medium', 'high', 'urgent'] as const

export const FeedbackType = Type.Enum([...feedbackTypes])
export type FeedbackType = (typeof feedbackTypes)[number]
export const FeedbackSource = Type.Enum([...feedbackSources])
export const FeedbackStatus = Type.Enum([...feedbackStatuses])
export type FeedbackStatus = (typeof feedbackStatuses)[number]
export const FeedbackLocation = Type.Enum([...feedbackLocations])
export type FeedbackLocation = (typeof feedbackLocations)[number]
export const ClosedReason = Type.Enum([...closedReasons])
export const FeedbackPriority = Type.Enum([...feedbackPriorities])
export type FeedbackPriority = (typeof feedbackPriorities)[number]

/** A row of the inbox. */
export const FeedbackListItem = Type.Object({
  id: Uuid,
  projectId: Uuid,
  /** Counts up per project and is never reused: `#123`. */
  number: Type.Integer(),
  type: FeedbackType,
  source: FeedbackSource,
  status: FeedbackStatus,
  priority: FeedbackPriority,
  /** The first 280 characters of the message; empty when the visitor sent no words. */
  excerpt: Type.String(),
  rating: nullable(Type.Integer()),
  /** Net promoter score, 0 to 10. */
  nps: nullable(Type.Integer()),
  tags: Type.Array(Type.String()),
  /** Announced attachments, in order; they describe an item without a message. */
  attachmentKinds: Type.Array(AttachmentKind),
  visitorEmail: nullable(Type.String()),
  visitorName: nullable(Type.String()),
  /** Who the site said the visitor is. */
  visitorId: nullable(Type.String()),
  /** All keys of the visitor, where several were joined into one; absent: they are one visitor by themselves. */
  joinedVisitors: Type.Optional(Type.Array(Type.String())),
  /** Whether the site vouched for `visitorId` by a signature. */
  visitorVerified: Type.Boolean(),
  /** Why it lies in quarantine, e.g. `honeypot`, or `marked` by a member; null: it does not. */
  spamReason: nullable(Type.String()),
  /** Where it is found. */
  location: FeedbackLocation,
  /** When it comes back to the inbox by itself; null: it is not snoozed. */
  snoozedUntil: nullable(Timestamp),
  /** The member who looks after it. */
  assigneeId: nullable(Uuid),
  /** The item that this one is a duplicate of. */
  mergedInto: nullable(Uuid),
  pageUrl: Type.String(),
  createdAt: Timestamp,
  /** When the team last changed it, or when it came. */
  updatedAt: Timestamp,
  /** When a member first opened it; null: no one has. */
  firstViewedAt: nullable(Timestamp),
  /** For the caller: not opened yet, marked as unread, or the visitor has written since. */
  unread: Type.Boolean(),
  /**
   * Who wrote the latest public message after the item itself; null: no one. A visitor's bare “solved” needs no answer
   * and counts as `team`.
   */
  lastReplyBy: nullable(Type.Enum(['team', 'visitor'])),
  /** Issues that it is linked to, oldest link first. */
  issues: Type.Array(IssueMark),
  /** The organisation must choose a plan to read it: until then, its content is empty. */
  locked: Type.Boolean(),
  /** Increases with every change; send it back with a change to detect a conflict. */
  version: Type.Integer(),
})
export type FeedbackListItem = Static<typeof FeedbackListItem>

/**
 * One change in an item's history. `from` and `to` are values of the field, for people: of `assignee` names, of `merged`
 * (what this was merged into) and `duplicate` (what was merged into this) numbers as `#12`, of `tags` JSON.
 */
export const FeedbackEvent = Type.Object({
  id: Uuid,
  field: Type.String(),
  from: nullable(Type.String()),
  to: nullable(Type.String()),
  actorName: nullable(Type.String()),
  createdAt: Timestamp,
})
export type FeedbackEvent = Static<typeof FeedbackEvent>

/** Another item, as it stands beside this one. */
export const RelatedItem = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  type: FeedbackType,
  status: FeedbackStatus,
  location: FeedbackLocation,
  /** The first 280 characters of the message; empty when the visitor sent no words. */
  excerpt: Type.String(),
  visitorName: nullable(Type.String()),
  visitorEmail: nullable(Type.String()),
  createdAt: Timestamp,
})
export type RelatedItem = Static<typeof RelatedItem>

export const FeedbackDetail = Type.Object({
  ...FeedbackListItem.properties,
  message: Type.String(),
  /** Answers to the project's own questions, in the order of its settings. A question that is gone is named by its id. */
  fields: Type.Array(
    Type.Object({ id: Type.String(), label: Type.String(), value: Type.Union([Type.String(), Type.Boolean()]) }),
  ),
  /** Whether the visitor agreed to the consent line; null: it was not asked. */
  consent: nullable(Type.Boolean()),
  closedReason: nullable(ClosedReason),
  pageTitle: nullable(Type.String()),
  /** Browser context as the widget sent it. */
  context: Type.Record(Type.String(), Type.Unknown()),
  /** What the site attached through the widget's API. */
  metadata: Type.Record(Type.String(), Type.Unknown()),
  /** When a member first answered the visitor. */
  firstResponseAt: nullable(Timestamp),
  resolvedAt: nullable(Timestamp),
  /** When it was deleted; it is permanently deleted thirty days later. */
  deletedAt: nullable(Timestamp),
  history: Type.Array(FeedbackEvent),
  /** The item that it is merged into; null: not merged. */
  original: nullable(RelatedItem),
  /** Items merged into it, newest first, at most 100. */
  duplicates: Type.Array(RelatedItem),
  /** Oldest first. */
  comments: Type.Array(FeedbackComment),
  /** In the order in which the visitor added them. */
  attachments: Type.Array(Attachment),
})
export type FeedbackDetail = Static<typeof FeedbackDetail>

export const getFeedback = route({
  operationId: 'getFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}',
  summary: 'Read one item with its history',
  tag: 'feedback',
  params: FeedbackParams,
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

/** A word by which the team groups items. Letter case is kept and does not tell tags apart. */
export const Tag = line({ minLength: 1, maxLength: 50 })
const Tags = Type.Array(Tag, { maxItems: 20 })

export const FeedbackChange = Type.Object(
  {
    status: Type.Optional(FeedbackStatus),
    /** Only together with status `closed`. */
    closedReason: Type.Optional(ClosedReason),
    priority: Type.Optional(FeedbackPriority),
    /** A member's user id; null: unassigned. */
    assigneeId: Type.Optional(nullable(Uuid)),
    /** The tags from now on, all of them. */
    tags: Type.Optional(Tags),
    /** True puts the item away, false takes it back into the inbox. */
    archived: Type.Optional(Type.Boolean()),
    /** Snoozes the item for the team until a time in the future; null ends that. It ends at once when the visitor writes. */
    snoozedUntil: Type.Optional(nullable(Timestamp)),
    /** True puts the item into quarantine, false takes it out. */
    spam: Type.Optional(Type.Boolean()),
    /** True moves the item to the trash, false restores it. Items in the trash are permanently deleted after thirty days. */
    deleted: Type.Optional(Type.Boolean()),
    /** For the caller alone: true marks the item as read, false as unread. */
    viewed: Type.Optional(Type.Boolean()),
    /** The `version` the change is based on. Given and outdated: 409, nothing changed. */
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647 })),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type FeedbackChange = Static<typeof FeedbackChange>

export const updateFeedback = route({
  operationId: 'updateFeedback',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/feedback/{feedbackId}',
  summary: 'Change what the team decides about an item',
  tag: 'feedback',
  params: FeedbackParams,
  body: FeedbackChange,
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found', 'member_not_found', 'edit_conflict'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

/**
 * Live changes as server-sent events. Every event's data is one {@link ChangeNotice}; a comment line every 20 s
 * keeps proxies from closing the stream. A reader that reconnects should reload its list: missed events are not kept.
 */
export const watchFeedback = route({
  operationId: 'watchFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/events',
  summary: 'Follow new and changed feedback as it happens (text/event-stream)',
  tag: 'feedback',
  params: OrganizationParams,
  replies: { 200: Type.String({ description: 'text/event-stream' }) },
  errors: ['too_many_streams'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'none',
})

/** A change notice carries the rows of this many items at most. */
export const noticeItemLimit = 50

/**
 * `notifications`: the ids are those of members who were told something; each reader hears of its own alone.
 * `project.deleted`: the ids are those of projects, whose items are gone with them. `subscription.changed`: the plan, its
 * status, its payment or the trial; the id is the organisation's.
 */
export const ChangeNotice = Type.Object({
  /** `presence`: a member opened or left items that others have open. */
  kind: Type.Enum([
    'feedback.created',
    'feedback.updated',
    'presence',
    'notifications',
    'project.deleted',
    'subscription.changed',
  ]),
  /** Empty: so many that the list should be read again. */
  ids: Type.Array(Uuid),
  /**
   * The rows of `ids` as they are now, for notices of at most 50 items ({@link noticeItemLimit}). A permanently deleted
   * item has none.
   */
  items: Type.Array(FeedbackListItem),
})
export type ChangeNotice = Static<typeof ChangeNotice>

import Type, { type Static } from 'typebox'
import { BulkChange } from './bulk.ts'
import { FeedbackComment, NewComment } from './conversation.ts'
import { FeedbackChange, FeedbackDetail, FeedbackListItem, FeedbackType } from './feedback.ts'
import { FeedbackQuery } from './inbox.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Email, Timestamp, Uuid, visitorText } from './text.ts'
import { Receipt, Submission } from './widget.ts'

/*
 * What programs call with a project's API key. Every path is below /api/v1, and the key names the project: a path or a
 * body that named it too could only contradict the key.
 */

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]+$',
      description:
        'Up to 255 printable ASCII characters, e.g. a UUID. A retry with the same key within 24 hours gets the stored answer.',
    }),
  ),
})

const IfMatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'The item’s ETag as last read. If the item has changed since, the answer is 412.',
    }),
  ),
})

const ItemParams = Type.Object({ feedbackId: Uuid })

export const KeyProject = Type.Object({
  id: Uuid,
  name: Type.String(),
  domain: Type.String(),
  /** Additional domains on which the widget works. */
  extraOrigins: Type.Array(Type.String()),
  widgetKey: Type.String(),
  feedbackCount: Type.Integer(),
  /** Since when it accepts no new feedback; null: it does. */
  archivedAt: nullable(Timestamp),
  createdAt: Timestamp,
})

export const apiGetProject = route({
  operationId: 'apiGetProject',
  method: 'GET',
  path: '/api/v1/project',
  summary: 'Read the project that the key belongs to',
  tag: 'project',
  replies: { 200: KeyProject },
  errors: ['project_not_found'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

// Unread items differ from member to member, and a key is none.
const { projectId: _, unread: _____, ...ownQueryFields } = FeedbackQuery.properties
const OwnFeedbackQuery = Type.Object(ownQueryFields, { additionalProperties: false })

export const apiListFeedback = route({
  operationId: 'apiListFeedback',
  method: 'GET',
  path: '/api/v1/feedback',
  summary: 'List feedback of the project, newest first unless asked otherwise',
  tag: 'feedback',
  query: OwnFeedbackQuery,
  example: { status: ['new', 'open'], limit: 20 },
  replies: {
    200: Type.Object({
      items: Type.Array(FeedbackListItem),
      /** Send it as `cursor` for the next page; null: this is the last one. */
      nextCursor: nullable(Type.String()),
    }),
  },
  errors: [],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

const { rating, nps, fields, consent, tags, context, metadata, attachments } = Submission.properties

export const NewApiFeedback = Type.Object(
  {
    type: FeedbackType,
    /** May be blank when there is a rating, a score, an answer or a file. */
    message: Submission.properties.message,
    rating,
    nps,
    fields,
    consent,
    /** Who gave the feedback. Your server vouches for `id`, so it counts as verified. */
    visitor: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(visitorText({ minLength: 1, maxLength: 200 })),
          email: Type.Optional(Email),
          name: Type.Optional(visitorText({ minLength: 1, maxLength: 200 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** Where it was given, if that was on a page. */
    page: Type.Optional(Submission.properties.page),
    tags,
    context,
    metadata,
    /**
     * Files that you send under these ids, before or after, by tus 1.0 to `/e/{widgetKey}/uploads` with the metadata `id`,
     * `kind` and `name`. `GET /api/v1/project` names the widget key.
     */
    attachments,
  },
  { additionalProperties: false },
)
export type NewApiFeedback = Static<typeof NewApiFeedback>

export const apiCreateFeedback = route({
  operationId: 'apiCreateFeedback',
  method: 'POST',
  path: '/api/v1/feedback',
  summary: 'Create an item',
  tag: 'feedback',
  headers: IdempotencyHeaders,
  body: NewApiFeedback,
  maxBodyBytes: 256 * 1024,
  example: { type: 'bug', message: 'The basket empties itself.', visitor: { email: 'ada@example.com' } },
  replies: { 201: Receipt },
  errors: ['project_archived', 'project_not_found', 'disk_nearly_full'],
  access: { kind: 'api_key', scope: 'write' },
  rate: 'write',
})

export const apiGetFeedback = route({
  operationId: 'apiGetFeedback',
  method: 'GET',
  path: '/api/v1/feedback/{feedbackId}',
  summary: 'Read an item with its conversation and history; the answer’s ETag is its version',
  tag: 'feedback',
  params: ItemParams,
  example: { feedbackId: '$FEEDBACK_ID' },
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

const { viewed: ____, ...manyChangeFields } = BulkChange.properties
const ManyChange = Type.Object(manyChangeFields, { additionalProperties: false, minProperties: 1 })

const { version: __, viewed: ___, ...changeFields } = FeedbackChange.properties

export const apiUpdateFeedback = route({
  operationId: 'apiUpdateFeedback',
  method: 'PATCH',
  path: '/api/v1/feedback/{feedbackId}',
  summary: 'Change the given fields of an item',
  tag: 'feedback',
  headers: IfMatchHeaders,
  params: ItemParams,
  body: Type.Object(changeFields, { additionalProperties: false, minProperties: 1 }),
  example: { feedbackId: '$FEEDBACK_ID', status: 'in_progress', tags: ['basket'] },
  replies: { 200: FeedbackDetail },
  errors: ['feedback_not_found', 'member_not_found', 'precondition_failed'],
  access: { kind: 'api_key', scope: 'write' },
  rate: 'write',
})

const { kind, text } = NewComment.properties

export const apiAddComment = route({
  operationId: 'apiAddComment',
  method: 'POST',
  path: '/api/v1/feedback/{feedbackId}/comments',
  summary: 'Write an internal note, or a reply that is emailed to the visitor',
  tag: 'feedback',
  headers: IdempotencyHeaders,
  params: ItemParams,
  body: Type.Object({ kind, text }, { additionalProperties: false }),
  example: { feedbackId: '$FEEDBACK_ID', kind: 'note', text: 'Seen in the logs too.' },
  replies: { 201: FeedbackComment },
  errors: ['feedback_not_found', 'member_not_found', 'item_in_trash'],
  access: { kind: 'api_key', scope: 'write' },
  rate: 'write',
})

const maxBulkIds = 500

export const apiChangeMany = route({
  operationId: 'apiChangeMany',
  method: 'POST',
  path: '/api/v1/feedback/bulk',
  summary: 'Change many items alike; those that do not exist are passed over',
  tag: 'feedback',
  headers: IdempotencyHeaders,
  body: Type.Object(
    { ids: Type.Array(Uuid, { minItems: 1, maxItems: maxBulkIds }), change: ManyChange },
    { additionalProperties: false },
  ),
  example: { ids: ['$FEEDBACK_ID'], change: { status: 'resolved', addTags: ['released'] } },
  replies: {
    200: Type.Object({
      /** Of the named items. */
      found: Type.Integer(),
      /** Fewer than found where some were like that already. */
      changed: Type.Integer(),
    }),
  },
  errors: ['member_not_found'],
  access: { kind: 'api_key', scope: 'write' },
  rate: 'write',
})

/** Something that happened to items. Read the items to see how they are now. */
export const KeyEvent = Type.Object({
  /** The same each time that it is read. */
  id: Uuid,
  /** E.g. `feedback.created`, `feedback.status_changed`, `feedback.answered`. */
  name: Type.String(),
  /** Items of this project that exist. */
  feedbackIds: Type.Array(Uuid),
  occurredAt: Timestamp,
})
export type KeyEvent = Static<typeof KeyEvent>

export const apiListEvents = route({
  operationId: 'apiListEvents',
  method: 'GET',
  path: '/api/v1/events',
  summary: 'List what happened to the project’s items since a cursor, oldest first; kept for 30 days',
  tag: 'events',
  query: Type.Object(
    {
      /** `nextCursor` of the previous answer. Without it, the answer is empty and its cursor stands for now. */
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(KeyEvent),
      /** Always there: ask with it again for later events. */
      nextCursor: Type.String(),
    }),
  },
  errors: [],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

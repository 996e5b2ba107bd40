import Type, { type Static } from 'typebox'
import { ClosedReason, FeedbackPriority, FeedbackStatus, Tag } from './feedback.ts'
import { FeedbackSelection } from './inbox.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

const OperationParams = Type.Object({ organizationId: Uuid, operationId: Uuid })

/** The change to each of many items. */
export const BulkChange = Type.Object(
  {
    status: Type.Optional(FeedbackStatus),
    /** Only together with status `closed`. */
    closedReason: Type.Optional(ClosedReason),
    priority: Type.Optional(FeedbackPriority),
    assigneeId: Type.Optional(nullable(Uuid)),
    /** An item that would have more than 20 tags keeps those that it has. */
    addTags: Type.Optional(Type.Array(Tag, { minItems: 1, maxItems: 20 })),
    removeTags: Type.Optional(Type.Array(Tag, { minItems: 1, maxItems: 20 })),
    archived: Type.Optional(Type.Boolean()),
    snoozedUntil: Type.Optional(nullable(Timestamp)),
    spam: Type.Optional(Type.Boolean()),
    deleted: Type.Optional(Type.Boolean()),
    /** For the caller alone. */
    viewed: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type BulkChange = Static<typeof BulkChange>

/**
 * A change of many items: what was asked, how far it is, and whether it was undone. Only who asked for it can read and
 * undo it, for thirty days. `failed`: its author was removed from the organisation, which ended it where it was.
 */
export const BulkOperation = Type.Object({
  id: Uuid,
  change: BulkChange,
  state: Type.Enum(['running', 'done', 'undoing', 'undone', 'failed']),
  /** Items that are to be looked at; while undoing, those that were looked at until then. */
  total: Type.Integer(),
  /** Items that were looked at; while undoing, once more. */
  processed: Type.Integer(),
  /** Items that this changed; fewer than processed where some were so already. */
  changed: Type.Integer(),
  /** After an undo: items changed since by a member, left unchanged. */
  kept: Type.Integer(),
  createdAt: Timestamp,
})
export type BulkOperation = Static<typeof BulkOperation>

/**
 * The id is made by the sender, which makes a retry safe. Few items are changed before the answer; for many the answer
 * comes at once, and the rest follows: progress is read with `getBulkOperation`. Items that came later are not touched,
 * and those that are gone are passed over.
 */
export const NewBulkOperation = Type.Object(
  {
    id: Uuid,
    /** These items, or all that match; with both, those of these that match. */
    ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 1000 })),
    selection: Type.Optional(FeedbackSelection),
    change: BulkChange,
  },
  { additionalProperties: false },
)
export type NewBulkOperation = Static<typeof NewBulkOperation>

export const startBulkOperation = route({
  operationId: 'startBulkOperation',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/bulk',
  summary: 'Change many items at once; safe to repeat with the same id',
  tag: 'feedback',
  params: OrganizationParams,
  body: NewBulkOperation,
  replies: { 200: BulkOperation, 201: BulkOperation },
  errors: ['member_not_found', 'id_reused'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const getBulkOperation = route({
  operationId: 'getBulkOperation',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/bulk/{operationId}',
  summary: 'Read how far a change of many items is',
  tag: 'feedback',
  params: OperationParams,
  replies: { 200: BulkOperation },
  errors: ['operation_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'read',
})

export const undoBulkOperation = route({
  operationId: 'undoBulkOperation',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/feedback/bulk/{operationId}/undo',
  summary: 'Undo a bulk change, except for items changed since',
  tag: 'feedback',
  params: OperationParams,
  replies: { 200: BulkOperation },
  errors: ['operation_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

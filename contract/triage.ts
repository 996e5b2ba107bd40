import Type, { type Static } from 'typebox'
import { ClosedReason, FeedbackPriority, FeedbackStatus, Tag } from './feedback.ts'
import { FeedbackSelection } from './inbox.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const OrganizationParams = Type.Object({ organizationId: Uuid })
const OperationParams = Type.Object({ organizationId: Uuid, operationId: Uuid })

/** What is done to each of many items. */
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
    spam: Type.Optional(Type.Boolean()),
    deleted: Type.Optional(Type.Boolean()),
    viewed: Type.Optional(Type.Literal(true)),
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
  /** After undoing: items that somebody changed since, which were left as they are. */
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
  summary: 'Put every item back as it was before, except those that somebody has changed since',
  tag: 'feedback',
  params: OperationParams,
  replies: { 200: BulkOperation },
  errors: ['operation_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

/** A state of the inbox with a name. */
export const SavedView = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** The part of the inbox's address after the question mark. */
  search: Type.String(),
  /** Shown to the whole team; otherwise only to who saved it. */
  isShared: Type.Boolean(),
  isOwn: Type.Boolean(),
  createdAt: Timestamp,
})
export type SavedView = Static<typeof SavedView>

const viewFields = {
  name: line({ minLength: 1, maxLength: 60 }),
  search: line({ maxLength: 2000 }),
  isShared: Type.Boolean(),
}

/** The id is made by the sender, which makes a retry safe. */
export const NewSavedView = Type.Object({ id: Uuid, ...viewFields }, { additionalProperties: false })
export type NewSavedView = Static<typeof NewSavedView>

export const SavedViewChange = Type.Partial(Type.Object(viewFields), { additionalProperties: false, minProperties: 1 })
export type SavedViewChange = Static<typeof SavedViewChange>

const ViewParams = Type.Object({ organizationId: Uuid, viewId: Uuid })

export const listSavedViews = route({
  operationId: 'listSavedViews',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/views',
  summary: 'List your own saved views and those shared with the team, by name',
  tag: 'feedback',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(SavedView) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const createSavedView = route({
  operationId: 'createSavedView',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/views',
  summary: 'Save a state of the inbox under a name; safe to repeat with the same id',
  tag: 'feedback',
  params: OrganizationParams,
  body: NewSavedView,
  replies: { 200: SavedView, 201: SavedView },
  errors: ['id_reused', 'too_many_views'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const updateSavedView = route({
  operationId: 'updateSavedView',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/views/{viewId}',
  summary: 'Change a saved view: your own, or one that is shared',
  tag: 'feedback',
  params: ViewParams,
  body: SavedViewChange,
  replies: { 200: SavedView },
  errors: ['view_not_found', 'permission_denied'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

export const deleteSavedView = route({
  operationId: 'deleteSavedView',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/views/{viewId}',
  summary: 'Delete a saved view: your own, or one that is shared',
  tag: 'feedback',
  params: ViewParams,
  replies: { 204: Type.Null() },
  errors: ['view_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'write',
})

/** Who has an item open at the moment. */
export const Presence = Type.Object({ feedbackId: Uuid, userId: Uuid, name: Type.String() })
export type Presence = Static<typeof Presence>

export const announcePresence = route({
  operationId: 'announcePresence',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/presence',
  summary: 'Say which item you have open (null: none); repeated every 20 s, forgotten after 45 s',
  tag: 'feedback',
  params: OrganizationParams,
  body: Type.Object(
    {
      /** Made by the page: a person may have several open. */
      pageId: Uuid,
      feedbackId: nullable(Uuid),
    },
    { additionalProperties: false },
  ),
  /** Others who have it open. */
  replies: { 200: Type.Object({ others: Type.Array(Presence) }) },
  errors: ['feedback_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

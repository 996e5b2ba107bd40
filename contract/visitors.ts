import Type, { type Static } from 'typebox'
import { FeedbackListItem } from './feedback.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, lines, Timestamp, Uuid } from './text.ts'
import { JoinedVisitor } from './visitor-joins.ts'

/** Who the site said the visitor is or, for those it did not name, their address in any letter case. */
// Ids from before they were kept on one line can still be read and erased.
const VisitorKey = lines({ minLength: 1, maxLength: 254 })
const cursor = Type.Optional(Type.String({ maxLength: 600 }))
const limit = Type.Optional(Type.Integer({ minimum: 1, maximum: 100 }))

/** Counting a visitor's items ends here: this means that many or more. */
export const visitorCountLimit = 1000

/** `seen`: last seen first. `items`, `unanswered`: most first, last seen first among equals. */
export const visitorSorts = ['seen', 'items', 'unanswered'] as const
export type VisitorSort = (typeof visitorSorts)[number]

export const VisitorListItem = Type.Object({
  key: Type.String(),
  visitorId: nullable(Type.String()),
  email: nullable(Type.String()),
  name: nullable(Type.String()),
  isVerified: Type.Boolean(),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  /** Items in any location, also of merged visitors. At most `visitorCountLimit`, as the other counts. */
  items: Type.Integer(),
  /** In the inbox, neither resolved nor closed. */
  openItems: Type.Integer(),
  /** Open, and waiting for an answer of the team. */
  unansweredItems: Type.Integer(),
  /** Of the newest item that has a rating. */
  lastRating: nullable(Type.Integer()),
})
export type VisitorListItem = Static<typeof VisitorListItem>

export const listVisitors = route({
  operationId: 'listVisitors',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors',
  summary: 'List visitors who said who they are, last seen first unless asked otherwise',
  tag: 'visitors',
  params: OrganizationParams,
  query: Type.Object(
    {
      /** Part of their id, name or address, from two characters on. */
      q: Type.Optional(line({ maxLength: 200 })),
      /** Default: seen. */
      sort: Type.Optional(Type.Enum([...visitorSorts])),
      /** `nextCursor` of the previous page in the same order. */
      cursor,
      limit,
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(VisitorListItem), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

const Counted = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }))

/** One visitor: what is known from their items, of the newest `limit`. */
export const Visitor = Type.Object({
  /** Of a merged visitor: the one that the parts were merged into. */
  key: Type.String(),
  /** All that were used, newest first. */
  visitorIds: Type.Array(Type.String()),
  emails: Type.Array(Type.String()),
  names: Type.Array(Type.String()),
  isVerified: Type.Boolean(),
  firstSeenAt: Timestamp,
  lastSeenAt: Timestamp,
  /** Items, of at most `limit`. */
  total: Type.Integer(),
  limit: Type.Integer(),
  /** Items by where they are found. */
  locations: Type.Record(Type.String(), Type.Integer()),
  files: Type.Integer(),
  projects: Type.Array(Type.Object({ id: Uuid, name: Type.String(), count: Type.Integer() })),
  /** The pages they wrote from most. */
  pages: Counted,
  /** What their browsers say about themselves. */
  userAgents: Counted,
  /** Visitors that were merged into this one. */
  joined: Type.Array(JoinedVisitor),
})
export type Visitor = Static<typeof Visitor>

export const getVisitor = route({
  operationId: 'getVisitor',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors/profile',
  summary: 'Read what is known of one visitor, over all projects',
  tag: 'visitors',
  params: OrganizationParams,
  query: Type.Object({ visitor: VisitorKey }, { additionalProperties: false }),
  replies: { 200: Visitor },
  errors: ['visitor_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const listVisitorFeedback = route({
  operationId: 'listVisitorFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors/feedback',
  summary: 'List all items of one visitor, in every location and project, newest first',
  tag: 'visitors',
  params: OrganizationParams,
  query: Type.Object({ visitor: VisitorKey, cursor, limit }, { additionalProperties: false }),
  replies: { 200: Type.Object({ items: Type.Array(FeedbackListItem), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const exportVisitor = route({
  operationId: 'exportVisitor',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors/export',
  summary: 'Take away everything about one visitor as a ZIP: items, conversations, history and files',
  tag: 'visitors',
  params: OrganizationParams,
  query: Type.Object({ visitor: VisitorKey }, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'application/zip' }) },
  errors: ['visitor_not_found'],
  access: { kind: 'organization', permission: 'export_feedback' },
  rate: 'write',
})

export const VisitorErasure = Type.Object({
  id: Uuid,
  state: Type.Enum(['running', 'done']),
  /** Items found when it began. */
  total: Type.Integer(),
  /** Erased so far. */
  items: Type.Integer(),
  files: Type.Integer(),
  createdAt: Timestamp,
  finishedAt: nullable(Timestamp),
})
export type VisitorErasure = Static<typeof VisitorErasure>

/** What an erasure would delete now, over all projects and members. */
export const VisitorErasurePreview = Type.Object({
  items: Type.Integer(),
  /** Files of these items. */
  files: Type.Integer(),
  /**
   * Items that stay: without an id, from an address that an item of the visitor claims. Anyone can type an address; erase
   * the address itself to delete them.
   */
  claimedItems: Type.Integer(),
  /** Saved views that filter or search for the visitor, also those of other members. */
  savedViews: Type.Integer(),
  /** Exports whose file contains an item of the visitor, or that were made for the visitor. */
  exports: Type.Integer(),
  /** Imports whose waiting file contains the visitor. */
  imports: Type.Integer(),
  /** Imports whose waiting file was too long to read here. The erasure reads it whole. */
  unreadImports: Type.Integer(),
})
export type VisitorErasurePreview = Static<typeof VisitorErasurePreview>

export const previewErasure = route({
  operationId: 'previewErasure',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors/erasure-preview',
  summary: 'Count what erasing a visitor would delete',
  tag: 'visitors',
  params: OrganizationParams,
  query: Type.Object({ visitor: VisitorKey }, { additionalProperties: false }),
  replies: { 200: VisitorErasurePreview },
  errors: [],
  access: { kind: 'organization', permission: 'delete_feedback' },
  rate: 'write',
})

export const eraseVisitor = route({
  operationId: 'eraseVisitor',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/visitors/erasures',
  summary: 'Permanently erase one visitor from every project; safe to repeat with the same id',
  tag: 'visitors',
  params: OrganizationParams,
  body: Type.Object(
    {
      /** Made by the sender, which makes a retry safe. */
      id: Uuid,
      visitor: VisitorKey,
      /** The visitor once more, typed as a confirmation. */
      confirmation: line({ minLength: 1, maxLength: 254 }),
    },
    { additionalProperties: false },
  ),
  replies: { 200: VisitorErasure, 201: VisitorErasure },
  errors: ['id_reused', 'confirmation_differs'],
  access: { kind: 'organization', permission: 'delete_feedback' },
  rate: 'write',
})

export const getVisitorErasure = route({
  operationId: 'getVisitorErasure',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/visitors/erasures/{erasureId}',
  summary: 'Read how far an erasure is',
  tag: 'visitors',
  params: Type.Object({ organizationId: Uuid, erasureId: Uuid }),
  replies: { 200: VisitorErasure },
  errors: ['erasure_not_found'],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

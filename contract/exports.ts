import Type, { type Static } from 'typebox'
import { FeedbackSelection } from './inbox.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

/** `zip`: the items as JSON and CSV, and their files in a folder each. */
export const exportFormats = ['csv', 'xlsx', 'json', 'zip'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** Exports of one organisation that may wait or be written at a time. */
export const maxOpenExports = 3
/** How long what was written can be fetched. */
export const exportKeepDays = 7

const ExportParams = Type.Object({ organizationId: Uuid, exportId: Uuid })

/** A file of feedback that was asked for. */
export const Export = Type.Object({
  id: Uuid,
  format: Type.Enum([...exportFormats]),
  /** Which items were asked for. */
  selection: FeedbackSelection,
  state: Type.Enum(['queued', 'running', 'ready', 'failed']),
  /** Items in it, or to come; null: not counted yet. */
  count: nullable(Type.Integer()),
  /** Items written so far. */
  processed: Type.Integer(),
  /** Size of the file; null until it is ready. */
  bytes: nullable(Type.Integer()),
  /** Who asked for it; null when the account is gone. */
  createdByName: nullable(Type.String()),
  /** Why it failed, or what is missing from it. */
  note: nullable(Type.String()),
  /** Where the file is: signed for who asks, and over within the hour. Null until it is ready. */
  downloadUrl: nullable(Type.String()),
  createdAt: Timestamp,
  /** When the file is removed. */
  expiresAt: Timestamp,
})
export type Export = Static<typeof Export>

/** The id is made by the sender and stays the same over every retry, which is what makes a retry safe. */
export const NewExport = Type.Object(
  {
    id: Uuid,
    format: Type.Enum([...exportFormats]),
    selection: FeedbackSelection,
  },
  { additionalProperties: false },
)
export type NewExport = Static<typeof NewExport>

export const createExport = route({
  operationId: 'createExport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/exports',
  summary: 'Write all feedback that matches into a file; safe to repeat with the same id',
  tag: 'exports',
  params: OrganizationParams,
  body: NewExport,
  replies: { 200: Export, 201: Export },
  errors: ['id_reused', 'too_many_exports', 'export_quota_reached', 'disk_nearly_full'],
  access: { kind: 'organization', permission: 'export_feedback', evenSuspended: 'owners' },
  rate: 'write',
})

export const listExports = route({
  operationId: 'listExports',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/exports',
  summary: 'List the exports of the last days, newest first',
  tag: 'exports',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(Export) }) },
  errors: [],
  access: { kind: 'organization', permission: 'export_feedback', evenSuspended: 'owners' },
  rate: 'read',
})

export const getExport = route({
  operationId: 'getExport',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/exports/{exportId}',
  summary: 'Read how far an export is, and where its file is',
  tag: 'exports',
  params: ExportParams,
  replies: { 200: Export },
  errors: ['export_not_found'],
  access: { kind: 'organization', permission: 'export_feedback', evenSuspended: 'owners' },
  rate: 'read',
})

export const deleteExport = route({
  operationId: 'deleteExport',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/exports/{exportId}',
  summary: 'Cancel an export that is being written, or delete its file',
  tag: 'exports',
  params: ExportParams,
  replies: { 204: Type.Null() },
  errors: ['export_not_found'],
  access: { kind: 'organization', permission: 'export_feedback', evenSuspended: 'owners' },
  rate: 'write',
})

import Type, { type Static } from 'typebox'
import { Export, exportFormats } from './exports.ts'
import { FeedbackSelection } from './inbox.ts'
import { IdempotencyHeaders } from './public-api.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/* Exports for programs: of the items of the API key's project. */

const ExportParams = Type.Object({ exportId: Uuid })

// The key names the project. Unread items differ from member to member, and a key is none.
const { projectId: _, unread: __, ...ownFilters } = FeedbackSelection.properties
const OwnSelection = Type.Object(ownFilters, { additionalProperties: false })

const { id, format, state, count, processed, bytes, note, createdAt, expiresAt } = Export.properties

export const KeyExport = Type.Object({
  id,
  format,
  /** Which items were asked for. */
  selection: OwnSelection,
  state,
  count,
  processed,
  bytes,
  note,
  createdAt,
  expiresAt,
})
export type KeyExport = Static<typeof KeyExport>

export const apiCreateExport = route({
  operationId: 'apiCreateExport',
  method: 'POST',
  path: '/api/v1/exports',
  summary: 'Write all items that match into a file, which is kept for 7 days',
  tag: 'exports',
  headers: IdempotencyHeaders,
  body: Type.Object(
    {
      format: Type.Enum([...exportFormats]),
      /** The filters of `GET /api/v1/feedback`. Default: the whole inbox. */
      selection: Type.Optional(OwnSelection),
    },
    { additionalProperties: false },
  ),
  example: { format: 'csv', selection: { status: ['new', 'open'] } },
  replies: { 201: KeyExport },
  errors: ['id_reused', 'too_many_exports', 'export_quota_reached', 'disk_nearly_full'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'write',
})

export const apiGetExport = route({
  operationId: 'apiGetExport',
  method: 'GET',
  path: '/api/v1/exports/{exportId}',
  summary: 'Read how far an export is; its file can be fetched in the state `ready`',
  tag: 'exports',
  params: ExportParams,
  example: { exportId: '$EXPORT_ID' },
  replies: { 200: KeyExport },
  errors: ['export_not_found'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

export const apiGetExportFile = route({
  operationId: 'apiGetExportFile',
  method: 'GET',
  path: '/api/v1/exports/{exportId}/file',
  summary: 'Fetch the file of an export',
  tag: 'exports',
  params: ExportParams,
  example: { exportId: '$EXPORT_ID' },
  replies: {
    200: Type.String({
      description: 'The file, with its own content type',
      contentMediaType: 'application/octet-stream',
    }),
  },
  errors: ['export_not_found', 'file_not_found'],
  access: { kind: 'api_key', scope: 'read' },
  rate: 'read',
})

import Type, { type Static } from 'typebox'
import { FeedbackType } from './feedback.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'
import { columnReading } from './value-mapping.ts'
import { CustomField } from './widget-settings.ts'

/** Largest file that can be imported, in bytes. */
export const maxImportBytes = 50 * 1024 * 1024
/** Columns of a file beyond which it is refused. */
export const maxImportColumns = 200
/** Reasons for rows and values that were left out are kept up to this many; all are counted. */
export const maxImportProblems = 5_000

/**
 * What a column may become. `title` is put before the message. `answer`: to a question of the project. `metadata`: kept
 * beside the item under the column's name. Columns that are not mapped are left out.
 */
export const importFields = [
  'message',
  'title',
  'type',
  'status',
  'closedReason',
  'priority',
  'rating',
  'nps',
  'tags',
  'visitorName',
  'visitorEmail',
  'visitorId',
  'pageUrl',
  'pageTitle',
  'createdAt',
  'resolvedAt',
  'answer',
  'metadata',
] as const
export type ImportField = (typeof importFields)[number]

const ImportParams = Type.Object({ organizationId: Uuid, importId: Uuid })

export const ImportMapping = Type.Object(
  {
    columns: Type.Array(
      Type.Object(
        {
          /** Place of the column in the file, from 0. */
          column: Type.Integer({ minimum: 0, maximum: maxImportColumns - 1 }),
          field: Type.Enum([...importFields]),
          /** With `answer`: the id of one of the import's questions. */
          question: Type.Optional(line({ minLength: 1, maxLength: 100 })),
          ...columnReading,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: maxImportColumns },
    ),
    /** Type of items whose row names none. */
    defaultType: FeedbackType,
  },
  { additionalProperties: false },
)
export type ImportMapping = Static<typeof ImportMapping>

/** What a file looks like: how it was read, its columns and its first rows. */
export const ImportLayout = Type.Object({
  format: Type.Enum(['csv', 'json']),
  encoding: Type.Enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
  /** Of CSV: what stands between cells. */
  delimiter: nullable(Type.String()),
  columns: Type.Array(Type.Object({ name: Type.String() })),
  /** The first rows, a cell per column, cut to 200 characters each. */
  rows: Type.Array(Type.Array(Type.String())),
  /** What the columns' names suggest. */
  suggestion: ImportMapping,
})
export type ImportLayout = Static<typeof ImportLayout>

/**
 * - `waiting`: for its file.
 * - `uploaded`: the file is here and can be read.
 * - `checking`, `checked`: every row is looked at and nothing is stored.
 * - `importing`, `imported`: rows become items.
 * - `undoing`, `undone`: its items go to the trash.
 * - `cancelled`: in the middle; what was stored until then stays until it is undone.
 * - `failed`: `note` says why.
 */
const importStates = [
  'waiting',
  'uploaded',
  'checking',
  'checked',
  'importing',
  'imported',
  'undoing',
  'undone',
  'cancelled',
  'failed',
] as const

const summary = {
  id: Uuid,
  projectId: Uuid,
  name: Type.String(),
  state: Type.Enum([...importStates]),
  /** Rows of the file; null: not counted yet. */
  total: nullable(Type.Integer()),
  /** Rows looked at in the present step. */
  processed: Type.Integer(),
  /** Rows that can be imported, or were. */
  accepted: Type.Integer(),
  /** Rows that cannot: see their reasons with `listImportProblems`. */
  refused: Type.Integer(),
  /** Rows of `accepted` that lose optional values: see them with `listImportProblems`. */
  incomplete: Type.Integer(),
  note: nullable(Type.String()),
  /** Until when its items can be moved to the trash in one go; null: there is nothing to undo. */
  undoUntil: nullable(Timestamp),
  createdByName: nullable(Type.String()),
  createdAt: Timestamp,
}

/** An import as a list of them shows it. */
export const ImportSummary = Type.Object(summary)
export type ImportSummary = Static<typeof ImportSummary>

/** What a project's widget asks besides: a column may hold the answers. */
export const ImportQuestion = Type.Pick(CustomField, ['id', 'kind', 'label', 'options'])
export type ImportQuestion = Static<typeof ImportQuestion>

export const Import = Type.Object({
  ...summary,
  layout: nullable(ImportLayout),
  mapping: nullable(ImportMapping),
  /** The project's own questions, in its order. */
  questions: Type.Array(ImportQuestion),
  /** When a file with the same content was imported into this project before. */
  importedBeforeAt: nullable(Timestamp),
})
export type Import = Static<typeof Import>

/** The id is made by the sender and stays the same over every retry, which is what makes a retry safe. */
export const NewImport = Type.Object(
  {
    id: Uuid,
    projectId: Uuid,
    /** Of the file. */
    name: line({ minLength: 1, maxLength: 255 }),
  },
  { additionalProperties: false },
)
export type NewImport = Static<typeof NewImport>

export const createImport = route({
  operationId: 'createImport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports',
  summary: 'Begin an import into a project; safe to repeat with the same id',
  tag: 'imports',
  params: OrganizationParams,
  body: NewImport,
  replies: { 200: Import, 201: Import },
  errors: ['project_not_found', 'id_reused', 'too_many_imports', 'import_quota_reached', 'disk_nearly_full'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const listImports = route({
  operationId: 'listImports',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/imports',
  summary: 'List the imports of the last weeks, newest first',
  tag: 'imports',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(ImportSummary) }) },
  errors: [],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'read',
})

export const getImport = route({
  operationId: 'getImport',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}',
  summary: 'Read how far an import is',
  tag: 'imports',
  params: ImportParams,
  replies: { 200: Import },
  errors: ['import_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'read',
})

/** The body is the file itself, CSV or JSON, as `application/octet-stream`. Sent again, it takes the former's place. */
export const uploadImportFile = route({
  operationId: 'uploadImportFile',
  method: 'PUT',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/file',
  summary: 'Send the file of an import (CSV or JSON, application/octet-stream)',
  tag: 'imports',
  params: ImportParams,
  maxBodyBytes: maxImportBytes,
  replies: { 200: Import },
  errors: [
    'import_not_found',
    'import_busy',
    'import_file_unreadable',
    'file_too_large',
    'unsupported_media_type',
    'import_quota_reached',
    'disk_nearly_full',
  ],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const checkImport = route({
  operationId: 'checkImport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/check',
  summary: 'Look at every row under a mapping, without storing anything',
  tag: 'imports',
  params: ImportParams,
  body: ImportMapping,
  replies: { 200: Import },
  errors: ['import_not_found', 'import_busy'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const startImport = route({
  operationId: 'startImport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/start',
  summary: 'Store what was checked; each row becomes one item, however often this is asked',
  tag: 'imports',
  params: ImportParams,
  replies: { 200: Import },
  errors: ['import_not_found', 'import_busy'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const ImportProblem = Type.Object({
  /** As a spreadsheet counts: of CSV the line of names is row 1; of JSON the first item is row 1. */
  row: Type.Integer(),
  reason: Type.String(),
  /** False: the row becomes an item, without the values that the reason names. */
  isRowLeftOut: Type.Boolean(),
})
export type ImportProblem = Static<typeof ImportProblem>

export const listImportProblems = route({
  operationId: 'listImportProblems',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/problems',
  summary: 'List rows, and values of rows, that were left out, and why',
  tag: 'imports',
  params: ImportParams,
  replies: { 200: Type.Object({ items: Type.Array(ImportProblem) }) },
  errors: ['import_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'read',
})

export const cancelImport = route({
  operationId: 'cancelImport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/cancel',
  summary: 'Stop an import where it is',
  tag: 'imports',
  params: ImportParams,
  replies: { 200: Import },
  errors: ['import_not_found'],
  access: { kind: 'organization', permission: 'manage_feedback' },
  rate: 'write',
})

export const undoImport = route({
  operationId: 'undoImport',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/imports/{importId}/undo',
  summary: 'Move all items of an import to the trash',
  tag: 'imports',
  params: ImportParams,
  replies: { 200: Import },
  errors: ['import_not_found', 'import_busy'],
  access: { kind: 'organization', permission: 'delete_feedback' },
  rate: 'write',
})

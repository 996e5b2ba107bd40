import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp } from './text.ts'

/** From the least to the most important. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevelName = (typeof logLevels)[number]

export const LogLine = Type.Object({
  /** Also a place in the log: `before` and `after` take it. */
  id: Type.String(),
  at: Timestamp,
  level: Type.Enum([...logLevels]),
  /** Host and process id, joined by a colon. */
  process: Type.String(),
  requestId: nullable(Type.String()),
  message: Type.String(),
  /** All other fields, scrubbed. */
  fields: Type.Record(Type.String(), Type.Unknown()),
})
export type LogLine = Static<typeof LogLine>

const filters = {
  /** This level and all that are more important. */
  level: Type.Optional(Type.Enum([...logLevels])),
  /** Words and "quoted phrases", all of which a line contains. */
  search: Type.Optional(line({ maxLength: 500 })),
  requestId: Type.Optional(line({ minLength: 1, maxLength: 200 })),
  process: Type.Optional(line({ minLength: 1, maxLength: 300 })),
}
const range = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) }
const LogFilters = Type.Object({ ...filters, ...range })
export type LogFilters = Static<typeof LogFilters>
const Place = Type.String({ maxLength: 40 })
/** An id of a line: also of one that is not stored, as before the first line. */
const Tail = Type.String({ pattern: '^[0-9]{1,15}$', maxLength: 15 })

const base = '/api/v1/superadmin/logs'
const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

export const LogPage = Type.Object({
  /** Latest first. */
  items: Type.Array(LogLine),
  /** `before` of the next older lines; null: there are none. */
  olderThan: nullable(Type.String()),
  /** `after` of the next newer lines; null: none are stored yet. */
  newerThan: nullable(Type.String()),
  /** The search ended here for now, because it took long: go on with `olderThan` or `newerThan`. Null: it is complete. */
  searchedTo: nullable(Timestamp),
  /** `after` of followLogs, for lines stored after this answer. */
  tail: Type.String(),
})
export type LogPage = Static<typeof LogPage>

export const listLogs = route({
  ...ofSuperadmins,
  operationId: 'listLogs',
  method: 'GET',
  path: base,
  summary: 'Search the stored log lines of all processes, latest first',
  query: Type.Object(
    {
      ...filters,
      ...range,
      /** Only lines before this place. */
      before: Type.Optional(Place),
      /** Only lines after this place: the ones closest to it. */
      after: Type.Optional(Place),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: LogPage },
  errors: [],
  rate: 'read',
})

/** A download has this many lines at most, and says so if there were more. */
export const mostExportedLines = 100_000

export const exportLogs = route({
  ...ofSuperadmins,
  operationId: 'exportLogs',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download log lines as JSON Lines, latest first; the download itself is recorded',
  body: Type.Object({ ...filters, ...range }, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'application/x-ndjson' }) },
  errors: [],
  rate: 'write',
})

export const followLogs = route({
  ...ofSuperadmins,
  operationId: 'followLogs',
  method: 'GET',
  path: `${base}/tail`,
  summary: 'Follow log lines as they are stored (text/event-stream)',
  query: Type.Object(
    {
      ...filters,
      /** `tail` of a page or of the last event: no line is left out and none is repeated. Default: from now on. */
      after: Type.Optional(Tail),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.String({ description: 'text/event-stream' }) },
  errors: ['too_many_streams'],
  rate: 'none',
})

/** One event of followLogs. */
export const LogTailEvent = Type.Object({
  /** Oldest first. */
  items: Type.Array(LogLine),
  /** Matching lines between this event and the one before that were not sent: more came than anyone can read. */
  leftOut: Type.Integer(),
  /** Whether even more were left out, which were not counted: too many to look through, or the filters took too long. */
  isAtLeast: Type.Boolean(),
  /** `after` of the next connection. */
  tail: Type.String(),
})
export type LogTailEvent = Static<typeof LogTailEvent>

export const LogStatus = Type.Object({
  /** LOG_DAYS; 0: lines are not stored. */
  days: Type.Integer(),
  maxBytes: Type.Integer(),
  bytes: Type.Integer(),
  /** When the oldest stored lines begin. Null: none are stored. */
  oldestAt: nullable(Timestamp),
  /** Latest first, at most 50. */
  processes: Type.Array(Type.Object({ process: Type.String(), seenAt: Timestamp, dropped: Type.Integer() })),
})
export type LogStatus = Static<typeof LogStatus>

export const getLogStatus = route({
  ...ofSuperadmins,
  operationId: 'getLogStatus',
  method: 'GET',
  path: `${base}/status`,
  summary: 'Read how much of the log is stored, and by which processes',
  replies: { 200: LogStatus },
  errors: [],
  rate: 'read',
})

import Type, { type Static } from 'typebox'
import { figureNames } from './monitored-figures.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const closed = { additionalProperties: false } as const
const Figure = Type.Enum([...figureNames])

const MonitoredProcess = Type.Object({
  id: Uuid,
  /** `web`, `worker`, or both, joined by a comma. */
  services: Type.String(),
  host: Type.String(),
  pid: Type.Integer(),
  appVersion: Type.String(),
  nodeVersion: Type.String(),
  startedAt: Timestamp,
  lastSeenAt: Timestamp,
  /** Stopped, or silent for three minutes. */
  isRunning: Type.Boolean(),
  /** Null: no minute has ended since its start. */
  latest: nullable(
    Type.Object({
      delayMs: Type.Number(),
      cpuPercent: Type.Number(),
      memoryBytes: Type.Number(),
      diskFreePercent: Type.Number(),
    }),
  ),
})
export type MonitoredProcess = Static<typeof MonitoredProcess>

const SlowQuery = Type.Object({
  /** With placeholders instead of values; at most 500 characters. */
  query: Type.String(),
  /** Null: it runs now, and is counted by no extension. */
  calls: nullable(Type.Integer()),
  /** Mean time; of a running query, its time until now. */
  ms: Type.Number(),
})

const MonitorAlert = Type.Object({
  id: Uuid,
  figure: Type.String(),
  crossedAt: Timestamp,
  /** Null: not beyond the threshold for long enough. */
  alertedAt: nullable(Timestamp),
  endedAt: nullable(Timestamp),
  worstValue: Type.Number(),
})
export type MonitorAlert = Static<typeof MonitorAlert>

const CurrentFigure = Type.Object({
  figure: Figure,
  /** Of figures of processes, the worst. Null: nothing measured yet. */
  value: nullable(Type.Number()),
  /** Whether it is beyond its threshold. Never with a disabled one. */
  isBeyond: Type.Boolean(),
})
export type CurrentFigure = Static<typeof CurrentFigure>

export const MonitoringNow = Type.Object({
  figures: Type.Array(CurrentFigure),
  processes: Type.Array(MonitoredProcess),
  slowQueries: Type.Object({
    /** `statements`: since the server's statistics began, by pg_stat_statements. `running`: what runs at this moment. */
    source: Type.Enum(['statements', 'running']),
    items: Type.Array(SlowQuery),
  }),
  /** Open ones first, then the latest that ended; at most 50. */
  alerts: Type.Array(MonitorAlert),
})
export type MonitoringNow = Static<typeof MonitoringNow>

const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const base = '/api/v1/superadmin/monitoring'

export const getMonitoring = route({
  ...ofSuperadmins,
  operationId: 'getMonitoring',
  method: 'GET',
  path: base,
  summary: 'Read the latest figures, processes, slow queries and alerts of the instance',
  replies: { 200: MonitoringNow },
  errors: [],
  rate: 'read',
})

export const exportSlowQueries = route({
  ...ofSuperadmins,
  operationId: 'exportSlowQueries',
  method: 'POST',
  path: `${base}/slow-queries/exports`,
  summary: 'Download the slow queries of the database as CSV, slowest first; at most 500',
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

/** Periods of the charts, in hours. */
export const historyHours = [24, 168, 336] as const

const MonitoringHistory = Type.Object({
  stepMinutes: Type.Integer(),
  /** Begin of each step, oldest first; steps without a measurement are among them. */
  at: Type.Array(Timestamp),
  /** The worst value of each step; null: none. */
  figures: Type.Record(Type.String(), Type.Array(nullable(Type.Number()))),
})
export type MonitoringHistory = Static<typeof MonitoringHistory>

export const getMonitoringHistory = route({
  ...ofSuperadmins,
  operationId: 'getMonitoringHistory',
  method: 'GET',
  path: `${base}/history`,
  summary: 'Read the figures of the last hours in at most 336 steps: of each step the worst value',
  query: Type.Object({ hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 336, default: 336 })) }, closed),
  replies: { 200: MonitoringHistory },
  errors: [],
  rate: 'read',
})

const Threshold = Type.Object({
  figure: Figure,
  limit: Type.Integer(),
  minutes: Type.Integer(),
  isEnabled: Type.Boolean(),
  /** Whether it is as Earshot brings it. */
  isDefault: Type.Boolean(),
})
export type Threshold = Static<typeof Threshold>
const Thresholds = Type.Object({ items: Type.Array(Threshold) })

export const listThresholds = route({
  ...ofSuperadmins,
  operationId: 'listThresholds',
  method: 'GET',
  path: `${base}/thresholds`,
  summary: 'List the threshold of each figure',
  replies: { 200: Thresholds },
  errors: [],
  rate: 'read',
})

export const ThresholdChange = Type.Object(
  {
    limit: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000_000 }),
    minutes: Type.Integer({ minimum: 1, maximum: 1440 }),
    isEnabled: Type.Boolean(),
  },
  closed,
)
export type ThresholdChange = Static<typeof ThresholdChange>

const FigureParams = Type.Object({ figure: Type.String({ maxLength: 40 }) })

export const changeThreshold = route({
  ...ofSuperadmins,
  operationId: 'changeThreshold',
  method: 'PUT',
  path: `${base}/thresholds/{figure}`,
  summary: 'Change the threshold of a figure',
  params: FigureParams,
  body: ThresholdChange,
  replies: { 200: Threshold },
  errors: ['figure_not_found'],
  rate: 'write',
})

export const resetThreshold = route({
  ...ofSuperadmins,
  operationId: 'resetThreshold',
  method: 'DELETE',
  path: `${base}/thresholds/{figure}`,
  summary: 'Reset the threshold of a figure to its default',
  params: FigureParams,
  replies: { 200: Threshold },
  errors: ['figure_not_found'],
  rate: 'write',
})

const jobFilters = {
  /** In the name of the job or its last error. */
  search: Type.Optional(line({ maxLength: 200 })),
}
const listedJobs = { ...jobFilters, sort: Type.Optional(Type.Enum(['latest', 'oldest'])) }
const JobId = Type.String({ maxLength: 40 })

/** A job that failed at its last attempt. */
export const FailedJob = Type.Object({
  id: JobId,
  name: Type.String(),
  attempts: Type.Integer(),
  /** Without personal data and secrets; at most 1,000 characters. */
  lastError: nullable(Type.String()),
  createdAt: Timestamp,
  failedAt: Timestamp,
})
export type FailedJob = Static<typeof FailedJob>

export const listFailedJobs = route({
  ...ofSuperadmins,
  operationId: 'listFailedJobs',
  method: 'GET',
  path: `${base}/failed-jobs`,
  summary: 'List jobs that failed at their last attempt',
  query: Type.Object(
    {
      ...listedJobs,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    closed,
  ),
  replies: {
    200: Type.Object({ items: Type.Array(FailedJob), count: Type.Integer(), nextCursor: nullable(Type.String()) }),
  },
  errors: [],
  rate: 'read',
})

export const exportFailedJobs = route({
  ...ofSuperadmins,
  operationId: 'exportFailedJobs',
  method: 'POST',
  path: `${base}/failed-jobs/exports`,
  summary: 'Download failed jobs as CSV',
  body: Type.Object(listedJobs, closed),
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const retryFailedJob = route({
  ...ofSuperadmins,
  operationId: 'retryFailedJob',
  method: 'POST',
  path: `${base}/failed-jobs/{jobId}/retry`,
  summary: 'Retry a failed job: it gets all its attempts again',
  params: Type.Object({ jobId: JobId }),
  replies: { 200: Type.Object({ count: Type.Integer() }) },
  errors: ['job_not_found'],
  rate: 'write',
})

export const retryFailedJobs = route({
  ...ofSuperadmins,
  operationId: 'retryFailedJobs',
  method: 'POST',
  path: `${base}/failed-jobs/retry`,
  summary: 'Retry all failed jobs that match',
  body: Type.Object(jobFilters, closed),
  replies: { 200: Type.Object({ count: Type.Integer() }) },
  errors: [],
  rate: 'write',
})

export const deleteFailedJob = route({
  ...ofSuperadmins,
  operationId: 'deleteFailedJob',
  method: 'DELETE',
  path: `${base}/failed-jobs/{jobId}`,
  summary: 'Permanently delete a failed job: what it would have done is not done',
  params: Type.Object({ jobId: JobId }),
  replies: { 200: Type.Object({ count: Type.Integer() }) },
  errors: ['job_not_found'],
  rate: 'write',
})

/** How a figure is written: bytes and seconds in a fitting unit. */
export type FigureUnit = 'ms' | 'percent' | 'bytes' | 'count' | 'seconds'

interface MonitoredFigure {
  readonly label: string
  readonly unit: FigureUnit
  /** What it measures, in a sentence. */
  readonly meaning: string
  /** Which side of the limit alerts. */
  readonly alertsWhen: 'above' | 'below'
  /** `process`: each process measures itself; the worst counts. */
  readonly of: 'process' | 'instance'
  readonly limit: number
  /** Minutes in a row beyond the limit before superadmins are emailed, and within it before they hear of the recovery. */
  readonly minutes: number
  readonly isEnabled: boolean
}

const gibibyte = 1024 ** 3

/** The figures of every minute, with the default thresholds. The keys are columns of the database. */
export const monitoredFigures = {
  delay_ms: {
    label: 'Event loop delay',
    unit: 'ms',
    meaning: 'How late a process reacts: the 99th percentile of a minute.',
    alertsWhen: 'above',
    of: 'process',
    limit: 500,
    minutes: 5,
    isEnabled: true,
  },
  cpu_percent: {
    label: 'CPU',
    unit: 'percent',
    meaning: 'CPU time of a process. 100 % is one busy core.',
    alertsWhen: 'above',
    of: 'process',
    limit: 95,
    minutes: 15,
    isEnabled: true,
  },
  memory_bytes: {
    label: 'Memory',
    unit: 'bytes',
    meaning: 'Resident memory of a process.',
    alertsWhen: 'above',
    of: 'process',
    limit: 2 * gibibyte,
    minutes: 10,
    isEnabled: true,
  },
  disk_free_percent: {
    label: 'Free disk space',
    unit: 'percent',
    meaning: 'Free part of the disk with the data folder.',
    alertsWhen: 'below',
    of: 'process',
    limit: 10,
    minutes: 5,
    isEnabled: true,
  },
  workers: {
    label: 'Workers',
    unit: 'count',
    meaning: 'Processes with the service worker that reported within the last minute.',
    alertsWhen: 'below',
    of: 'instance',
    limit: 1,
    minutes: 3,
    isEnabled: true,
  },
  queue_waiting: {
    label: 'Waiting jobs',
    unit: 'count',
    meaning: 'Jobs that are due and not started.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 1000,
    minutes: 15,
    isEnabled: true,
  },
  queue_oldest_seconds: {
    label: 'Oldest waiting job',
    unit: 'seconds',
    meaning: 'For how long the oldest due job has waited.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 600,
    minutes: 5,
    isEnabled: true,
  },
  jobs_failed: {
    label: 'Failed jobs',
    unit: 'count',
    meaning: 'Jobs that failed at their last attempt. They stay until you retry or delete them.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 0,
    minutes: 1,
    isEnabled: true,
  },
  emails_waiting: {
    label: 'Waiting emails',
    unit: 'count',
    meaning: 'Emails in the outbox that are not sent yet.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 100,
    minutes: 15,
    isEnabled: true,
  },
  emails_failed: {
    label: 'Failed emails',
    unit: 'count',
    meaning: 'Emails that were given up in the last 24 hours.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 10,
    minutes: 5,
    isEnabled: true,
  },
  integrations_failing: {
    label: 'Disabled integrations',
    unit: 'count',
    meaning: 'Integrations that Earshot disabled because the service refused.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 0,
    minutes: 60,
    isEnabled: false,
  },
  connections_percent: {
    label: 'Database connections',
    unit: 'percent',
    meaning: 'Open connections of the database server, of its max_connections.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 85,
    minutes: 5,
    isEnabled: true,
  },
  slow_queries: {
    label: 'Slow queries',
    unit: 'count',
    meaning: 'Queries that had run for longer than a second.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 5,
    minutes: 10,
    isEnabled: true,
  },
  read_only_seconds: {
    label: 'Read-only mode',
    unit: 'seconds',
    meaning: 'For how long the instance has been read-only for maintenance.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 4 * 3600,
    minutes: 1,
    isEnabled: true,
  },
  database_bytes: {
    label: 'Database size',
    unit: 'bytes',
    meaning: 'Size of the database on disk, with indexes.',
    alertsWhen: 'above',
    of: 'instance',
    limit: 50 * gibibyte,
    minutes: 60,
    isEnabled: false,
  },
} as const satisfies Readonly<Record<string, MonitoredFigure>>

export type FigureName = keyof typeof monitoredFigures
// The keys of an object literal are its names.
export const figureNames = Object.keys(monitoredFigures) as FigureName[]

export function isFigureName(name: string): name is FigureName {
  return Object.hasOwn(monitoredFigures, name)
}

/** As people read it: `512 ms`, `1.5 GiB`, `12 min`. */
export function formatFigure(value: number, unit: FigureUnit): string {
  const round = (n: number) => String(Math.round(n * 10) / 10)
  switch (unit) {
    case 'ms':
      return `${Math.round(value)} ms`
    case 'percent':
      return `${round(value)} %`
    case 'count':
      return Math.round(value).toLocaleString('en')
    case 'bytes':
      return value >= gibibyte ? `${round(value / gibibyte)} GiB` : `${Math.round(value / 1024 ** 2)} MiB`
    case 'seconds':
      if (value < 120) return `${Math.round(value)} s`
      return value < 7200 ? `${Math.round(value / 60)} min` : `${round(value / 3600)} h`
  }
}

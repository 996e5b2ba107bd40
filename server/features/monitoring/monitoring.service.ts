import { type FigureName, figureNames, isFigureName, monitoredFigures } from '#contract/monitored-figures.ts'
import type {
  MonitoredProcess,
  MonitoringHistory,
  MonitoringNow,
  Threshold,
  ThresholdChange,
} from '#contract/superadmin-monitoring.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { scrubText } from '#server/platform/scrub/scrub-text.ts'
import { deleteThreshold, listAlerts, saveThreshold } from './alerts.queries.ts'
import { slowQuerySeconds } from './collect.queries.ts'
import { listHistory, readFigures } from './figures.queries.ts'
import { isBeyond } from './judge-figure.ts'
import { listProcesses, listRunningQueries, listSlowStatements } from './processes.queries.ts'
import { readThresholds } from './raise-alerts.ts'

const reason = 'superadmins read and change the monitoring of the instance'
const shownProcesses = 50
const shownAlerts = 50
const shownQueries = 10
const downloadedQueries = 500
/** Statements with a shorter mean are not listed. */
const slowStatementMs = 100
/** Points of a chart. */
const mostSteps = 336

export type Monitoring = ReturnType<typeof createMonitoring>

export function createMonitoring(database: Database) {
  return {
    readNow: (): Promise<MonitoringNow> =>
      database.asSystem(reason, async (tx) => {
        const figures = await readFigures(tx)
        const thresholds = await readThresholds(tx)
        return {
          figures: figureNames.map((figure) => {
            const value = figures[figure]
            const { limit, isEnabled } = thresholds.get(figure) ?? monitoredFigures[figure]
            return {
              figure,
              value,
              isBeyond: value !== null && isEnabled && isBeyond(value, monitoredFigures[figure].alertsWhen, limit),
            }
          }),
          processes: (await listProcesses(tx, shownProcesses)).map(toProcess),
          slowQueries: await readSlowQueries(tx, shownQueries),
          alerts: (await listAlerts(tx, shownAlerts)).map(({ recoveringSince: _, ...alert }) => ({
            ...alert,
            crossedAt: alert.crossedAt.toISOString(),
            alertedAt: alert.alertedAt?.toISOString() ?? null,
            endedAt: alert.endedAt?.toISOString() ?? null,
          })),
        }
      }),

    exportSlowQueries: () => exportSlowQueries(database),

    readHistory: async (hours: number): Promise<MonitoringHistory> => {
      const stepMinutes = Math.ceil((hours * 60) / mostSteps)
      const stepMs = stepMinutes * 60_000
      const rows = await database.asSystem(reason, async (tx) => [
        ...(await listHistory(tx, 'process', hours, stepMinutes)),
        ...(await listHistory(tx, 'instance', hours, stepMinutes)),
      ])
      const last = Math.floor(Date.now() / stepMs) * stepMs
      const count = Math.ceil((hours * 3_600_000) / stepMs)
      const at = Array.from({ length: count }, (_, index) => last - (count - 1 - index) * stepMs)
      const figures = Object.fromEntries(figureNames.map((name) => [name, at.map((): number | null => null)]))
      for (const { at: time, ...values } of rows) {
        const index = at.indexOf(time.getTime())
        if (index < 0) continue
        for (const [name, value] of Object.entries(values)) {
          const course = figures[name]
          if (course) course[index] = value
        }
      }
      return { stepMinutes, at: at.map((time) => new Date(time).toISOString()), figures }
    },

    listThresholds: (): Promise<{ items: Threshold[] }> =>
      database.asSystem(reason, async (tx) => ({
        items: [...(await readThresholds(tx))].map(([figure, threshold]) => ({ figure, ...threshold })),
      })),

    /** @throws ProductError `figure_not_found`. */
    changeThreshold: (figure: string, change: ThresholdChange): Promise<Threshold> =>
      database.asSystem(reason, async (tx) => {
        requireFigure(figure)
        await saveThreshold(tx, figure, change)
        await record(tx, 'threshold.changed', figure, { ...change })
        return { figure, ...change, isDefault: false }
      }),

    /** @throws ProductError `figure_not_found`. */
    resetThreshold: (figure: string): Promise<Threshold> =>
      database.asSystem(reason, async (tx) => {
        requireFigure(figure)
        await deleteThreshold(tx, figure)
        const { limit, minutes, isEnabled } = monitoredFigures[figure]
        await record(tx, 'threshold.reset', figure, { limit, minutes, isEnabled })
        return { figure, limit, minutes, isEnabled, isDefault: true }
      }),
  }
}

function requireFigure(name: string): asserts name is FigureName {
  if (!isFigureName(name)) throw new ProductError('figure_not_found')
}

function record(tx: SystemTx, action: string, figure: FigureName, after: Readonly<Record<string, unknown>>) {
  return writeInstanceEntry(tx, { action, targetType: 'threshold', targetName: monitoredFigures[figure].label, after })
}

function toProcess(row: Awaited<ReturnType<typeof listProcesses>>[number]): MonitoredProcess {
  const { delayMs, cpuPercent, memoryBytes, diskFreePercent, startedAt, lastSeenAt, ...process } = row
  const isMeasured = delayMs !== null && cpuPercent !== null && memoryBytes !== null && diskFreePercent !== null
  return {
    ...process,
    startedAt: startedAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    latest: isMeasured ? { delayMs, cpuPercent, memoryBytes, diskFreePercent } : null,
  }
}

function exportSlowQueries(database: Database): Promise<CsvDownload> {
  return beginDownload<never>(database, {
    name: 'Slow queries',
    file: 'slow-queries',
    filters: {},
    columns: ['query', 'ms', 'calls', 'source'],
    read: async () => {
      const { source, items } = await database.asSystem(reason, (tx) => readSlowQueries(tx, downloadedQueries))
      return { rows: items.map(({ query, ms, calls }) => [query, ms, calls, source]), next: undefined }
    },
  })
}

async function readSlowQueries(tx: SystemTx, limit: number): Promise<MonitoringNow['slowQueries']> {
  const statements = await listSlowStatements(tx, { minMs: slowStatementMs, limit })
  const found = statements ?? (await listRunningQueries(tx, slowQuerySeconds, limit))
  return {
    source: statements ? 'statements' : 'running',
    items: found.map(({ query, ...rest }) => ({ query: scrubText(query.replace(/\s+/g, ' ').trim()), ...rest })),
  }
}

import {
  activationSteps,
  activeFigure,
  type MetricsPartFigure,
  type MetricsParts,
  type MetricsReport,
  type MetricsStep,
  retentionWeeks,
  type Usage,
  usageFigureNames,
  usageFigures,
} from '#contract/superadmin-metrics.ts'
import {
  downloadFigureParts,
  type FigurePartsPage,
  type FigurePartsQuery,
  listFigureParts,
} from '#server/features/superadmin-figures/figure-parts.service.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import type { Reports } from '#server/platform/database/reports.ts'
import type { CsvDownload } from '#server/platform/events/csv-download.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import {
  type DayRange,
  listActive,
  listCohorts,
  listRetention,
  listUsageDays,
  readToday,
  selectParts,
  sumActivation,
} from './metrics.queries.ts'
import { addDays, chooseStep, countDays, listSteps, readRange, requireDay, startOfStep } from './metrics-period.ts'

/** Use of the instance. contract/superadmin-metrics.ts defines every figure. */
export interface SuperadminMetrics {
  /** @throws ProductError `validation_failed` for days that are none, and spans that are empty or too long. */
  report(query: { from?: string; to?: string; step?: MetricsStep }): Promise<MetricsReport>
  /** @throws ProductError `validation_failed` for such days, a cohort of another figure than `active` or a foreign cursor. */
  listParts(query: MetricsParts & FigurePartsQuery): Promise<FigurePartsPage>
  exportParts(wanted: MetricsParts): Promise<CsvDownload>
}

const reason = 'superadmins read the use of the instance'

export function createSuperadminMetrics(database: Database, reports: Reports): SuperadminMetrics {
  const listParts = (
    { figure, from, to, cohort, ...page }: MetricsParts & FigurePartsQuery,
    sentIn: 'query' | 'body' = 'query',
  ): Promise<FigurePartsPage> =>
    reports.asSystem(reason, async (tx) => {
      const range = readRange({ from, to }, to, sentIn)
      if (cohort !== undefined) {
        if (figure !== 'active') throw invalid(`${sentIn}.cohort`, 'is only for the figure active')
        requireDay(cohort, `${sentIn}.cohort`)
      }
      return listFigureParts(tx, selectParts({ ...range, figure, cohort: cohort ?? null }), page)
    })

  return {
    report: (query) =>
      reports.asSystem(reason, async (tx) => {
        const today = await readToday(tx)
        const range = readRange(query, today)
        const days = countDays(range.from, range.to)
        const previous = { from: addDays(range.from, -days), to: addDays(range.from, -1) }
        const step = query.step ?? chooseStep(range)
        const steps = listSteps(range, step)
        const usage = await listUsageDays(tx, { from: previous.from, to: range.to })
        const active = new Map(
          (await listActive(tx, step, { from: startOfStep(range.from, step), to: range.to })).map((each) => [
            each.startsOn,
            each.n,
          ]),
        )
        return {
          ...range,
          previousFrom: previous.from,
          previousTo: previous.to,
          step,
          steps: steps.map(({ start, from, to }) => ({
            from,
            to,
            usage: sumUsage(usage, { from, to }),
            active: active.get(start) ?? 0,
          })),
          totals: sumUsage(usage, range),
          previousTotals: sumUsage(usage, previous),
          activeMean: await readActiveMean(tx, range, today),
          previousActiveMean: await readActiveMean(tx, previous, today),
          funnel: await sumActivation(tx, range),
          previousFunnel: await sumActivation(tx, previous),
          cohorts: await readCohorts(tx, today),
        }
      }),

    listParts: (query) => listParts(query),

    exportParts: (wanted) =>
      downloadFigureParts(database, {
        name: `Metrics: ${labelOf(wanted.figure)}`,
        file: `metrics-${wanted.figure}-${wanted.from}-${wanted.to}`,
        filters: wanted,
        amount: wanted.figure === 'active' ? 'active_days' : wanted.figure,
        list: (page) => listParts({ ...wanted, ...page }, 'body'),
      }),
  }
}

function labelOf(figure: MetricsPartFigure): string {
  return { ...usageFigures, active: activeFigure, ...activationSteps }[figure].label
}

function sumUsage(days: readonly (Usage & { day: string })[], { from, to }: DayRange): Usage {
  const own = days.filter(({ day }) => day >= from && day <= to)
  const sums = usageFigureNames.map((name) => [name, own.reduce((sum, each) => sum + each[name], 0)])
  // Made of all names.
  return Object.fromEntries(sums) as Usage
}

async function readActiveMean(tx: SystemTx, { from, to }: DayRange, today: string): Promise<number> {
  const until = to > today ? today : to
  if (from > until) return 0
  const active = await listActive(tx, 'day', { from, to: until })
  return active.reduce((sum, { n }) => sum + n, 0) / countDays(from, until)
}

async function readCohorts(tx: SystemTx, today: string): Promise<MetricsReport['cohorts']> {
  const current = startOfStep(today, 'week')
  const first = addDays(current, -7 * (retentionWeeks - 1))
  const sizes = new Map((await listCohorts(tx, first)).map(({ week, organizations }) => [week, organizations]))
  const active = new Map((await listRetention(tx, first)).map(({ cohort, week, n }) => [`${cohort} ${week}`, n]))
  return Array.from({ length: retentionWeeks }, (_, index) => {
    const week = addDays(first, 7 * index)
    return {
      week,
      organizations: sizes.get(week) ?? 0,
      active: Array.from(
        { length: retentionWeeks - index },
        (_each, offset) => active.get(`${week} ${addDays(week, 7 * offset)}`) ?? 0,
      ),
    }
  })
}

import {
  type MetricsPart,
  type MetricsPartFigure,
  type MetricsReport,
  type MetricsStep,
  retentionWeeks,
  type Usage,
  usageFigureNames,
} from '#contract/superadmin-metrics.ts'
import { isUuid } from '#contract/uuid.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Reports } from '#server/platform/database/reports.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import {
  type DayRange,
  listActive,
  listCohorts,
  listParts,
  listRetention,
  listUsageDays,
  type PartPlace,
  readToday,
  sumActivation,
} from './metrics.queries.ts'
import { addDays, chooseStep, countDays, listSteps, readRange, requireDay, startOfStep } from './metrics-period.ts'

export interface PartsQuery {
  readonly figure: MetricsPartFigure
  readonly from: string
  readonly to: string
  readonly cohort?: string
  readonly search?: string
  readonly sort?: 'amount' | 'name'
  readonly cursor?: string
  readonly limit?: number
}

/** Use of the instance. contract/superadmin-metrics.ts defines every figure. */
export interface SuperadminMetrics {
  /** @throws ProductError `validation_failed` for days that are none, and spans that are empty or too long. */
  report(query: { from?: string; to?: string; step?: MetricsStep }): Promise<MetricsReport>
  /** @throws ProductError `validation_failed` for such days, a cohort of another figure than `active` or a foreign cursor. */
  listParts(
    query: PartsQuery,
  ): Promise<{ items: MetricsPart[]; total: number; count: number; nextCursor: string | null }>
}

const reason = 'superadmins read the use of the instance'
const pageSize = 50

export function createSuperadminMetrics(reports: Reports): SuperadminMetrics {
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

    listParts: ({ figure, from, to, cohort, search = '', sort = 'amount', cursor, limit = pageSize }) =>
      reports.asSystem(reason, async (tx) => {
        const range = readRange({ from, to }, to)
        if (cohort !== undefined) {
          if (figure !== 'active') throw invalid('query.cohort', 'is only for the figure active')
          requireDay(cohort, 'query.cohort')
        }
        const found = await listParts(tx, {
          ...range,
          figure,
          cohort,
          search: search.trim().toLowerCase(),
          sort,
          after: cursor === undefined ? undefined : readCursor(cursor),
          limit: limit + 1,
        })
        const page = found.rows.slice(0, limit)
        const last = page.at(-1)
        return {
          items: page.map(({ amount, ...organization }) => ({ organization, amount })),
          total: found.total,
          count: found.count,
          nextCursor: found.rows.length > limit && last ? writeCursor(last) : null,
        }
      }),
  }
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

function writeCursor({ amount, name, id }: PartPlace): string {
  return Buffer.from(JSON.stringify([amount, name.toLowerCase(), id])).toString('base64url')
}

/** @throws ProductError `validation_failed` when the text is none of ours. */
function readCursor(cursor: string): PartPlace {
  try {
    const [amount, name, id]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Number.isSafeInteger(amount) && typeof name === 'string' && typeof id === 'string' && isUuid(id))
      return { amount: Number(amount), name, id }
  } catch {
    // No JSON, or no list.
  }
  throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
}

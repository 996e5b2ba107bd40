import {
  type AnalyticsFunnel,
  type AnalyticsOrigins,
  type AnalyticsQuery,
  type AnalyticsTimes,
  type AnalyticsTopValues,
  type AnalyticsTrends,
  type InboxOverview,
  topValueCount,
} from '#contract/analytics.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Reports } from '#server/platform/database/reports.ts'
import {
  listDays,
  listTimes,
  listTopValues,
  listWidgetDays,
  readInboxSums,
  type Span,
  type ValueRow,
  type WidgetDayRow,
} from './analytics.queries.ts'
import { type Period, readPeriod } from './period.ts'
import { summariseDays, summariseTimes } from './summarise-days.ts'

export interface Analytics {
  /** @throws ProductError `validation_failed`; so do the others that take a query. */
  readTrends(actor: Actor, organizationId: string, query: AnalyticsQuery): Promise<AnalyticsTrends>
  readTimes(actor: Actor, organizationId: string, query: AnalyticsQuery): Promise<AnalyticsTimes>
  readOrigins(actor: Actor, organizationId: string, query: AnalyticsQuery): Promise<AnalyticsOrigins>
  readFunnel(actor: Actor, organizationId: string, query: AnalyticsQuery): Promise<AnalyticsFunnel>
  readOverview(actor: Actor, organizationId: string): Promise<InboxOverview>
}

/** @param database for the overview, which opens with the dashboard and reads one row. */
export function createAnalytics(reports: Reports, database: Database): Analytics {
  return {
    readTrends: async (actor, organizationId, query) => {
      const period = readPeriod(query, Date.now())
      const rows = await reports.withTenant(actor, (tx) => listDays(tx, toSpan(organizationId, query, period)))
      return { ...toRangeOfTrends(period), ...summariseDays(rows, period) }
    },

    readTimes: async (actor, organizationId, query) => {
      const period = readPeriod(query, Date.now())
      const rows = await reports.withTenant(actor, (tx) => listTimes(tx, toSpan(organizationId, query, period)))
      return { ...toRangeOfTrends(period), ...summariseTimes(rows, period) }
    },

    readOrigins: async (actor, organizationId, query) => {
      const period = readPeriod(query, Date.now())
      const span = { ...toSpan(organizationId, query, period), middle: period.from, limit: topValueCount }
      const rows = await reports.withTenant(actor, (tx) => listTopValues(tx, span))
      const { steps: _, ...range } = toRange(period)
      return {
        ...range,
        pages: toTopValues(rows, 'page'),
        browsers: toTopValues(rows, 'browser'),
        countries: toTopValues(rows, 'country'),
      }
    },

    readFunnel: async (actor, organizationId, query) => {
      const period = readPeriod(query, Date.now())
      const rows = await reports.withTenant(actor, (tx) => listWidgetDays(tx, toSpan(organizationId, query, period)))
      return {
        ...toRange(period),
        loaded: sumStage(rows, period, 'loaded'),
        opened: sumStage(rows, period, 'opened'),
        submitted: sumStage(rows, period, 'submitted'),
      }
    },

    readOverview: async (actor, organizationId) => {
      const { unread, fresh, priorities, assignees } = await database.withTenant(actor, (tx) =>
        readInboxSums(tx, organizationId),
      )
      const sum = (counts: Record<string, number> | null) => Object.values(counts ?? {}).reduce((a, b) => a + b, 0)
      return {
        unread,
        fresh,
        unresolved: sum(priorities),
        priorities: priorities ?? {},
        assignedToYou: assignees?.[actor.userId] ?? 0,
        unassigned: sum(priorities) - sum(assignees),
      }
    },
  }
}

function toSpan(organizationId: string, { projectId }: AnalyticsQuery, period: Period): Span {
  return { organizationId, projectIds: projectId, from: period.previousFrom, to: period.to }
}

function toRange({ from, to, previousFrom, previousTo, steps }: Period) {
  return { from, to, previousFrom, previousTo, steps: [...steps] }
}

function toRangeOfTrends(period: Period) {
  return { ...toRange(period), points: [...period.points] }
}

function toTopValues(rows: readonly ValueRow[], dimension: ValueRow['dimension']): AnalyticsTopValues {
  const own = rows.filter((row) => row.dimension === dimension)
  const items = own
    .filter((row) => row.value !== '' && row.total + row.previousTotal > 0)
    .map(({ value, total, previousTotal }) => ({ value, total, previousTotal }))
  const listed = items.reduce((sum, { total }) => sum + total, 0)
  const previouslyListed = items.reduce((sum, { previousTotal }) => sum + previousTotal, 0)
  return {
    items,
    others: (own[0]?.dimensionTotal ?? 0) - listed,
    previousOthers: (own[0]?.previousDimensionTotal ?? 0) - previouslyListed,
  }
}

function sumStage(
  rows: readonly WidgetDayRow[],
  { steps, findStep }: Period,
  stage: 'loaded' | 'opened' | 'submitted',
): AnalyticsFunnel['loaded'] {
  const perStep = steps.map(() => 0)
  let total = 0
  let previousTotal = 0
  for (const row of rows) {
    const step = findStep(row.day)
    if (step?.isPrevious) previousTotal += row[stage]
    else if (step) {
      total += row[stage]
      perStep[step.index] = (perStep[step.index] ?? 0) + row[stage]
    }
  }
  return { total, previousTotal, perStep }
}

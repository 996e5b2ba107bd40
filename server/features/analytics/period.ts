import { type AnalyticsQuery, maxAnalyticsDays } from '#contract/analytics.ts'
import { invalid } from '#server/platform/http/invalid.ts'

const dayMs = 86_400_000
const defaultDays = 30
/** Averages of a single day are of a few people, and of another kind of day than those beside it. */
const daysPerPoint = 7

/** A span of days, the equally long one before it, and the steps in which both are shown. Days as `2026-01-31`. */
export interface Period {
  readonly from: string
  readonly to: string
  readonly previousFrom: string
  readonly previousTo: string
  readonly steps: readonly { readonly from: string; readonly to: string }[]
  /** What a point of a trend is of: as many steps as end with its own and make a week, and one where that is longer. */
  readonly stepsPerPoint: number
  /** The days of each step's point. */
  readonly points: readonly { readonly from: string; readonly to: string }[]
  /** Which step a day of either period belongs to; undefined for other days. */
  findStep(day: string): { index: number; isPrevious: boolean } | undefined
}

/**
 * Days up to a month, weeks up to about a year, four weeks beyond. Steps are counted back from the end, so that
 * the latest is as long as those before it and a dip there means something.
 *
 * @throws ProductError `validation_failed` for days that are none, and spans that are empty or too long.
 */
export function readPeriod(asked: Pick<AnalyticsQuery, 'from' | 'to'>, nowMs: number): Period {
  const last = asked.to === undefined ? Math.floor(nowMs / dayMs) : readDay(asked.to, 'query.to')
  const first = asked.from === undefined ? last - defaultDays + 1 : readDay(asked.from, 'query.from')
  const days = last - first + 1
  if (days < 1) throw invalid('query.to', 'must not be before from')
  if (days > maxAnalyticsDays) throw invalid('query.from', `must be at most ${maxAnalyticsDays} days before to`)
  const daysPerStep = days <= 31 ? 1 : days <= 400 ? 7 : 28
  const stepCount = Math.ceil(days / daysPerStep)
  const stepsPerPoint = Math.max(1, Math.floor(daysPerPoint / daysPerStep))
  const ends = Array.from({ length: stepCount }, (_, index) => last - (stepCount - 1 - index) * daysPerStep)
  const toStep = (day: number, lastDay: number) => stepCount - 1 - Math.floor((lastDay - day) / daysPerStep)
  return {
    from: writeDay(first),
    to: writeDay(last),
    previousFrom: writeDay(first - days),
    previousTo: writeDay(first - 1),
    steps: ends.map((end) => ({ from: writeDay(Math.max(first, end - daysPerStep + 1)), to: writeDay(end) })),
    stepsPerPoint,
    points: ends.map((end) => ({
      from: writeDay(stepsPerPoint > 1 ? end - stepsPerPoint + 1 : Math.max(first, end - daysPerStep + 1)),
      to: writeDay(end),
    })),
    findStep: (text) => {
      const day = Date.parse(text) / dayMs
      if (day > last || day < first - days) return undefined
      const isPrevious = day < first
      return { index: toStep(day, isPrevious ? first - 1 : last), isPrevious }
    },
  }
}

/** Days since 1970. */
function readDay(text: string, path: string): number {
  const day = Date.parse(`${text}T00:00:00Z`) / dayMs
  // `2026-02-30` is read as a day of March, or not at all.
  if (!Number.isInteger(day) || writeDay(day) !== text) throw invalid(path, 'must be a day such as 2026-01-31')
  return day
}

function writeDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10)
}

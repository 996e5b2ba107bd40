import type { AnalyticsDuration, AnalyticsSeries, AnalyticsTimes, AnalyticsTrends } from '#contract/analytics.ts'
import { feedbackSources, feedbackStatuses, feedbackTypes } from '#contract/feedback.ts'
import type { DayRow, TimesRow } from './analytics.queries.ts'
import { addCounts, findPercentile } from './histogram.ts'
import type { Period } from './period.ts'

/** Sums of a period's steps: present and previous. */
interface Steps<Value> {
  readonly present: readonly Value[]
  readonly previous: readonly Value[]
}

/** What the days say, in steps and in all. Several rows of one day are of several projects, and are added. */
export function summariseDays(rows: readonly DayRow[], period: Period): Omit<AnalyticsTrends, keyof Period> {
  const numbers = (read: (row: DayRow) => number) => collect(rows, period, 0, read, (a, b) => a + b)
  const lists = (read: (row: DayRow) => readonly number[]) =>
    collect<DayRow, readonly number[]>(rows, period, [], read, addCounts)
  const items = numbers((row) => row.items)
  return {
    items: {
      total: sum(items.present),
      previousTotal: sum(items.previous),
      perStep: [...items.present],
      previousPerStep: [...items.previous],
    },
    types: toSeries(feedbackTypes, (value) => numbers((row) => row.types[value] ?? 0)),
    statuses: toSeries(feedbackStatuses, (value) => numbers((row) => row.statuses[value] ?? 0)),
    sources: toSeries(feedbackSources, (value) => numbers((row) => row.sources[value] ?? 0)),
    ratings: summariseRatings(
      lists((row) => row.ratings),
      period.stepsPerPoint,
    ),
    nps: summariseNps(
      lists((row) => row.nps),
      period.stepsPerPoint,
    ),
  }
}

/** The same for how long things took. */
export function summariseTimes(rows: readonly TimesRow[], period: Period): Omit<AnalyticsTimes, keyof Period> {
  const read = (of: (row: TimesRow) => readonly number[]) =>
    summariseDurations(collect<TimesRow, readonly number[]>(rows, period, [], of, addCounts), period.stepsPerPoint)
  return {
    firstView: read((row) => row.firstView),
    firstResponse: read((row) => row.firstResponse),
    resolution: read((row) => row.resolution),
  }
}

function collect<Row extends { day: string }, Value>(
  rows: readonly Row[],
  period: Period,
  zero: Value,
  read: (row: Row) => Value,
  add: (a: Value, b: Value) => Value,
): Steps<Value> {
  const present = period.steps.map(() => zero)
  const previous = period.steps.map(() => zero)
  for (const row of rows) {
    const step = period.findStep(row.day)
    if (!step) continue
    const into = step.isPrevious ? previous : present
    into[step.index] = add(into[step.index] ?? zero, read(row))
  }
  return { present, previous }
}

function toSeries(values: readonly string[], read: (value: string) => Steps<number>): AnalyticsSeries[] {
  return values
    .map((value) => {
      const { present, previous } = read(value)
      return { value, total: sum(present), previousTotal: sum(previous), perStep: [...present] }
    })
    .filter(({ total, previousTotal }) => total + previousTotal > 0)
}

function summariseRatings(steps: Steps<readonly number[]>, stepsPerPoint: number): AnalyticsTrends['ratings'] {
  const { counts, previousCounts } = addAll(steps, 5)
  const points = toPoints(steps, stepsPerPoint)
  return {
    counts,
    previousCounts,
    mean: findMean(counts),
    previousMean: findMean(previousCounts),
    perPoint: points.present.map(findMean),
    previousPerPoint: points.previous.map(findMean),
  }
}

function summariseNps(steps: Steps<readonly number[]>, stepsPerPoint: number): AnalyticsTrends['nps'] {
  const { counts, previousCounts } = addAll(steps, 11)
  const points = toPoints(steps, stepsPerPoint)
  return {
    counts,
    previousCounts,
    score: findNps(counts),
    previousScore: findNps(previousCounts),
    perPoint: points.present.map(findNps),
    previousPerPoint: points.previous.map(findNps),
  }
}

function summariseDurations(steps: Steps<readonly number[]>, stepsPerPoint: number): AnalyticsDuration {
  const { counts, previousCounts } = addAll(steps, 0)
  const points = toPoints(steps, stepsPerPoint)
  return {
    count: sum(counts),
    previousCount: sum(previousCounts),
    median: findPercentile(counts, 0.5),
    p90: findPercentile(counts, 0.9),
    previousMedian: findPercentile(previousCounts, 0.5),
    previousP90: findPercentile(previousCounts, 0.9),
    perPoint: points.present.map((point) => ({
      count: sum(point),
      median: findPercentile(point, 0.5),
      p90: findPercentile(point, 0.9),
    })),
    previousMedianPerPoint: points.previous.map((point) => findPercentile(point, 0.5)),
  }
}

function addAll({ present, previous }: Steps<readonly number[]>, length: number) {
  const zeros: readonly number[] = new Array<number>(length).fill(0)
  return { counts: [...present.reduce(addCounts, zeros)], previousCounts: [...previous.reduce(addCounts, zeros)] }
}

/**
 * Each step together with those before it that its point is of. The previous period ends where the present begins, so the
 * first points reach into it; what is before that was not read.
 */
function toPoints({ present, previous }: Steps<readonly number[]>, stepsPerPoint: number): Steps<readonly number[]> {
  if (stepsPerPoint === 1) return { present, previous }
  const all = [...previous, ...present]
  const points = all.map((_, index) => all.slice(Math.max(0, index + 1 - stepsPerPoint), index + 1).reduce(addCounts))
  return { present: points.slice(previous.length), previous: points.slice(0, previous.length) }
}

/** Of ratings that start at 1. */
function findMean(counts: readonly number[]): number | null {
  const total = sum(counts)
  return total === 0 ? null : counts.reduce((points, n, index) => points + n * (index + 1), 0) / total
}

/** Promoters (9 and 10) less detractors (0 to 6), in percent: Reichheld, "The One Number You Need to Grow", 2003. */
function findNps(counts: readonly number[]): number | null {
  const total = sum(counts)
  if (total === 0) return null
  return (100 * (sum(counts.slice(9)) - sum(counts.slice(0, 7)))) / total
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, n) => total + n, 0)
}

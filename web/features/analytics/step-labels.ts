import type { AnalyticsTrends } from '#contract/analytics.ts'
import { formatDay, formatDays } from './format-numbers.ts'

/** What the steps of a period are called, on the axis and in full. */
export function nameSteps(steps: AnalyticsTrends['steps']): { short: string; long: string }[] {
  return steps.map(({ from, to }) => ({ short: formatDay(from), long: formatDays(from, to) }))
}

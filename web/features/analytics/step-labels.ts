import type { AnalyticsTrends } from '#contract/analytics.ts'
import { formatDay, formatDays } from './format-numbers.ts'

/** What the steps or points of a period are called, on the axis and in full. */
export function nameSteps(steps: AnalyticsTrends['steps']): { short: string; long: string }[] {
  return steps.map(({ from, to }) => ({ short: formatDay(to), long: formatDays(from, to) }))
}

import { type MetricsStep, maxMetricsDays } from '#contract/superadmin-metrics.ts'
import { invalid } from '#server/platform/http/invalid.ts'

const dayMs = 86_400_000
const defaultDays = 30

/** @throws ProductError `validation_failed` for days that are none, and spans that are empty or too long. */
export function readRange(
  asked: { from?: string; to?: string },
  today: string,
  sentIn: 'query' | 'body' = 'query',
): { from: string; to: string } {
  const to = asked.to ?? today
  requireDay(to, `${sentIn}.to`)
  const from = asked.from ?? addDays(to, 1 - defaultDays)
  requireDay(from, `${sentIn}.from`)
  if (from > to) throw invalid(`${sentIn}.to`, 'must not be before from')
  if (countDays(from, to) > maxMetricsDays)
    throw invalid(`${sentIn}.from`, `must be at most ${maxMetricsDays} days before to`)
  return { from, to }
}

/** @throws ProductError `validation_failed`: `2026-02-30` is no day. */
export function requireDay(day: string, path: string): void {
  const time = Date.parse(`${day}T00:00:00Z`)
  if (!Number.isFinite(time) || !new Date(time).toISOString().startsWith(day))
    throw invalid(path, 'must be a day such as 2026-01-31')
}

/** Steps of the calendar that a range reaches into, cut to the range; `start` is the whole step's first day. */
export function listSteps(
  { from, to }: { from: string; to: string },
  step: MetricsStep,
): { start: string; from: string; to: string }[] {
  const steps: { start: string; from: string; to: string }[] = []
  for (let start = startOfStep(from, step); start <= to; ) {
    const next = startOfNext(start, step)
    const end = addDays(next, -1)
    steps.push({ start, from: start < from ? from : start, to: end > to ? to : end })
    start = next
  }
  return steps
}

/** The step that fits a range best. */
export function chooseStep({ from, to }: { from: string; to: string }): MetricsStep {
  const days = countDays(from, to)
  return days <= 31 ? 'day' : days <= 186 ? 'week' : 'month'
}

export function startOfStep(day: string, step: MetricsStep): string {
  if (step === 'month') return `${day.slice(0, 7)}-01`
  if (step === 'day') return day
  const sundayBased = new Date(`${day}T00:00:00Z`).getUTCDay()
  return addDays(day, -((sundayBased + 6) % 7))
}

function startOfNext(start: string, step: MetricsStep): string {
  if (step === 'month') {
    const [year = 0, month = 1] = start.split('-').map(Number)
    return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
  }
  return addDays(start, step === 'week' ? 7 : 1)
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

/** Both included. */
export function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

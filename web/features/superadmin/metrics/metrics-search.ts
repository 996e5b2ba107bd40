import {
  type MetricsPartFigure,
  type MetricsStep,
  maxMetricsDays,
  metricsPartFigures,
  metricsSteps,
} from '#contract/superadmin-metrics.ts'

/** What the screen shows, as it stands in the address. Days in UTC as `2026-01-31`, both included. */
export interface MetricsSearch {
  /** Days back from today, or `own`. */
  readonly period: MetricsPreset | 'own'
  readonly from: string
  readonly to: string
  /** Empty: what fits the period. */
  readonly step: MetricsStep | ''
}

export const metricsPresets = ['7', '30', '90', '365'] as const
export type MetricsPreset = (typeof metricsPresets)[number]

const dayMs = 86_400_000

/** Reads an address. What isn't known is left out, so that any link opens. */
export function readMetricsSearch(params: URLSearchParams, now: Date): MetricsSearch {
  const step = metricsSteps.find((each) => each === params.get('step')) ?? ''
  const [from, to] = [params.get('from') ?? '', params.get('to') ?? '']
  if (findRangeProblem(from, to) === undefined) return { period: 'own', from, to, step }
  const period = metricsPresets.find((each) => each === params.get('days')) ?? '30'
  return { period, ...daysUntil(now, Number(period)), step }
}

/** The last days, today included. */
export function daysUntil(now: Date, days: number): { from: string; to: string } {
  const to = now.toISOString().slice(0, 10)
  return { from: new Date(Date.parse(to) - (days - 1) * dayMs).toISOString().slice(0, 10), to }
}

export function writeMetricsSearch({ period, from, to, step }: MetricsSearch): URLSearchParams {
  return new URLSearchParams({
    ...(period === 'own' ? { from, to } : period !== '30' && { days: period }),
    ...(step !== '' && { step }),
  })
}

/** Why a range can't be shown; undefined: it can. */
export function findRangeProblem(from: string, to: string): string | undefined {
  if (!isDay(from)) return 'Select the first day.'
  if (!isDay(to)) return 'Select the last day.'
  if (from > to) return 'The last day is before the first.'
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= maxMetricsDays) return 'Select at most three years.'
  return undefined
}

function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return /^20\d{2}-\d{2}-\d{2}$/.test(text) && Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

/** Whose parts are listed, as it stands in the address. */
export interface MetricsPartsSearch {
  readonly figure: MetricsPartFigure
  readonly from: string
  readonly to: string
  /** Monday of the week of sign-up. Empty: all. */
  readonly cohort: string
}

/** Undefined: the address names no figure and period. */
export function readMetricsPartsSearch(params: URLSearchParams): MetricsPartsSearch | undefined {
  const figure = metricsPartFigures.find((each) => each === params.get('figure'))
  const [from, to, cohort] = [params.get('from') ?? '', params.get('to') ?? '', params.get('cohort') ?? '']
  if (!figure || findRangeProblem(from, to) !== undefined) return undefined
  return { figure, from, to, cohort: figure === 'active' && isDay(cohort) ? cohort : '' }
}

/** Where the organisations of a figure are listed. */
export function linkToMetricsParts(
  figure: MetricsPartFigure,
  { from, to }: { from: string; to: string },
  cohort = '',
): string {
  const search = new URLSearchParams({ figure, from, to, ...(cohort !== '' && { cohort }) })
  return `/dashboard/superadmin/metrics/organizations?${search}`
}

import type { AnalyticsQuery } from '#contract/analytics.ts'
import { isUuid } from '#contract/uuid.ts'

/** What the screen is about, as it stands in the address. */
export interface AnalyticsSearch {
  /** Days back from today, or `own` with days of one's own. */
  readonly period: Preset | 'own'
  /** Days in UTC as `2026-01-31`, both included. */
  readonly from: string
  readonly to: string
  /** Empty: all. */
  readonly projects: readonly string[]
}

export const presets = ['7', '30', '90', '364'] as const
export type Preset = (typeof presets)[number]
// Whole weeks: the oldest column is as wide as the others.
export const presetLabels: Readonly<Record<Preset, string>> = {
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '364': '12 months',
}

const dayMs = 86_400_000
const maxDays = 1096

/** Reads an address. What isn't known is left out, so that any link opens. */
export function readAnalyticsSearch(search: URLSearchParams, now: Date): AnalyticsSearch {
  const projects = [...new Set(search.getAll('project').map((id) => id.toLowerCase()))]
    .filter(isUuid)
    .sort()
    .slice(0, 20)
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  if (isDay(from) && isDay(to) && from <= to && countDays(from, to) <= maxDays)
    return { period: 'own', from, to, projects }
  const period = presets.find((each) => each === search.get('days')) ?? '30'
  const today = now.toISOString().slice(0, 10)
  return { period, from: addDays(today, 1 - Number(period)), to: today, projects }
}

/** The address's search part: `?days=90&project=…`, or nothing. */
export function writeAnalyticsSearch({ period, from, to, projects }: AnalyticsSearch): string {
  const search = new URLSearchParams()
  if (period === 'own') {
    search.set('from', from)
    search.set('to', to)
  } else if (period !== '30') search.set('days', period)
  for (const id of projects) search.append('project', id)
  return search.size > 0 ? `?${search}` : ''
}

export function toAnalyticsQuery({ from, to, projects }: AnalyticsSearch): AnalyticsQuery {
  return { from, to, ...(projects.length > 0 && { projectId: [...projects] }) }
}

/** Why a range can't be shown; undefined: it can. */
export function findRangeProblem(from: string, to: string): string | undefined {
  if (!isDay(from)) return 'Select the first day.'
  if (!isDay(to)) return 'Select the last day.'
  if (from > to) return 'The last day is before the first.'
  if (countDays(from, to) > maxDays) return 'Select at most three years.'
  return undefined
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)
}

function countDays(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

function isDay(text: string): boolean {
  if (!/^(19|20)\d{2}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(text)
}

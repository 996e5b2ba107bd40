import { type RevenueFigure, revenueFigureNames } from '#contract/revenue.ts'

/** Whose parts are listed, as it stands in the address. */
export interface PartsSearch {
  readonly figure: RevenueFigure
  /** Such as `2026-01`. */
  readonly month: string
  /** Empty: all. */
  readonly cohort: string
}

const monthPattern = /^20\d\d-(0[1-9]|1[0-2])$/

/** Undefined: the address names no figure and month. */
export function readPartsSearch(params: URLSearchParams): PartsSearch | undefined {
  const figure = revenueFigureNames.find((each) => each === params.get('figure'))
  const [month, cohort] = [params.get('month') ?? '', params.get('cohort') ?? '']
  if (!figure || !monthPattern.test(month)) return undefined
  return { figure, month, cohort: monthPattern.test(cohort) ? cohort : '' }
}

/** Where the organisations of a figure are listed. */
export function linkToParts(figure: RevenueFigure, month: string, cohort = ''): string {
  const search = new URLSearchParams({ figure, month, ...(cohort !== '' && { cohort }) })
  return `/dashboard/superadmin/revenue/organizations?${search}`
}

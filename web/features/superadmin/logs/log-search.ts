import { type LogFilters, type LogLevelName, logLevels } from '#contract/superadmin-logs.ts'

export const logRanges = { '1h': 3_600_000, '24h': 86_400_000, '7d': 7 * 86_400_000 } as const
export type LogRange = keyof typeof logRanges

/** What the screen shows, as it stands in the address. Empty texts: no filter. */
export interface LogSearch {
  readonly words: string
  readonly level: LogLevelName | ''
  readonly request: string
  readonly process: string
  /** Until now, or between two moments; empty: all stored lines. */
  readonly range: LogRange | 'custom' | ''
  /** ISO 8601, of a custom range. */
  readonly from: string
  readonly to: string
  /** A line whose neighbours are shown. */
  readonly around: string
}

export const wholeLog: LogSearch = {
  ...{ words: '', level: '', request: '', process: '', range: '', from: '', to: '', around: '' },
}

/** Reads an address. Unknown values are left out, so that any link opens. */
export function readLogSearch(params: URLSearchParams): LogSearch {
  const read = (name: string, longest: number) => (params.get(name) ?? '').slice(0, longest)
  const [from, to] = [readMoment(params.get('from')), readMoment(params.get('to'))]
  const range = params.get('range') ?? ''
  return {
    words: read('q', 500),
    level: logLevels.find((each) => each === params.get('level')) ?? '',
    request: read('request', 200),
    process: read('process', 300),
    range: from !== '' || to !== '' || range === 'custom' ? 'custom' : isRange(range) ? range : '',
    from,
    to,
    around: /^\d{10}-\d{1,15}$/.test(read('around', 40)) ? read('around', 40) : '',
  }
}

/** The parameters of the address; none for the whole log. */
export function writeLogSearch({ words, range, from, to, ...rest }: LogSearch): Record<string, string> {
  const values = {
    q: words,
    ...rest,
    range: range === 'custom' && (from !== '' || to !== '') ? '' : range,
    ...(range === 'custom' && { from, to }),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
}

export function isFiltered(search: LogSearch): boolean {
  return Object.values(search).some((value) => value !== '')
}

/** Whether lines that are stored from now on belong to it. */
export function canFollow({ to, around }: LogSearch): boolean {
  return to === '' && around === ''
}

/** The filters of the API, without times. */
export function toLineFilters({ words, level, request, process }: LogSearch): Omit<LogFilters, 'from' | 'to'> {
  return {
    ...(words.trim() !== '' && { search: words.trim() }),
    ...(level !== '' && { level }),
    ...(request !== '' && { requestId: request }),
    ...(process !== '' && { process }),
  }
}

export function toLogFilters(search: LogSearch, nowMs: number): LogFilters {
  const { range, from, to } = search
  const since = isRange(range) ? new Date(nowMs - logRanges[range]).toISOString() : from
  return { ...toLineFilters(search), ...(since !== '' && { from: since }), ...(to !== '' && { to }) }
}

function isRange(text: string): text is LogRange {
  return Object.hasOwn(logRanges, text)
}

function readMoment(text: string | null): string {
  const moment = new Date(text ?? '')
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString()
}

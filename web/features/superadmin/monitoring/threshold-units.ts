import { type FigureName, type FigureUnit, monitoredFigures } from '#contract/monitored-figures.ts'

/** Bytes are typed in GiB; all else as it is measured. */
const factors: Readonly<Record<FigureUnit, number>> = { bytes: 1024 ** 3, ms: 1, percent: 1, count: 1, seconds: 1 }
const unitHints: Readonly<Record<FigureUnit, string>> = {
  bytes: 'In GiB.',
  ms: 'In milliseconds.',
  percent: 'In percent.',
  count: 'A number.',
  seconds: 'In seconds.',
}

export const hintUnit = (figure: FigureName) => unitHints[monitoredFigures[figure].unit]

/** As it is typed: `0.5` for half a GiB. */
export function writeLimit(figure: FigureName, limit: number): string {
  return String(Math.round((limit / factors[monitoredFigures[figure].unit]) * 1000) / 1000)
}

/** @returns undefined for what is no limit */
export function readLimit(figure: FigureName, typed: string): number | undefined {
  const text = typed.trim().replace(',', '.')
  const factor = factors[monitoredFigures[figure].unit]
  const pattern = factor === 1 ? /^\d{1,9}$/ : /^\d{1,5}(\.\d{1,3})?$/
  return pattern.test(text) ? Math.round(Number(text) * factor) : undefined
}

export const checkMinutes = (typed: string) =>
  (/^\d{1,4}$/.test(typed.trim()) && Number(typed) >= 1 && Number(typed) <= 1440) || 'Enter 1 to 1,440 minutes.'

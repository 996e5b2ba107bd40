export interface TimeSeries {
  readonly label: string
  /** Which of the palette, from 1. */
  readonly colour: number
  readonly values: readonly (number | null)[]
}

/** What a chart over time shows. */
export interface TimeChartData {
  readonly kind: 'columns' | 'lines'
  /** By step: for the axis, and in full. */
  readonly steps: readonly { readonly short: string; readonly long: string }[]
  readonly series: readonly TimeSeries[]
  /** The same of the previous period, in all: a dashed line. */
  readonly previous?: readonly (number | null)[] | undefined
  /** Values with a line across, the lowest and the highest included. */
  readonly ticks: readonly number[]
  readonly formatValue: (value: number) => string
  readonly formatTick?: (value: number) => string
}

/** What both kinds of marks are drawn with. */
export interface Plot {
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  /** Width of a step. */
  readonly step: number
}

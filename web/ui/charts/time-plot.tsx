import { Columns } from './columns.tsx'
import { Lines } from './lines.tsx'
import type { Plot, TimeChartData } from './plot.ts'

export const plotHeight = 208
const edge = { top: 8, right: 8, bottom: 24 }

/** A {@link Plot} with the edges that the axes need. */
export interface MeasuredPlot extends Plot {
  readonly left: number
  readonly right: number
  readonly width: number
}

/** Where steps and values are drawn in a chart of this width, beside the longest label of the value axis. */
export function measurePlot(
  width: number,
  { steps, ticks, formatValue, formatTick = formatValue }: TimeChartData,
): MeasuredPlot {
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const left = 12 + Math.max(...ticks.map((tick) => formatTick(tick).length)) * 6.5
  const step = Math.max(0, width - left - edge.right) / Math.max(1, steps.length)
  return {
    x: (index) => left + (index + 0.5) * step,
    y: (value) => edge.top + (plotHeight - edge.top - edge.bottom) * (1 - (value - low) / (high - low || 1)),
    step,
    left,
    right: width - edge.right,
    width,
  }
}

interface TimePlotProps {
  readonly data: TimeChartData
  readonly plot: MeasuredPlot
  /** The step that is pointed at. */
  readonly visible: number | undefined
}

/** The chart's drawing: both axes, the column behind the step that is pointed at, and the values. */
export function TimePlot({ data, plot, visible }: TimePlotProps) {
  const { kind, series, previous } = data
  return (
    <svg width={plot.width} height={plotHeight} aria-hidden="true" className="block overflow-visible">
      <ValueAxis data={data} plot={plot} />
      <TimeAxis steps={data.steps} plot={plot} />
      {visible !== undefined && (
        <rect
          x={plot.x(visible) - Math.max(plot.step, 4) / 2}
          y={edge.top}
          width={Math.max(plot.step, 4)}
          height={plotHeight - edge.top - edge.bottom}
          className="fill-hover"
        />
      )}
      {kind === 'columns' ? <Columns series={series} plot={plot} /> : <Lines series={series} plot={plot} />}
      {previous && <Lines series={[{ label: '', colour: 0, values: previous }]} plot={plot} isPrevious />}
    </svg>
  )
}

function ValueAxis({ data, plot }: { data: TimeChartData; plot: MeasuredPlot }) {
  const { ticks, formatValue, formatTick = formatValue } = data
  return ticks.map((tick) => (
    <g key={tick}>
      <line x1={plot.left} x2={plot.right} y1={plot.y(tick)} y2={plot.y(tick)} className="stroke-border" />
      <text x={plot.left - 8} y={plot.y(tick)} dy="0.32em" textAnchor="end" className="fill-muted text-xs tabular-nums">
        {formatTick(tick)}
      </text>
    </g>
  ))
}

function TimeAxis({ steps, plot }: { steps: TimeChartData['steps']; plot: MeasuredPlot }) {
  return spreadLabels(steps.length, plot.right - plot.left).map((index) => (
    <text
      key={index}
      x={Math.min(Math.max(plot.x(index), plot.left + 16), plot.width - 20)}
      y={plotHeight - 6}
      textAnchor="middle"
      className="fill-muted text-xs"
    >
      {steps[index]?.short}
    </text>
  ))
}

/** Evenly spread indexes, as many as there is room for. */
function spreadLabels(count: number, width: number): number[] {
  const room = Math.max(2, Math.floor(width / 64))
  const every = Math.max(1, Math.ceil(count / room))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}

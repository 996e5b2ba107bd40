import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { cn } from '#web/ui/class-names.ts'
import { Columns } from './columns.tsx'
import { Lines } from './lines.tsx'
import { Readout } from './readout.tsx'
import { Swatch } from './swatch.tsx'
import { useWidth } from './use-width.ts'

export interface TimeSeries {
  readonly label: string
  /** Which of the palette, from 1. */
  readonly colour: number
  readonly values: readonly (number | null)[]
}

export interface TimeChartProps {
  /** What it shows, for those who hear it. */
  readonly label: string
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
  /** Where the items of a step are found. */
  readonly hrefOf?: ((index: number) => string) | undefined
}

const height = 208
const edge = { top: 8, right: 8, bottom: 24 }

/** What both kinds of marks are drawn with. */
export interface Plot {
  readonly x: (index: number) => number
  readonly y: (value: number) => number
  /** Width of a step. */
  readonly step: number
}

/**
 * Numbers over time. Arrow keys go from step to step and each is spoken; Enter shows its items. To assistive technology it
 * is a slider over time: the one widget that all of them read a value from as it moves.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, kind, steps, series, previous, ticks, formatValue, formatTick = formatValue, hrefOf } = props
  const [ref, width] = useWidth()
  const [chosen, setChosen] = useState<number>()
  const [shown, setShown] = useState<number>()
  const navigate = useNavigate()
  const count = steps.length
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const left = 12 + Math.max(...ticks.map((tick) => formatTick(tick).length)) * 6.5
  const plotWidth = Math.max(0, width - left - edge.right)
  const step = plotWidth / Math.max(1, count)
  const plot: Plot = {
    x: (index) => left + (index + 0.5) * step,
    y: (value) => edge.top + (height - edge.top - edge.bottom) * (1 - (value - low) / (high - low || 1)),
    step,
  }
  const at = Math.min(chosen ?? count - 1, count - 1)
  const visible = shown === undefined ? undefined : Math.min(shown, count - 1)

  const show = (index: number) => {
    const next = Math.min(count - 1, Math.max(0, index))
    setChosen(next)
    setShown(next)
  }
  const open = (index: number) => hrefOf && navigate(hrefOf(index))
  const findIndex = (event: PointerEvent<HTMLElement>) =>
    Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - left) / (step || 1))

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageUp: at + 7,
      PageDown: at - 7,
      Home: 0,
      End: count - 1,
    }
    const next = moves[event.key]
    if (next !== undefined) show(next)
    else if (event.key === 'Enter') open(at)
    else if (event.key === 'Escape') setShown(undefined)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <div className="flex flex-col gap-3">
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. Arrow keys move in time${hrefOf ? ', Enter shows the items' : ''}.`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, count - 1)}
        aria-valuenow={at}
        aria-valuetext={describeStep(props, at)}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(at)}
        onBlur={() => setShown(undefined)}
        onPointerMove={(event) => event.pointerType !== 'touch' && show(findIndex(event))}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setShown(undefined)}
        onPointerUp={(event) => {
          const index = Math.min(count - 1, Math.max(0, findIndex(event)))
          // A finger covers what it touches: the first touch reads, a second on the same step opens.
          if (event.pointerType === 'touch' && visible !== index) show(index)
          else open(index)
        }}
        className={cn('relative touch-pan-y rounded-sm', hrefOf && 'cursor-pointer')}
        style={{ height }}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            {ticks.map((tick) => (
              <g key={tick}>
                <line x1={left} x2={width - edge.right} y1={plot.y(tick)} y2={plot.y(tick)} className="stroke-border" />
                <text
                  x={left - 8}
                  y={plot.y(tick)}
                  dy="0.32em"
                  textAnchor="end"
                  className="fill-muted text-xs tabular-nums"
                >
                  {formatTick(tick)}
                </text>
              </g>
            ))}
            {chooseLabels(count, plotWidth).map((index) => (
              <text
                key={index}
                x={Math.min(Math.max(plot.x(index), left + 16), width - 20)}
                y={height - 6}
                textAnchor="middle"
                className="fill-muted text-xs"
              >
                {steps[index]?.short}
              </text>
            ))}
            {visible !== undefined && (
              <rect
                x={plot.x(visible) - Math.max(step, 4) / 2}
                y={edge.top}
                width={Math.max(step, 4)}
                height={height - edge.top - edge.bottom}
                className="fill-hover"
              />
            )}
            {kind === 'columns' ? <Columns series={series} plot={plot} /> : <Lines series={series} plot={plot} />}
            {previous && <Lines series={[{ label: '', colour: 0, values: previous }]} plot={plot} isPrevious />}
          </svg>
        )}
        {visible !== undefined && width > 0 && (
          <Readout
            title={steps[visible]?.long ?? ''}
            lines={listValues(props, visible)}
            x={plot.x(visible)}
            width={width}
          />
        )}
      </div>
      <Legend series={series} kind={kind} hasPrevious={previous !== undefined} />
    </div>
  )
}

/** Evenly spread indexes, as many as there is room for. */
function chooseLabels(count: number, width: number): number[] {
  const room = Math.max(2, Math.floor(width / 64))
  const every = Math.max(1, Math.ceil(count / room))
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0)
}

function listValues({ series, previous, formatValue, kind }: TimeChartProps, index: number) {
  const text = (value: number | null | undefined) => (value === null || value === undefined ? '–' : formatValue(value))
  const named = series.filter((each) => kind === 'lines' || (each.values[index] ?? 0) > 0)
  return [
    ...(kind === 'columns' && series.length > 1
      ? [{ label: 'All', colour: undefined, value: formatValue(sumAt(series, index)) }]
      : []),
    ...named.map(({ label, colour, values }) => ({ label, colour, value: text(values[index]) })),
    ...(previous ? [{ label: 'Previous period', colour: 0, value: text(previous[index]) }] : []),
  ]
}

function describeStep(props: TimeChartProps, index: number): string {
  const values = listValues(props, index).map(({ label, value }) => `${label} ${value === '–' ? 'none' : value}`)
  return `${props.steps[index]?.long ?? ''}: ${values.join(', ') || 'none'}`
}

function sumAt(series: readonly TimeSeries[], index: number): number {
  return series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0)
}

function Legend({ series, kind, hasPrevious }: { series: readonly TimeSeries[]; kind: string; hasPrevious: boolean }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
      {series.map(({ label, colour }) => (
        <li key={label} className="flex items-center gap-1.5">
          <Swatch colour={colour} kind={kind} />
          {label}
        </li>
      ))}
      {hasPrevious && (
        <li className="flex items-center gap-1.5">
          <Swatch colour={0} kind="lines" />
          Previous period
        </li>
      )}
    </ul>
  )
}

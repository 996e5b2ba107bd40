import type { PointerEvent } from 'react'
import { useNavigate } from 'react-router'
import { cn } from '../class-names.ts'
import type { TimeChartData, TimeSeries } from './plot.ts'
import { Readout } from './readout.tsx'
import { Swatch } from './swatch.tsx'
import { measurePlot, plotHeight, TimePlot } from './time-plot.tsx'
import { useStepCursor } from './use-step-cursor.ts'
import { useWidth } from './use-width.ts'

interface TimeChartProps extends TimeChartData {
  /** What it shows, for those who hear it. */
  readonly label: string
  /** Where the items of a step are found. */
  readonly hrefOf?: ((index: number) => string) | undefined
}

/**
 * Numbers over time. Arrow keys go from step to step and each is spoken; Enter shows its items. To assistive technology it
 * is a slider over time: the one widget that all of them read a value from as it moves.
 */
export function TimeChart(props: TimeChartProps) {
  const { label, kind, steps, series, previous, hrefOf } = props
  const [ref, width] = useWidth()
  const navigate = useNavigate()
  const open = (index: number) => hrefOf && navigate(hrefOf(index))
  const cursor = useStepCursor(steps.length, open)
  const { at, visible, show, hide } = cursor
  const plot = measurePlot(width, props)
  const findIndex = (event: PointerEvent<HTMLElement>) =>
    Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - plot.left) / (plot.step || 1))

  return (
    <div className="flex flex-col gap-3">
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={`${label}. Arrow keys move in time${hrefOf ? ', Enter shows the items' : ''}.`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, steps.length - 1)}
        aria-valuenow={at}
        aria-valuetext={describeStep(props, at)}
        onKeyDown={cursor.onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(at)}
        onBlur={hide}
        onPointerMove={(event) => event.pointerType !== 'touch' && show(findIndex(event))}
        onPointerLeave={(event) => event.pointerType !== 'touch' && hide()}
        onPointerUp={(event) => {
          const index = cursor.clamp(findIndex(event))
          // A finger covers what it touches: the first touch reads, a second on the same step opens.
          if (event.pointerType === 'touch' && visible !== index) show(index)
          else open(index)
        }}
        className={cn('relative touch-pan-y rounded-sm', hrefOf && 'cursor-pointer')}
        style={{ height: plotHeight }}
      >
        {width > 0 && <TimePlot data={props} plot={plot} visible={visible} />}
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

function listValues({ series, previous, formatValue, kind }: TimeChartData, index: number) {
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

function describeStep(props: TimeChartData, index: number): string {
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

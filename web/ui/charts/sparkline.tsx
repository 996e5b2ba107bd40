import type { PointerEvent } from 'react'
import { Readout } from './readout.tsx'
import { useStepCursor } from './use-step-cursor.ts'
import { useWidth } from './use-width.ts'

const height = 40
const edge = 3

interface SparklineProps {
  /** What the values are, for the readout and for those who hear it. */
  label: string
  steps: readonly { readonly short: string; readonly long: string }[]
  values: readonly (number | null)[]
  formatValue: (value: number) => string
}

/**
 * The course of a number, above its first and last day, up to its highest value. Pointer and arrow keys read single
 * values, as in the larger charts.
 */
export function Sparkline({ label, steps, values, formatValue }: SparklineProps) {
  const [ref, width] = useWidth()
  const { at, visible, show, hide, onKeyDown } = useStepCursor(values.length, () => {})
  const known = values.flatMap((value, index) => (value === null ? [] : [{ index, value }]))
  const highest = Math.max(...known.map(({ value }) => value), 0)
  // A single value makes no line.
  const marked = known.filter(({ index }) => index === visible || known.length === 1)
  const x = (index: number) => edge + ((width - 2 * edge) * index) / Math.max(1, values.length - 1)
  const y = (value: number) => edge + (height - 2 * edge) * (1 - value / (highest || 1))
  const readValue = (index: number) => {
    const value = values[index]
    return value === null || value === undefined ? '–' : formatValue(value)
  }
  const showAt = (event: PointerEvent<HTMLElement>) => {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left - edge
    show(Math.round((left / (width - 2 * edge || 1)) * (values.length - 1)))
  }
  if (values.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <p aria-hidden="true" className="min-h-4 text-right text-muted text-xs tabular-nums">
        {highest > 0 && `up to ${formatValue(highest)}`}
      </p>
      <div
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={`${label}, by day. Arrow keys move in time.`}
        aria-valuemin={0}
        aria-valuemax={values.length - 1}
        aria-valuenow={at}
        aria-valuetext={`${steps[at]?.long ?? ''}: ${readValue(at) === '–' ? 'none' : readValue(at)}`}
        onKeyDown={onKeyDown}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && show(at)}
        onBlur={hide}
        onPointerMove={showAt}
        onPointerLeave={hide}
        className="relative touch-pan-y rounded-sm"
        style={{ height }}
      >
        {width > 0 && (
          <svg width={width} height={height} aria-hidden="true" className="block overflow-visible">
            <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} className="stroke-border" />
            <polyline
              points={known.map(({ index, value }) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(' ')}
              fill="none"
              strokeWidth="1.5"
              strokeLinejoin="round"
              style={{ stroke: 'var(--chart-1)' }}
            />
            {marked.map(({ index, value }) => (
              <circle key={index} cx={x(index)} cy={y(value)} r={3} style={{ fill: 'var(--chart-1)' }} />
            ))}
          </svg>
        )}
        {visible !== undefined && width > 0 && (
          <Readout
            title={steps[visible]?.long ?? ''}
            lines={[{ label, colour: undefined, value: readValue(visible) }]}
            x={x(visible)}
            width={width}
            isAbove
          />
        )}
      </div>
      <p aria-hidden="true" className="flex justify-between text-muted text-xs">
        <span>{steps[0]?.short}</span>
        <span>{steps.at(-1)?.short}</span>
      </p>
    </div>
  )
}

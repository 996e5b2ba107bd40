import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '#web/ui/class-names.ts'
import { formatCount } from './format-numbers.ts'

export interface Bar {
  readonly key: string
  readonly label: ReactNode
  readonly value: number
  readonly previous: number
  /** Beside the number, e.g. its part of all. */
  readonly note?: string
  readonly href?: string | undefined
  /** Which of the palette; default: the first. */
  readonly colour?: number
  /** All that is not listed, in one: it has no bar, beside which the others would be none. */
  readonly isRest?: boolean
}

/**
 * Values beside each other, with a tick where each stood in the previous period. Each row is a way to its items.
 *
 * @param whole what a full bar stands for: a bar beside a percentage is as long as that percentage
 */
export function BarList({ bars, whole }: { bars: readonly Bar[]; whole: { value: number; previous: number } }) {
  return (
    <ul className="-mx-2 flex flex-col">
      {bars.map((bar) => (
        <li key={bar.key}>
          {bar.href === undefined ? (
            <Row bar={bar} whole={whole} />
          ) : (
            <Link
              to={bar.href}
              className="block rounded-md transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Row bar={bar} whole={whole} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

interface RowProps {
  bar: Bar
  whole: { value: number; previous: number }
}

function Row({ bar: { label, value, previous, note, colour = 1, isRest }, whole }: RowProps) {
  const percentOf = (part: number, all: number) => `${all === 0 ? 0 : Math.min(100, (100 * part) / all)}%`
  return (
    <span className="block px-2 py-1.5">
      <span className="flex items-baseline gap-3 text-base">
        <span className={cn('min-w-0 flex-1 truncate', isRest && 'text-muted')}>{label}</span>
        {note !== undefined && <span className="shrink-0 text-muted text-sm tabular-nums">{note}</span>}
        <span className="shrink-0 font-medium tabular-nums">{formatCount(value)}</span>
        <span className="sr-only">, {formatCount(previous)} in the previous period</span>
      </span>
      {!isRest && (
        <span aria-hidden="true" className="relative mt-1 block h-2 rounded-xs bg-sunken">
          <span
            className={cn('absolute inset-y-0 left-0 rounded-xs', value > 0 && 'min-w-0.5')}
            style={{ width: percentOf(value, whole.value), backgroundColor: `var(--chart-${colour})` }}
          />
          {previous > 0 && (
            <span
              className="-inset-y-0.5 -ml-px absolute w-0.5 bg-foreground"
              style={{ left: percentOf(previous, whole.previous) }}
            />
          )}
        </span>
      )}
    </span>
  )
}

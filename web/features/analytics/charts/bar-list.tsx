import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { cn } from '#web/ui/class-names.ts'
import { formatCount } from '../format-numbers.ts'

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

/** Values beside each other, with a tick where each stood in the previous period. Each row is a way to its items. */
export function BarList({ bars, max }: { bars: readonly Bar[]; max?: number }) {
  const listed = bars.filter(({ isRest }) => !isRest)
  const most = max ?? Math.max(1, ...listed.flatMap(({ value, previous }) => [value, previous]))
  return (
    <ul className="-mx-2 flex flex-col">
      {bars.map((bar) => (
        <li key={bar.key}>
          {bar.href === undefined ? (
            <Row bar={bar} most={most} />
          ) : (
            <Link
              to={bar.href}
              className="block rounded-md transition-colors hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Row bar={bar} most={most} />
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Row({ bar: { label, value, previous, note, colour = 1, isRest }, most }: { bar: Bar; most: number }) {
  const percentOf = (n: number) => `${Math.min(100, (100 * n) / most)}%`
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
            style={{ width: percentOf(value), backgroundColor: `var(--chart-${colour})` }}
          />
          {previous > 0 && (
            <span className="-inset-y-0.5 -ml-px absolute w-0.5 bg-foreground" style={{ left: percentOf(previous) }} />
          )}
        </span>
      )}
    </span>
  )
}

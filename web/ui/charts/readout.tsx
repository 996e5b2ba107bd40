import { cn } from '../class-names.ts'
import { Swatch } from './swatch.tsx'

const readoutWidth = 208

/** What a step's values are, beside the pointer. */
export function Readout({
  title,
  lines,
  x,
  width,
  isAbove = false,
}: {
  title: string
  lines: readonly { label: string; colour: number | undefined; value: string }[]
  x: number
  width: number
  /** Above the chart, not in it: a low one would be covered. */
  isAbove?: boolean
}) {
  const isRight = x + 12 + readoutWidth > width
  const left = isRight ? Math.max(0, x - 12 - readoutWidth) : x + 12
  return (
    <div
      aria-hidden="true"
      className={cn(
        'pointer-events-none absolute z-10 rounded-md border border-border bg-raised p-2.5 text-sm shadow-md',
        isAbove ? 'bottom-full mb-1' : 'top-1',
      )}
      style={{ left, width: readoutWidth }}
    >
      <p className="mb-1 font-medium">{title}</p>
      {lines.map(({ label, colour, value }) => (
        <p key={label} className="flex items-center gap-1.5">
          {colour !== undefined && <Swatch colour={colour} kind={colour === 0 ? 'lines' : 'columns'} />}
          <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
          <span className="tabular-nums">{value}</span>
        </p>
      ))}
    </div>
  )
}

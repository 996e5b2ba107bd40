import { Link } from 'react-router'
import { Meter } from '#web/ui/meter.tsx'

interface UsageRowProps {
  name: string
  /** Where the name leads. */
  to?: string
  /** The use in words, e.g. `3 of 10`. */
  text: string
  /** What to know near the limit. */
  note: string | undefined
  used: number
  /** Null: unlimited. */
  limit: number | null
}

/** How much of one limit is used, in words and as a bar. */
export function UsageRow({ name, to, text, note, used, limit }: UsageRowProps) {
  return (
    <div className="flex flex-col gap-1.5 text-base">
      <div className="flex flex-wrap justify-between gap-x-4">
        {to === undefined ? (
          <span>{name}</span>
        ) : (
          <Link
            to={to}
            dir="auto"
            className="min-w-0 rounded-sm text-accent-text underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {name}
          </Link>
        )}
        <span className="text-muted tabular-nums">{text}</span>
      </div>
      {limit !== null && <Meter label={name} used={used} limit={limit} text={text} />}
      {note !== undefined && <p className="text-sm text-warning-text">{note}</p>}
    </div>
  )
}

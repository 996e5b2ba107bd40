import { locale } from '#web/lib/locale.ts'
import type { BulkProgress } from './bulk-operations.ts'

/** How far a change of many items is. */
export function BulkProgressBar({ progress: { label, processed, total } }: { progress: BulkProgress }) {
  const text = `${processed.toLocaleString(locale)} of ${total.toLocaleString(locale)}`
  return (
    <div className="rounded-lg border border-border bg-raised p-3 shadow-lg">
      <p className="flex justify-between gap-3 text-base">
        <span className="truncate first-letter:uppercase">{label}</span>
        <span className="shrink-0 text-muted tabular-nums">{text}</span>
      </p>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={processed}
        aria-valuetext={text}
        className="mt-2 h-1 overflow-hidden rounded-full bg-sunken"
      >
        <div
          className="h-full origin-left bg-accent transition-transform duration-300"
          style={{ transform: `scaleX(${total > 0 ? processed / total : 0})` }}
        />
      </div>
    </div>
  )
}

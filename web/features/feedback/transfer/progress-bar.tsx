import { locale } from '#web/lib/locale.ts'

/** How far a long task is, in words and as a bar. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number | null }) {
  const share = total ? Math.min(100, Math.round((100 * done) / total)) : 0
  return (
    <div className="flex flex-col gap-1">
      <div className="flex justify-between gap-4 text-muted text-sm tabular-nums">
        <span>{label}</span>
        {(done > 0 || total !== null) && (
          <span>
            {done.toLocaleString(locale)}
            {total !== null && ` of ${total.toLocaleString(locale)}`}
          </span>
        )}
      </div>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        // Without a total there is no share to show.
        {...(total !== null && { 'aria-valuenow': share })}
        className="h-1.5 overflow-hidden rounded-full bg-sunken"
      >
        <div className="h-full rounded-full bg-accent transition-[width]" style={{ width: `${share}%` }} />
      </div>
    </div>
  )
}

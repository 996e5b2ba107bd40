import type { OutboxSummary } from '#contract/superadmin-emails.ts'
import { RequestNote } from '#web/ui/request-note.tsx'
import { formatCount } from '../format-figures.ts'

/** Emails waiting, sent and failed. A dash stands for a figure that is not loaded. */
export function EmailFigures({ summary, error }: { summary: OutboxSummary | undefined; error: Error | null }) {
  const figures = [
    { label: 'Queued', value: summary?.queued, detail: 'now' },
    { label: 'Sent', value: summary?.day.sent, detail: `${write(summary?.fortnight.sent)} in 14 days` },
    { label: 'Failed', value: summary?.day.failed, detail: `${write(summary?.fortnight.failed)} in 14 days` },
  ]
  return (
    <>
      <ul aria-label="Figures" aria-busy={summary === undefined && !error} className="grid grid-cols-3 gap-3 sm:gap-4">
        {figures.map(({ label, value, detail }) => (
          <li
            key={label}
            className="flex flex-col gap-1 rounded-lg border border-border bg-surface p-3 shadow-sm sm:p-4"
          >
            <p className="text-base text-muted">{label === 'Queued' ? label : `${label}, 24 hours`}</p>
            <p className="font-semibold text-xl tabular-nums sm:text-2xl">{write(value)}</p>
            <p className="text-muted text-sm">{detail}</p>
          </li>
        ))}
      </ul>
      {error && (
        <p role="alert" className="mt-2 text-danger-text text-sm">
          Couldn’t load the figures. Reload the page to try again.
          <RequestNote error={error} />
        </p>
      )}
    </>
  )
}

const write = (count: number | undefined) => (count === undefined ? '–' : formatCount(count))

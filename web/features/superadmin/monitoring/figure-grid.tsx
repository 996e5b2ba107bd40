import { formatFigure, isFigureName, monitoredFigures } from '#contract/monitored-figures.ts'
import type { CurrentFigure } from '#contract/superadmin-monitoring.ts'
import { Badge } from '#web/ui/badge.tsx'

/** The latest figures. Those beyond their threshold stand first. */
export function FigureGrid({ figures }: { figures: readonly CurrentFigure[] }) {
  const shown = figures.flatMap((each) => (isFigureName(each.figure) ? [{ ...each, figure: each.figure }] : []))
  const sorted = [...shown.filter(({ isBeyond }) => isBeyond), ...shown.filter(({ isBeyond }) => !isBeyond)]
  const beyond = shown.filter(({ isBeyond }) => isBeyond).length
  return (
    <section aria-labelledby="figures-title">
      <h2 id="figures-title" className="font-semibold text-lg">
        Health
      </h2>
      <p className="mt-1 mb-3 text-base text-muted" aria-live="polite">
        {shown.every(({ value }) => value === null)
          ? 'The first figures appear within a minute of the start.'
          : beyond === 0
            ? 'All figures are within their thresholds.'
            : `${beyond} of ${shown.length} figures ${beyond === 1 ? 'is' : 'are'} beyond ${beyond === 1 ? 'its' : 'their'} threshold.`}
      </p>
      <ul aria-label="Current figures" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {sorted.map(({ figure, value, isBeyond }) => (
          <li
            key={figure}
            className="flex flex-col gap-1 rounded-lg border border-border bg-surface p-3 shadow-sm sm:p-4"
          >
            <p className="text-base text-muted">{monitoredFigures[figure].label}</p>
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold text-xl tabular-nums">
              {value === null ? '–' : formatFigure(value, monitoredFigures[figure].unit)}
              {isBeyond && (
                <Badge tone="danger">{monitoredFigures[figure].alertsWhen === 'above' ? 'High' : 'Low'}</Badge>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

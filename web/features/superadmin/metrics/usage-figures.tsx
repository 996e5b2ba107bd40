import { Link } from 'react-router'
import { activeFigure, type MetricsReport, usageFigureNames, usageFigures } from '#contract/superadmin-metrics.ts'
import type { Change } from '#web/ui/charts/change.ts'
import { ChangeMark } from '#web/ui/charts/chart-card.tsx'
import { compareFigures, formatCount, formatMean } from '../format-figures.ts'
import { linkToMetricsParts } from './metrics-search.ts'

interface Figure {
  readonly label: string
  readonly value: string
  readonly detail: string
  readonly change: Change | undefined
  readonly href: string
}

/** Every figure of the period beside the period before. Each leads to its organisations. */
export function UsageFigures({ report }: { report: MetricsReport }) {
  return (
    <ul aria-label="Figures" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {listFigures(report).map(({ label, value, detail, change, href }) => (
        <li key={label} className="flex flex-col gap-1 rounded-lg border border-border bg-surface p-3 shadow-sm sm:p-4">
          <p className="text-base text-muted">{label}</p>
          <p className="flex flex-wrap items-baseline gap-x-2 font-semibold text-xl tabular-nums sm:text-2xl">
            <Link
              to={href}
              aria-label={`${label} ${value}: show organisations`}
              className="rounded-sm underline decoration-border-strong underline-offset-4 hover:text-accent-text"
            >
              {value}
            </Link>
            {change && <ChangeMark change={change} />}
          </p>
          <p className="text-muted text-sm">{detail}</p>
        </li>
      ))}
    </ul>
  )
}

function listFigures(report: MetricsReport): Figure[] {
  const { totals, previousTotals, activeMean, previousActiveMean } = report
  return [
    {
      label: activeFigure.label,
      value: formatMean(activeMean),
      detail: `A day on average, ${formatMean(previousActiveMean)} before`,
      change: compareFigures(activeMean, previousActiveMean),
      href: linkToMetricsParts('active', report),
    },
    ...usageFigureNames.map((figure) => ({
      label: usageFigures[figure].label,
      value: formatCount(totals[figure]),
      detail: `${formatCount(previousTotals[figure])} before`,
      change: compareFigures(totals[figure], previousTotals[figure]),
      href: linkToMetricsParts(figure, report),
    })),
  ]
}

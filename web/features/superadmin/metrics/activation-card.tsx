import { Link } from 'react-router'
import { activationStepNames, activationSteps, type MetricsReport } from '#contract/superadmin-metrics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { compareFigures, formatCount, formatShare } from '../format-figures.ts'
import { linkToMetricsParts } from './metrics-search.ts'

/** How far organisations that signed up in the period have come until now. */
export function ActivationCard({ report }: { report: MetricsReport }) {
  const { funnel, previousFunnel } = report
  const share = formatShare(funnel.engaged, funnel.registered)
  return (
    <ChartCard
      title="Activation funnel"
      description="Organisations that signed up in the period, each step in any order."
      figure={share ?? '–'}
      change={compareFigures(
        funnel.engaged / (funnel.registered || 1),
        previousFunnel.engaged / (previousFunnel.registered || 1),
      )}
      detail="replied to a visitor, or have a second member"
      fileName={`activation-${report.from}-${report.to}`}
      empty={funnel.registered === 0 ? 'No organisation signed up in this period.' : undefined}
      table={{
        columns: ['Step', 'Organisations', 'Share', 'Previous period'],
        rows: activationStepNames.map((step) => ({
          label: activationSteps[step].label,
          cells: [funnel[step], formatShare(funnel[step], funnel.registered) ?? null, previousFunnel[step]],
          href: linkToMetricsParts(step, report),
        })),
      }}
    >
      <ul className="flex flex-col gap-3">
        {activationStepNames.map((step) => (
          <li key={step}>
            <p className="flex items-baseline justify-between gap-3 text-base">
              <Link
                to={linkToMetricsParts(step, report)}
                className="rounded-sm text-accent-text hover:underline pointer-coarse:py-2.5"
              >
                {activationSteps[step].label}
              </Link>
              <span className="whitespace-nowrap tabular-nums">
                {formatCount(funnel[step])}{' '}
                <span className="text-muted">({formatShare(funnel[step], funnel.registered)})</span>
              </span>
            </p>
            <div aria-hidden="true" className="mt-1 h-2 overflow-hidden rounded-full bg-sunken">
              <div
                className="h-full rounded-full"
                style={{ width: `${(funnel[step] / funnel.registered) * 100}%`, background: 'var(--chart-1)' }}
              />
            </div>
          </li>
        ))}
      </ul>
    </ChartCard>
  )
}

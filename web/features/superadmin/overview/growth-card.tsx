import { Link } from 'react-router'
import type { Overview } from '#contract/superadmin-overview.ts'
import type { Change } from '#web/ui/charts/change.ts'
import { ChangeMark } from '#web/ui/charts/chart-card.tsx'
import { Sparkline } from '#web/ui/charts/sparkline.tsx'
import { compareFigures, formatCount, formatDays, formatShortDay } from '../format-figures.ts'
import { formatCents } from '../format-money.ts'

interface Figure {
  readonly label: string
  readonly value: string
  readonly detail: string
  readonly change: Change | undefined
  readonly perDay: readonly number[]
  readonly format: (n: number) => string
  readonly path: string
}

/** Thirty days at a glance, beside the thirty before. */
export function GrowthCards({ growth }: { growth: Overview['growth'] }) {
  const steps = growth.days.map((day) => ({ short: formatShortDay(day), long: formatDays(day, day) }))
  return (
    <section aria-labelledby="growth-title" className="flex flex-col gap-3">
      <h2 id="growth-title" className="font-semibold text-lg">
        Growth in 30 days
      </h2>
      <ul aria-label="Growth" className="grid gap-3 sm:grid-cols-2 sm:gap-4 lg:grid-cols-3">
        {listFigures(growth).map(({ label, value, detail, change, perDay, format, path }) => (
          <li
            key={label}
            className="flex min-w-0 flex-col gap-1 rounded-lg border border-border bg-surface p-4 shadow-sm"
          >
            <h3 className="text-base">
              <Link
                to={`/dashboard/superadmin/${path}`}
                className="rounded-sm text-accent-text hover:underline pointer-coarse:inline-block pointer-coarse:py-2"
              >
                {label}
              </Link>
            </h3>
            <p className="flex flex-wrap items-baseline gap-x-2">
              <span className="font-semibold text-2xl tabular-nums">{value}</span>
              {change && <ChangeMark change={change} />}
            </p>
            <p className="text-muted text-sm">{detail}</p>
            <Sparkline label={label} steps={steps} values={perDay} formatValue={format} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function listFigures({ organizations, active, items, loads, mrr }: Overview['growth']): Figure[] {
  const count = (
    label: string,
    { total, previousTotal, perDay }: Overview['growth']['items'],
    detail = `${formatCount(previousTotal)} in the 30 days before`,
  ): Figure => ({
    label,
    value: formatCount(total),
    detail,
    change: compareFigures(total, previousTotal),
    perDay,
    format: formatCount,
    path: 'metrics',
  })
  return [
    count('New organisations', organizations),
    count('Active organisations', active, `A day on average, ${formatCount(active.previousTotal)} before`),
    count('Items', items),
    count('Widget loads', loads),
    {
      label: 'MRR',
      value: formatCents(mrr.cents, { isShort: true }),
      detail: `${formatCents(mrr.previousCents, { isShort: true })} 30 days ago`,
      change: compareFigures(mrr.cents, mrr.previousCents),
      perDay: mrr.perDay,
      format: (cents) => formatCents(cents),
      path: 'revenue',
    },
  ]
}

import { Link } from 'react-router'
import type { RevenueFigure, RevenueMonth, RevenueReport } from '#contract/revenue.ts'
import { formatCents } from '../format-money.ts'
import { formatLongMonth, formatMonth } from './format-month.ts'
import { linkToParts } from './parts-search.ts'

interface Figure {
  readonly label: string
  readonly value: string
  readonly detail: string
  /** The list that the value is made of. */
  readonly parts?: { readonly figure: RevenueFigure; readonly month: string }
}

/** The numbers that matter now. */
export function FiguresGrid({ report }: { report: RevenueReport }) {
  return (
    <ul aria-label="Figures" className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      {listFigures(report).map(({ label, value, detail, parts }) => (
        <li key={label} className="flex flex-col gap-1 rounded-lg border border-border bg-surface p-3 shadow-sm sm:p-4">
          <p className="text-base text-muted">{label}</p>
          <p className="font-semibold text-xl tabular-nums sm:text-2xl">
            {parts ? (
              <Link
                to={linkToParts(parts.figure, parts.month)}
                className="rounded-sm underline decoration-border-strong underline-offset-4 hover:text-accent-text"
                aria-label={`${label} ${value}: show organisations`}
              >
                {value}
              </Link>
            ) : (
              value
            )}
          </p>
          <p className="text-muted text-sm">{detail}</p>
        </li>
      ))}
    </ul>
  )
}

function listFigures({ months, ltvCents }: RevenueReport): Figure[] {
  const [current, complete] = [months.at(-1), months.at(-2)]
  if (!current || !complete) return []
  const { month } = current
  return [
    {
      label: 'MRR',
      value: formatCents(current.mrrCents),
      detail: describeChange(current, complete),
      parts: { figure: 'mrr', month },
    },
    {
      label: 'Customers',
      value: String(current.customers),
      detail: `${current.newCustomers} new, ${current.churnedCustomers} left in ${formatMonth(month)}`,
      parts: { figure: 'mrr', month },
    },
    { label: 'Average revenue per account', value: formatMaybe(current.arpaCents), detail: 'By the month' },
    { label: 'Customer lifetime value', value: formatMaybe(ltvCents), detail: 'By the churn of three months' },
    {
      label: 'Logo churn',
      value: complete.logoChurn === null ? '–' : `${(complete.logoChurn * 100).toFixed(1)} %`,
      detail: `In ${formatLongMonth(complete.month)}`,
      parts: { figure: 'churn', month: complete.month },
    },
    {
      label: 'Collected',
      value: formatCents(current.collectedCents),
      detail: `${formatCents(current.netCents)} after refunds`,
      parts: { figure: 'collected', month },
    },
    {
      label: 'Refunded',
      value: formatCents(current.refundedCents),
      detail: `In ${formatLongMonth(month)}`,
      parts: { figure: 'refunded', month },
    },
    {
      label: 'Trials converted',
      value: `${complete.trialsConverted} of ${complete.trialsStarted}`,
      detail: `Started in ${formatLongMonth(complete.month)}`,
      parts: { figure: 'trialsConverted', month: complete.month },
    },
  ]
}

const formatMaybe = (cents: number | null) => (cents === null ? '–' : formatCents(cents))

function describeChange(current: RevenueMonth, before: RevenueMonth): string {
  const change = current.mrrCents - before.mrrCents
  const sign = change > 0 ? '+' : change < 0 ? '−' : ''
  return `${sign}${formatCents(Math.abs(change))} since ${formatLongMonth(before.month)}`
}

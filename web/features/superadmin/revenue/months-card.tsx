import { Link } from 'react-router'
import { type RevenueFigure, type RevenueMonth, revenueFigures } from '#contract/revenue.ts'
import { Card, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { formatCents } from '../format-money.ts'
import { formatLongMonth, formatMonth } from './format-month.ts'
import { linkToParts } from './parts-search.ts'

const columns: readonly { figure: RevenueFigure; label: string; read: (month: RevenueMonth) => number }[] = [
  { figure: 'mrr', label: 'MRR', read: ({ mrrCents }) => mrrCents },
  { figure: 'new', label: 'New', read: ({ newCents }) => newCents },
  { figure: 'reactivation', label: 'Reactivation', read: ({ reactivationCents }) => reactivationCents },
  { figure: 'expansion', label: 'Expansion', read: ({ expansionCents }) => expansionCents },
  { figure: 'contraction', label: 'Contraction', read: ({ contractionCents }) => -contractionCents },
  { figure: 'churn', label: 'Churn', read: ({ churnCents }) => -churnCents },
  { figure: 'collected', label: 'Collected', read: ({ collectedCents }) => collectedCents },
  { figure: 'refunded', label: 'Refunded', read: ({ refundedCents }) => -refundedCents },
  { figure: 'trialsStarted', label: 'Trials', read: ({ trialsStarted }) => trialsStarted },
  { figure: 'trialsConverted', label: 'Converted', read: ({ trialsConverted }) => trialsConverted },
]

/** Every figure by month, the current one first. Each leads to its organisations. */
export function MonthsCard({ months }: { months: readonly RevenueMonth[] }) {
  return (
    <Card aria-labelledby="months-title">
      <CardHeader>
        <CardTitle id="months-title">Movements by month</CardTitle>
        <CardDescription>Select a figure to see the organisations that it is made of.</CardDescription>
      </CardHeader>
      <section
        aria-label="Figures by month"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
        tabIndex={0}
        className="mt-4 overflow-x-auto rounded-b-lg border-border border-t focus-visible:outline-offset-[-2px]"
      >
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              <th scope="col" className="sticky left-0 bg-sunken px-4 py-2 text-left font-medium text-muted">
                Month
              </th>
              {columns.map(({ label }) => (
                <th
                  key={label}
                  scope="col"
                  className="bg-sunken px-1.5 py-2 text-right last:pr-4 font-medium text-muted"
                >
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {months.toReversed().map((month) => (
              <tr key={month.month} className="border-border [&:not(:last-child)]:border-b">
                <th
                  scope="row"
                  className="sticky left-0 whitespace-nowrap bg-surface px-4 py-1.5 text-left font-normal"
                >
                  {formatMonth(month.month)}
                </th>
                {columns.map(({ figure, label, read }) => (
                  <td key={label} className="whitespace-nowrap px-1.5 py-1.5 text-right last:pr-4 tabular-nums">
                    <Figure figure={figure} month={month.month} value={read(month)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}

function Figure({ figure, month, value }: { figure: RevenueFigure; month: string; value: number }) {
  const { label, unit } = revenueFigures[figure]
  if (value === 0) return <span className="text-muted">–</span>
  const text = unit === 'cents' ? formatCents(value) : String(value)
  return (
    <Link
      to={linkToParts(figure, month)}
      aria-label={`${label} in ${formatLongMonth(month)}: ${text}`}
      className="rounded-sm text-accent-text hover:underline pointer-coarse:inline-block pointer-coarse:py-2.5"
    >
      {text}
    </Link>
  )
}

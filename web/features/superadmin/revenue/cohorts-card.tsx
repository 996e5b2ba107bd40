import { useState } from 'react'
import { Link } from 'react-router'
import { derivedRevenueFigures, type RevenueCohort } from '#contract/revenue.ts'
import { Card, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { formatCents } from '../format-money.ts'
import { formatLongMonth, formatMonth } from './format-month.ts'
import { linkToParts } from './parts-search.ts'

const measures = [
  { value: 'customers', label: 'Customers' },
  { value: 'mrr', label: 'MRR' },
] as const
type Measure = (typeof measures)[number]['value']

/** How many of those who began in a month still pay, and how much. */
export function CohortsCard({ cohorts }: { cohorts: readonly RevenueCohort[] }) {
  const [measure, setMeasure] = useState<Measure>('customers')
  const filled = cohorts.filter(({ months }) => (months[0]?.customers ?? 0) > 0)
  const width = Math.max(0, ...filled.map(({ months }) => months.length))
  return (
    <Card aria-labelledby="cohorts-title">
      <CardHeader>
        <CardTitle id="cohorts-title">Cohorts</CardTitle>
        <CardDescription>{derivedRevenueFigures.cohorts.definition}</CardDescription>
        <div className="pt-2">
          <Segmented label="Show" value={measure} options={measures} onChange={setMeasure} />
        </div>
      </CardHeader>
      {filled.length === 0 ? (
        <p className="p-5 text-base text-muted">No new customers in this period.</p>
      ) : (
        <section
          aria-label="Figures by cohort"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
          tabIndex={0}
          className="mt-4 overflow-x-auto rounded-b-lg border-border border-t focus-visible:outline-offset-[-2px]"
        >
          <table className="w-full border-collapse text-sm">
            <thead>
              <tr>
                <th scope="col" className="sticky left-0 bg-sunken px-4 py-2 text-left font-medium text-muted">
                  Began
                </th>
                {Array.from({ length: width }, (_, index) => `Month ${index}`).map((label) => (
                  <th
                    key={label}
                    scope="col"
                    className="whitespace-nowrap bg-sunken px-3 py-2 text-right font-medium text-muted"
                  >
                    {label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {filled.toReversed().map((cohort) => (
                <tr key={cohort.month} className="border-border [&:not(:last-child)]:border-b">
                  <th
                    scope="row"
                    className="sticky left-0 whitespace-nowrap bg-surface px-4 py-1.5 text-left font-normal"
                  >
                    {formatMonth(cohort.month)}
                  </th>
                  {cohort.months.map((cell) => (
                    <td key={cell.month} className="whitespace-nowrap px-3 py-1.5 text-right tabular-nums">
                      <Cell cohort={cohort} cell={cell} measure={measure} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

function Cell({
  cohort,
  cell,
  measure,
}: {
  cohort: RevenueCohort
  cell: RevenueCohort['months'][number]
  measure: Measure
}) {
  if (cell.customers === 0) return <span className="text-muted">–</span>
  const first = cohort.months[0]?.customers ?? 0
  const share = first === 0 ? 0 : Math.round((cell.customers / first) * 100)
  const text = measure === 'mrr' ? formatCents(cell.mrrCents) : `${cell.customers} (${share} %)`
  return (
    <Link
      to={linkToParts('mrr', cell.month, cohort.month)}
      aria-label={`Cohort ${formatLongMonth(cohort.month)} in ${formatLongMonth(cell.month)}: ${text}`}
      className="rounded-sm text-accent-text hover:underline pointer-coarse:inline-block pointer-coarse:py-2.5"
    >
      {text}
    </Link>
  )
}

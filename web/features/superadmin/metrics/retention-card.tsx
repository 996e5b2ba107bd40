import { Download } from 'lucide-react'
import { Link } from 'react-router'
import { type MetricsReport, retentionDefinition } from '#contract/superadmin-metrics.ts'
import { Button } from '#web/ui/button.tsx'
import { Card, CardDescription, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { formatCount, formatDays, formatShare } from '../format-figures.ts'
import { downloadCsv } from './download-csv.ts'
import { linkToMetricsParts } from './metrics-search.ts'

const dayMs = 86_400_000
const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10)

/** How many of those who signed up in a week are still active, week by week. */
export function RetentionCard({ cohorts }: { cohorts: MetricsReport['cohorts'] }) {
  const filled = cohorts.filter(({ organizations }) => organizations > 0).toReversed()
  const width = Math.max(0, ...filled.map(({ active }) => active.length))
  const columns = Array.from({ length: width }, (_, index) => `Week ${index}`)
  const download = () =>
    downloadCsv('retention', {
      columns: ['Signed up', 'Organisations', ...columns],
      rows: filled.map(({ week, organizations, active }) => ({
        label: week,
        cells: [organizations, ...columns.map((_, index) => active[index] ?? null)],
      })),
    })
  return (
    <Card aria-labelledby="retention-title">
      <CardHeader>
        <div className="flex items-start justify-between gap-2">
          <CardTitle id="retention-title">Retention by week of sign-up</CardTitle>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label="Retention: download as CSV"
            title="Download as CSV"
            onClick={download}
          >
            <Download aria-hidden="true" />
          </Button>
        </div>
        <CardDescription>{retentionDefinition}</CardDescription>
      </CardHeader>
      {filled.length === 0 ? (
        <p className="p-5 text-base text-muted">No organisation signed up in the last twelve weeks.</p>
      ) : (
        <section
          aria-label="Retention, table"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached without a mouse
          tabIndex={0}
          className="mt-4 overflow-x-auto rounded-b-lg border-border border-t focus-visible:outline-offset-[-2px]"
        >
          <table className="w-full border-collapse text-sm">
            <thead>
              <tr>
                <th scope="col" className="sticky left-0 bg-sunken px-4 py-2 text-left font-medium text-muted">
                  Signed up
                </th>
                {['Organisations', ...columns].map((label) => (
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
              {filled.map((cohort) => (
                <Row key={cohort.week} cohort={cohort} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  )
}

function Row({ cohort: { week, organizations, active } }: { cohort: MetricsReport['cohorts'][number] }) {
  const days = formatDays(week, addDays(week, 6))
  return (
    <tr className="border-border [&:not(:last-child)]:border-b">
      <th scope="row" className="sticky left-0 whitespace-nowrap bg-surface px-4 py-1.5 text-left font-normal">
        {days}
      </th>
      <td className="px-3 py-1.5 text-right tabular-nums">
        <CellLink
          to={linkToMetricsParts('registered', { from: week, to: addDays(week, 6) })}
          label={`Signed up ${days}: ${organizations}`}
        >
          {formatCount(organizations)}
        </CellLink>
      </td>
      {active.map((n, index) => {
        const from = addDays(week, 7 * index)
        const share = formatShare(n, organizations) ?? ''
        return (
          <td key={from} className="px-3 py-1.5 text-right tabular-nums">
            {n === 0 ? (
              <span className="text-muted">–</span>
            ) : (
              <CellLink
                to={linkToMetricsParts('active', { from, to: addDays(from, 6) }, week)}
                label={`Signed up ${days}, active in week ${index}: ${n}, ${share}`}
              >
                {share}
              </CellLink>
            )}
          </td>
        )
      })}
    </tr>
  )
}

function CellLink({ to, label, children }: { to: string; label: string; children: string }) {
  return (
    <Link
      to={to}
      aria-label={label}
      className="rounded-sm text-accent-text hover:underline pointer-coarse:inline-block pointer-coarse:py-2.5"
    >
      {children}
    </Link>
  )
}

import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesCombined } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { RevenueReport } from '#contract/revenue.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CohortsCard } from './cohorts-card.tsx'
import { DefinitionsCard } from './definitions-card.tsx'
import { FiguresGrid } from './figures-grid.tsx'
import { MonthsCard } from './months-card.tsx'
import { MrrCard } from './mrr-card.tsx'
import { revenueQuery } from './revenue-queries.ts'

/** Years that can be shown, each with the current month beside. */
const years = [1, 2, 3] as const

/** What the instance earns, by month. */
export function RevenueScreen() {
  const [params, setParams] = useSearchParams()
  const year = years.find((each) => String(each) === params.get('years')) ?? 1
  const { data: report, error, refetch } = useQuery(revenueQuery(year * 12 + 1))
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-base text-muted">In US dollars, by months in UTC. The current month counts until now.</p>
        <Select
          aria-label="Period"
          className="w-auto"
          value={String(year)}
          onChange={({ currentTarget }) => setParams({ years: currentTarget.value }, { preventScrollReset: true })}
        >
          {years.map((each) => (
            <option key={each} value={each}>
              {each * 12} months
            </option>
          ))}
        </Select>
      </div>
      {report ? (
        <Report report={report} />
      ) : error ? (
        <LoadFailure title="Couldn’t load revenue" error={error} onRetry={() => void refetch()} />
      ) : (
        <ReportSkeleton />
      )}
    </div>
  )
}

function Report({ report }: { report: RevenueReport }) {
  const isEmpty = report.months.every(({ mrrCents, collectedCents }) => mrrCents === 0 && collectedCents === 0)
  return (
    <>
      {isEmpty && (
        <EmptyState icon={<ChartNoAxesCombined />} title="No revenue yet" className="py-8">
          Revenue appears here with the first payment.
        </EmptyState>
      )}
      <FiguresGrid report={report} />
      {!isEmpty && (
        <>
          <h2 className="sr-only">Over time</h2>
          <MrrCard report={report} />
          <MonthsCard months={report.months} />
          <CohortsCard cohorts={report.cohorts} />
        </>
      )}
      {report.foreignPayments > 0 && (
        <p className="text-base text-warning-text">
          {report.foreignPayments === 1
            ? '1 payment or refund in another currency is not counted.'
            : `${report.foreignPayments} payments and refunds in other currencies are not counted.`}
        </p>
      )}
      <DefinitionsCard />
    </>
  )
}

function ReportSkeleton() {
  return (
    <output className="flex flex-col gap-6">
      <span className="sr-only">Loading revenue</span>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {['first', 'second', 'third', 'fourth'].map((name) => (
          <Skeleton key={name} className="h-32" />
        ))}
      </div>
      <Skeleton className="h-72" />
    </output>
  )
}

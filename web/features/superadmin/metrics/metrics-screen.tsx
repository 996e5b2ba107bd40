import { useQuery } from '@tanstack/react-query'
import { ChartNoAxesCombined } from 'lucide-react'
import { useSearchParams } from 'react-router'
import type { MetricsReport } from '#contract/superadmin-metrics.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { formatDays } from '../format-figures.ts'
import { ActivationCard } from './activation-card.tsx'
import { MetricsDefinitions } from './metrics-definitions.tsx'
import { metricsQuery } from './metrics-queries.ts'
import { readMetricsSearch, writeMetricsSearch } from './metrics-search.ts'
import { PeriodChoice } from './period-choice.tsx'
import { RetentionCard } from './retention-card.tsx'
import { UsageCard, WidgetUseCard } from './usage-card.tsx'
import { UsageFigures } from './usage-figures.tsx'

/** How the instance is used. */
export function MetricsScreen() {
  const [params, setParams] = useSearchParams()
  const search = readMetricsSearch(params, new Date())
  const { data: report, error, refetch } = useQuery(metricsQuery(search))
  return (
    <div className="flex flex-col gap-6">
      <PeriodChoice
        search={search}
        onChange={(next) => setParams(writeMetricsSearch(next), { preventScrollReset: true })}
      />
      {report ? (
        <Report report={report} />
      ) : error ? (
        <LoadFailure title="Couldn’t load metrics" error={error} onRetry={() => void refetch()} />
      ) : (
        <ReportSkeleton />
      )}
    </div>
  )
}

function Report({ report }: { report: MetricsReport }) {
  const isEmpty = [report.totals, report.previousTotals].every((totals) => Object.values(totals).every((n) => n === 0))
  return (
    <>
      <p className="text-base text-muted">
        {formatDays(report.from, report.to)}, compared with {formatDays(report.previousFrom, report.previousTo)}.
      </p>
      {isEmpty && (
        <EmptyState icon={<ChartNoAxesCombined />} title="No activity in this period" className="py-8">
          Figures appear here within a minute of the first activity.
        </EmptyState>
      )}
      <UsageFigures report={report} />
      <h2 className="sr-only">Over time</h2>
      <UsageCard report={report} />
      <WidgetUseCard report={report} />
      <ActivationCard report={report} />
      <RetentionCard cohorts={report.cohorts} />
      <MetricsDefinitions />
    </>
  )
}

function ReportSkeleton() {
  return (
    <output className="flex flex-col gap-6">
      <span className="sr-only">Loading metrics</span>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
        {['first', 'second', 'third', 'fourth'].map((name) => (
          <Skeleton key={name} className="h-32" />
        ))}
      </div>
      <Skeleton className="h-72" />
    </output>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { Link } from 'react-router'
import { timesQuery, trendsQuery } from '#web/features/analytics/analytics-queries.ts'
import { readAnalyticsSearch, toAnalyticsQuery } from '#web/features/analytics/analytics-search.ts'
import {
  compare,
  formatCount,
  formatDifference,
  formatDuration,
  formatRating,
} from '#web/features/analytics/format-numbers.ts'
import { nameSteps } from '#web/features/analytics/step-labels.ts'
import type { Change } from '#web/ui/charts/change.ts'
import { ChangeMark } from '#web/ui/charts/chart-card.tsx'
import { Sparkline } from '#web/ui/charts/sparkline.tsx'
import { useOrganization } from '../../lib/organization.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Three figures of the last thirty days. The analytics screen has the details. */
export function MonthTrends() {
  const { organization } = useOrganization()
  const query = toAnalyticsQuery(readAnalyticsSearch(new URLSearchParams(), new Date()))
  const { data, isError } = useQuery(trendsQuery(organization.id, query))
  const { data: times } = useQuery(timesQuery(organization.id, query))
  // The numbers that matter stand above; these can be missing for once.
  if (isError && !data) return null
  return (
    <Card aria-labelledby="month-trends">
      <div className="flex items-baseline justify-between gap-4 border-border border-b px-5 py-4">
        <h2 id="month-trends" className="font-semibold text-lg">
          Last 30 days
        </h2>
        <Link
          to="/dashboard/analytics"
          className="-my-2.5 shrink-0 rounded-sm py-2.5 text-accent-text text-base hover:underline"
        >
          All analytics
        </Link>
      </div>
      {data ? (
        <div className="grid gap-6 p-5 sm:grid-cols-3">
          <Trend
            label="Items"
            figure={formatCount(data.items.total)}
            change={compare(data.items.total, data.items.previousTotal)}
            steps={nameSteps(data.steps)}
            values={data.items.perStep}
            formatValue={formatCount}
          />
          <Trend
            label="Average rating"
            figure={data.ratings.mean === null ? '–' : `${formatRating(data.ratings.mean)} of 5`}
            change={compare(data.ratings.mean, data.ratings.previousMean, formatDifference(1))}
            steps={nameSteps(data.points)}
            values={data.ratings.perPoint}
            formatValue={formatRating}
          />
          <Trend
            label="Time until first opened"
            figure={times?.firstView.median == null ? '–' : formatDuration(times.firstView.median)}
            change={times && compare(times.firstView.median, times.firstView.previousMedian)}
            steps={nameSteps(times?.points ?? [])}
            values={times?.firstView.perPoint.map(({ median }) => median) ?? []}
            formatValue={formatDuration}
          />
        </div>
      ) : (
        <div className="p-5">
          <Skeleton className="h-24" />
        </div>
      )}
    </Card>
  )
}

function Trend({
  label,
  figure,
  change,
  ...course
}: ComponentProps<typeof Sparkline> & { figure: string; change: Change | undefined }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-muted text-sm">{label}</p>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-semibold text-xl tabular-nums">{figure}</span>
        {change && <ChangeMark change={change} />}
      </p>
      <Sparkline label={label} {...course} />
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnalyticsTimes, AnalyticsTrends } from '#contract/analytics.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Card } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Reveal } from '#web/ui/reveal.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { funnelQuery, originsQuery, timesQuery, trendsQuery } from './analytics-queries.ts'
import { type AnalyticsSearch, toAnalyticsQuery } from './analytics-search.ts'
import { DurationCard } from './duration-card.tsx'
import { describeDays, formatDays } from './format-numbers.ts'
import { FunnelCard } from './funnel-card.tsx'
import { OriginsCards } from './origins-cards.tsx'
import { NpsCard, NpsTrendCard, RatingsCard, RatingTrendCard } from './satisfaction-cards.tsx'
import { VolumeCard } from './volume-card.tsx'

/** Every chart of a period and its projects. */
export function AnalyticsReport({ search }: { search: AnalyticsSearch }) {
  const { organization } = useOrganization()
  const query = toAnalyticsQuery(search)
  const trends = useQuery(trendsQuery(organization.id, query))
  const times = useQuery(timesQuery(organization.id, query))
  const origins = useQuery(originsQuery(organization.id, query))
  const funnel = useQuery(funnelQuery(organization.id, query))
  const all = [trends, times, origins, funnel]
  const [failed] = all
  if (failed?.error && all.every(({ data, error }) => data === undefined && error !== null)) {
    return (
      <Card>
        <LoadFailure
          title="Couldn’t load analytics"
          error={failed.error}
          onRetry={() => void Promise.all(all.map(({ refetch }) => refetch()))}
        />
      </Card>
    )
  }
  const isOld = trends.isPlaceholderData || origins.isPlaceholderData || funnel.isPlaceholderData
  const cards = trends.data && { trends: trends.data, search }
  const isReady = all.every(({ data, failureCount }) => data !== undefined || failureCount > 0)
  return (
    <div aria-busy={isOld || trends.isPending}>
      <Reveal isReady={isReady} className="flex flex-col gap-8">
        {trends.isPending && <PeriodSkeleton />}
        {trends.data && <ComparedPeriods trends={trends.data} />}
        <Section title="Volume">{cards ? <VolumeCard {...cards} /> : <Pending of={trends} height="h-96" />}</Section>
        <Section title="Satisfaction" note={noteOfPoints(trends.data)}>
          {cards ? (
            <div className="grid gap-4 lg:grid-cols-[2fr_1fr]">
              <RatingTrendCard {...cards} />
              <RatingsCard {...cards} />
              <NpsTrendCard {...cards} />
              <NpsCard {...cards} />
            </div>
          ) : (
            <Pending of={trends} height="h-180" />
          )}
        </Section>
        <Section title="Response times" note={noteOfPoints(times.data)}>
          {times.data ? (
            <ResponseTimeCards times={times.data} search={search} />
          ) : (
            <Pending of={times} height="h-104" />
          )}
        </Section>
        <Section title="Sources">
          {origins.data ? (
            <OriginsCards origins={origins.data} search={search} />
          ) : (
            <Pending of={origins} height="h-192" />
          )}
          {funnel.data ? <FunnelCard funnel={funnel.data} /> : <Pending of={funnel} height="h-64" />}
        </Section>
      </Reveal>
    </div>
  )
}

function PeriodSkeleton() {
  return (
    <div aria-hidden="true" className="-mb-2 flex flex-col gap-1">
      <Skeleton className="h-5 max-w-lg" />
      <Skeleton className="h-10 max-w-prose" />
    </div>
  )
}

/** The days the report covers, those it compares them with, and which items count. */
function ComparedPeriods({ trends }: { trends: AnalyticsTrends }) {
  return (
    <div className="-mb-2 flex flex-col gap-1">
      <p className="text-base" role="status">
        {formatDays(trends.from, trends.to)}
        <span className="text-muted">
          {' '}
          compared with {formatDays(trends.previousFrom, trends.previousTo)} (dashed lines, and marks on bars)
        </span>
      </p>
      <p className="max-w-prose text-muted text-sm">
        {describeDays(new Date(trends.to))} Spam and trash don’t count. Archived items count, but links from charts to
        the inbox leave them out.
      </p>
    </div>
  )
}

function ResponseTimeCards({ times, search }: { times: AnalyticsTimes; search: AnalyticsSearch }) {
  const { firstView, firstResponse, resolution, points } = times
  const shared = { points, search }
  return (
    <div className="grid gap-4 xl:grid-cols-3">
      <DurationCard title="Time until first opened" noun="opened" duration={firstView} {...shared} />
      <DurationCard title="Time until first answered" noun="answered" duration={firstResponse} {...shared} />
      <DurationCard title="Time until resolved" noun="resolved" duration={resolution} {...shared} />
    </div>
  )
}

/** A note for lines that show a rolling average. */
function noteOfPoints(trends: Pick<AnalyticsTrends, 'points' | 'steps'> | undefined): string | undefined {
  return trends && trends.points.at(-1)?.from !== trends.steps.at(-1)?.from ? '7-day rolling average' : undefined
}

function Section({ title, note, children }: { title: string; note?: string | undefined; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="font-semibold text-lg">{title}</h2>
        {note !== undefined && <p className="text-muted text-sm">{note}</p>}
      </div>
      {children}
    </section>
  )
}

function Pending({ of, height }: { of: { error: Error | null; refetch: () => unknown }; height: string }) {
  if (!of.error) return <Skeleton className={height} />
  return (
    <Card>
      <LoadFailure title="Couldn’t load this chart" error={of.error} onRetry={() => of.refetch()} />
    </Card>
  )
}

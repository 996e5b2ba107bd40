import type { AnalyticsDuration, AnalyticsTimes } from '#contract/analytics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseDurationTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import type { AnalyticsSearch } from './analytics-search.ts'
import { compare, formatCount, formatDuration } from './format-numbers.ts'
import { linkToInbox } from './inbox-link.ts'
import { nameSteps } from './step-labels.ts'

/** How long something took: half of all were faster than the median, nine of ten than the other line. */
export function DurationCard({
  title,
  noun,
  duration,
  points,
  search,
}: {
  title: string
  /** E.g. `opened`. */
  noun: string
  duration: AnalyticsDuration
  points: AnalyticsTimes['points']
  search: AnalyticsSearch
}) {
  const labels = nameSteps(points)
  const hrefOf = (index: number) => linkToInbox({ ...(points[index] ?? search), projects: search.projects })
  const highest = Math.max(60, ...duration.perPoint.map(({ p90 }) => p90 ?? 0))
  const hours = (seconds: number | null | undefined) =>
    seconds === null || seconds === undefined ? null : seconds / 3600
  return (
    <ChartCard
      title={title}
      description={`${formatCount(duration.count)} ${noun} so far`}
      figure={duration.median === null ? '–' : formatDuration(duration.median)}
      change={compare(duration.median, duration.previousMedian)}
      detail={duration.p90 === null ? undefined : `90th percentile: ${formatDuration(duration.p90)}`}
      fileName={`time-until-${noun}`}
      empty={
        duration.count + duration.previousCount === 0 ? `No feedback from this period was ${noun} yet.` : undefined
      }
      table={{
        columns: ['Days', 'Items', 'Median in hours', '90th percentile in hours', 'Previous median in hours'],
        rows: labels.map(({ long }, index) => ({
          label: long,
          cells: [
            duration.perPoint[index]?.count ?? 0,
            hours(duration.perPoint[index]?.median),
            hours(duration.perPoint[index]?.p90),
            hours(duration.previousMedianPerPoint[index]),
          ],
          href: hrefOf(index),
        })),
      }}
    >
      <TimeChart
        label={title}
        kind="lines"
        steps={labels}
        series={[
          { label: 'Median', colour: 1, values: duration.perPoint.map(({ median }) => median) },
          { label: '90 % within', colour: 2, values: duration.perPoint.map(({ p90 }) => p90) },
        ]}
        previous={duration.previousMedianPerPoint.map((median) => (median === null ? null : Math.min(median, highest)))}
        ticks={chooseDurationTicks(highest)}
        formatValue={formatDuration}
        formatTick={(seconds) => (seconds === 0 ? '0' : formatDuration(seconds))}
        hrefOf={hrefOf}
      />
    </ChartCard>
  )
}

import type { AnalyticsTrends } from '#contract/analytics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import type { AnalyticsSearch } from './analytics-search.ts'
import { BarList } from './bar-list.tsx'
import { compare, formatCount, formatDifference, formatPercent, formatRating, formatScore } from './format-numbers.ts'
import { linkToInbox } from './inbox-link.ts'
import { nameSteps } from './step-labels.ts'

interface CardProps {
  trends: AnalyticsTrends
  search: AnalyticsSearch
}

const sum = (counts: readonly number[]) => counts.reduce((total, n) => total + n, 0)
const noRatings = 'No ratings in this period.'
const noScores = 'No NPS answers in this period.'

export function RatingTrendCard({ trends: { ratings, points }, search }: CardProps) {
  const labels = nameSteps(points)
  const hrefOf = (index: number) => linkToInbox({ ...(points[index] ?? search), projects: search.projects })
  const title = 'Average rating over time'
  return (
    <ChartCard
      title={title}
      figure={ratings.mean === null ? '–' : `${formatRating(ratings.mean)} of 5`}
      change={compare(ratings.mean, ratings.previousMean, formatDifference(1))}
      detail={`${formatCount(sum(ratings.counts))} ratings`}
      fileName="average-rating"
      empty={sum(ratings.counts) + sum(ratings.previousCounts) === 0 ? noRatings : undefined}
      table={{
        columns: ['Days', 'Average rating', 'Previous period'],
        rows: labels.map(({ long }, index) => ({
          label: long,
          cells: [ratings.perPoint[index] ?? null, ratings.previousPerPoint[index] ?? null],
          href: hrefOf(index),
        })),
      }}
    >
      <TimeChart
        label={title}
        kind="lines"
        steps={labels}
        series={[{ label: 'Average rating', colour: 1, values: ratings.perPoint }]}
        previous={ratings.previousPerPoint}
        ticks={[1, 2, 3, 4, 5]}
        formatValue={formatRating}
        formatTick={String}
        hrefOf={hrefOf}
      />
    </ChartCard>
  )
}

export function RatingsCard({ trends: { ratings }, search }: CardProps) {
  const total = sum(ratings.counts)
  const rows = [5, 4, 3, 2, 1].map((rating) => ({
    rating,
    value: ratings.counts[rating - 1] ?? 0,
    previous: ratings.previousCounts[rating - 1] ?? 0,
    href: linkToInbox(search, { rating: String(rating) }),
  }))
  return (
    <ChartCard
      title="Ratings by value"
      fileName="ratings"
      empty={total + sum(ratings.previousCounts) === 0 ? noRatings : undefined}
      table={{
        columns: ['Rating', 'Items', 'Previous period'],
        rows: rows.map(({ rating, value, previous, href }) => ({
          label: `${rating} of 5`,
          cells: [value, previous],
          href,
        })),
      }}
    >
      <BarList
        whole={{ value: total, previous: sum(ratings.previousCounts) }}
        bars={rows.map(({ rating, value, previous, href }) => ({
          key: String(rating),
          label: `${rating} of 5`,
          note: formatPercent(total === 0 ? 0 : value / total),
          value,
          previous,
          href,
        }))}
      />
    </ChartCard>
  )
}

export function NpsTrendCard({ trends: { nps, points }, search }: CardProps) {
  const labels = nameSteps(points)
  const hrefOf = (index: number) => linkToInbox({ ...(points[index] ?? search), projects: search.projects })
  const title = 'Net promoter score over time'
  return (
    <ChartCard
      title={title}
      figure={nps.score === null ? '–' : formatScore(nps.score)}
      change={compare(nps.score, nps.previousScore, formatDifference(0))}
      detail={`${formatCount(sum(nps.counts))} answers`}
      fileName="net-promoter-score"
      empty={sum(nps.counts) + sum(nps.previousCounts) === 0 ? noScores : undefined}
      table={{
        columns: ['Days', 'Net promoter score', 'Previous period'],
        rows: labels.map(({ long }, index) => ({
          label: long,
          cells: [nps.perPoint[index] ?? null, nps.previousPerPoint[index] ?? null],
          href: hrefOf(index),
        })),
      }}
    >
      <TimeChart
        label={title}
        kind="lines"
        steps={labels}
        series={[{ label: 'Net promoter score', colour: 4, values: nps.perPoint }]}
        previous={nps.previousPerPoint}
        ticks={chooseTicks(-100, 100)}
        formatValue={formatScore}
        hrefOf={hrefOf}
      />
    </ChartCard>
  )
}

const groups = [
  { label: 'Promoters', scores: [9, 10], range: '9 and 10', colour: 3 },
  { label: 'Passives', scores: [7, 8], range: '7 and 8', colour: 2 },
  { label: 'Detractors', scores: [0, 1, 2, 3, 4, 5, 6], range: '0 to 6', colour: 5 },
]

export function NpsCard({ trends: { nps } }: Pick<CardProps, 'trends'>) {
  const total = sum(nps.counts)
  const pick = (counts: readonly number[], scores: readonly number[]) => sum(scores.map((score) => counts[score] ?? 0))
  return (
    <ChartCard
      title="NPS answers"
      fileName="recommendation"
      empty={total + sum(nps.previousCounts) === 0 ? noScores : undefined}
      table={{
        columns: ['Score', 'Answers', 'Previous period'],
        rows: nps.counts.map((n, score) => ({ label: String(score), cells: [n, nps.previousCounts[score] ?? 0] })),
      }}
    >
      <BarList
        whole={{ value: total, previous: sum(nps.previousCounts) }}
        bars={groups.map(({ label, scores, range, colour }) => {
          const value = pick(nps.counts, scores)
          return {
            key: label,
            label: `${label} (${range})`,
            note: formatPercent(total === 0 ? 0 : value / total),
            value,
            previous: pick(nps.previousCounts, scores),
            colour,
          }
        })}
      />
    </ChartCard>
  )
}

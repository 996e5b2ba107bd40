import { useState } from 'react'
import { Link } from 'react-router'
import type { AnalyticsTrends } from '#contract/analytics.ts'
import { statusLabels, typeLabels } from '#contract/feedback-labels.ts'
import { sourceLabels } from '#web/shared/feedback-labels.ts'
import { Button } from '#web/ui/button.tsx'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { type AnalyticsSearch, writeAnalyticsSearch } from './analytics-search.ts'
import { compare, formatAxisCount, formatCount } from './format-numbers.ts'
import { linkToInbox } from './inbox-link.ts'
import { nameSteps } from './step-labels.ts'

const dimensions = [
  { value: 'types', label: 'Type', filter: 'type', word: 'type' },
  { value: 'statuses', label: 'Status', filter: 'status', word: 'current status' },
  { value: 'sources', label: 'Source', filter: 'source', word: 'source' },
] as const
type Dimension = (typeof dimensions)[number]['value']

const names: Readonly<Record<string, string>> = { ...typeLabels, ...statusLabels, ...sourceLabels }
/** Each keeps its colour, whatever others are there. */
const colours: Readonly<Record<string, number>> = {
  bug: 5,
  idea: 2,
  question: 1,
  praise: 3,
  other: 4,
  new: 1,
  open: 2,
  in_progress: 4,
  resolved: 3,
  closed: 6,
  widget: 1,
  api: 2,
  link: 3,
  import: 4,
  manual: 5,
  test: 6,
}

/** How much came in, and what of. */
export function VolumeCard({ trends, search }: { trends: AnalyticsTrends; search: AnalyticsSearch }) {
  const [dimension, setDimension] = useState<Dimension>('types')
  const { filter, word } = dimensions.find(({ value }) => value === dimension) ?? dimensions[0]
  const { items, steps } = trends
  const series = trends[dimension]
  const labels = nameSteps(steps)
  const hrefOf = (index: number) => linkToInbox({ ...(steps[index] ?? search), projects: search.projects })
  const title = `Items over time by ${word}`
  return (
    <ChartCard
      title={title}
      figure={formatCount(items.total)}
      change={compare(items.total, items.previousTotal)}
      detail={`${formatCount(items.previousTotal)} in the previous period`}
      fileName={`items-by-${filter}`}
      empty={items.total + items.previousTotal === 0 ? <NoItems search={search} /> : undefined}
      controls={<Segmented label="By" value={dimension} options={dimensions} onChange={setDimension} />}
      table={{
        columns: ['Days', 'All', 'Previous period', ...series.map(({ value }) => names[value] ?? value)],
        rows: labels.map(({ long }, index) => ({
          label: long,
          cells: [
            items.perStep[index] ?? 0,
            items.previousPerStep[index] ?? 0,
            ...series.map(({ perStep }) => perStep[index] ?? 0),
          ],
          href: hrefOf(index),
        })),
      }}
    >
      <TimeChart
        label={title}
        kind="columns"
        steps={labels}
        series={series
          .filter(({ total }) => total > 0)
          .map(({ value, perStep }) => ({
            label: names[value] ?? value,
            colour: colours[value] ?? 1,
            values: perStep,
          }))}
        previous={items.previousPerStep}
        ticks={chooseTicks(0, Math.max(1, ...items.perStep, ...items.previousPerStep), { whole: true })}
        formatValue={formatCount}
        formatTick={formatAxisCount}
        hrefOf={hrefOf}
      />
    </ChartCard>
  )
}

/** A period without feedback, and the way to a longer one. */
function NoItems({ search }: { search: AnalyticsSearch }) {
  const longest = new URLSearchParams(writeAnalyticsSearch({ ...search, period: '364' })).toString()
  return (
    <>
      <p>No feedback in this period.</p>
      {search.period !== '364' && (
        <Button asChild variant="link">
          <Link to={{ search: longest }} preventScrollReset>
            Show 12 months
          </Link>
        </Button>
      )}
    </>
  )
}

import { useState } from 'react'
import {
  activeFigure,
  type MetricsReport,
  type UsageFigure,
  usageFigureNames,
  usageFigures,
} from '#contract/superadmin-metrics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import { Select } from '#web/ui/select.tsx'
import { formatAxisCount, formatCount, formatDays, formatShortDay } from '../format-figures.ts'
import { linkToMetricsParts } from './metrics-search.ts'

type Shown = UsageFigure | 'active'
const shownFigures = ['active', ...usageFigureNames.filter((name) => !isOfWidget(name))] as const

function isOfWidget(name: UsageFigure): boolean {
  return name === 'loads' || name === 'opens' || name === 'submissions'
}

/** One figure over time; the table and its file hold all of them. */
export function UsageCard({ report }: { report: MetricsReport }) {
  const [figure, setFigure] = useState<Shown>('items')
  const { steps } = report
  const { label, definition } = figure === 'active' ? activeFigure : usageFigures[figure]
  const values = steps.map(({ usage, active }) => (figure === 'active' ? active : usage[figure]))
  const hrefOf = (index: number) => linkToMetricsParts(figure, steps[index] ?? report)
  return (
    <ChartCard
      title="Product usage"
      description={`${label}: ${definition}`}
      fileName={`usage-${report.from}-${report.to}`}
      controls={
        <Select
          aria-label="Figure"
          className="w-auto"
          value={figure}
          onChange={({ currentTarget: { value } }) => setFigure(shownFigures.find((each) => each === value) ?? 'items')}
        >
          {shownFigures.map((each) => (
            <option key={each} value={each}>
              {each === 'active' ? activeFigure.label : usageFigures[each].label}
            </option>
          ))}
        </Select>
      }
      table={{
        columns: ['Days', activeFigure.label, ...usageFigureNames.map((name) => usageFigures[name].label)],
        rows: steps.map(({ from, to, usage, active }) => ({
          label: formatDays(from, to),
          cells: [active, ...usageFigureNames.map((name) => usage[name])],
          href: linkToMetricsParts(figure, { from, to }),
        })),
      }}
    >
      <TimeChart
        label={label}
        kind={figure === 'active' ? 'lines' : 'columns'}
        steps={nameSteps(steps)}
        series={[{ label, colour: 1, values }]}
        ticks={chooseTicks(0, Math.max(1, ...values), { whole: true })}
        formatValue={formatCount}
        formatTick={formatAxisCount}
        hrefOf={hrefOf}
      />
    </ChartCard>
  )
}

/** Page views with the widget, and the opens and submissions that followed. */
export function WidgetUseCard({ report }: { report: MetricsReport }) {
  const { steps, totals } = report
  const read = (name: 'loads' | 'opens' | 'submissions') => steps.map(({ usage }) => usage[name])
  const columns = [
    { name: 'loads', colour: 1 },
    { name: 'opens', colour: 4 },
    { name: 'submissions', colour: 3 },
  ] as const
  return (
    <ChartCard
      title="Widget loads and submissions"
      description="Summed every ten minutes."
      fileName={`widget-${report.from}-${report.to}`}
      empty={totals.loads + totals.submissions === 0 ? 'No widget loads in this period.' : undefined}
      table={{
        columns: ['Days', ...columns.map(({ name }) => usageFigures[name].label)],
        rows: steps.map(({ from, to, usage }) => ({
          label: formatDays(from, to),
          cells: columns.map(({ name }) => usage[name]),
          href: linkToMetricsParts('loads', { from, to }),
        })),
      }}
    >
      <TimeChart
        label="Widget loads and submissions"
        kind="lines"
        steps={nameSteps(steps)}
        series={columns.map(({ name, colour }) => ({ label: usageFigures[name].label, colour, values: read(name) }))}
        ticks={chooseTicks(0, Math.max(1, ...read('loads'), ...read('submissions')), { whole: true })}
        formatValue={formatCount}
        formatTick={formatAxisCount}
        hrefOf={(index) => linkToMetricsParts('loads', steps[index] ?? report)}
      />
    </ChartCard>
  )
}

const nameSteps = (steps: MetricsReport['steps']) =>
  steps.map(({ from, to }) => ({ short: formatShortDay(to), long: formatDays(from, to) }))

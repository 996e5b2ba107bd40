import { derivedRevenueFigures, type RevenueReport } from '#contract/revenue.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import { formatAxisCents, formatCents } from '../format-money.ts'
import { formatLongMonth, formatMonth } from './format-month.ts'
import { linkToParts } from './parts-search.ts'

/** Monthly recurring revenue over time, and where it leads. */
export function MrrCard({ report: { months, forecast } }: { report: RevenueReport }) {
  const steps = [...months, ...forecast].map(({ month }) => ({
    short: formatMonth(month),
    long: formatLongMonth(month),
  }))
  const mrr = [...months.map(({ mrrCents }) => mrrCents), ...forecast.map(() => null)]
  // From the present on, so that the lines meet.
  const ahead = [
    ...months.map(({ mrrCents }, index) => (index === months.length - 1 ? mrrCents : null)),
    ...forecast.map(({ mrrCents }) => mrrCents),
  ]
  const highest = Math.max(100, ...[...mrr, ...ahead].map((cents) => cents ?? 0))
  return (
    <ChartCard
      title="Monthly recurring revenue"
      description={`Forecast: ${derivedRevenueFigures.forecast.definition}`}
      fileName="mrr"
      table={{
        columns: ['Month', 'MRR', 'Forecast'],
        rows: [
          ...months.map(({ month, mrrCents }) => ({
            label: formatLongMonth(month),
            cells: [formatCents(mrrCents), null],
            href: linkToParts('mrr', month),
          })),
          ...forecast.map(({ month, mrrCents }) => ({
            label: formatLongMonth(month),
            cells: [null, formatCents(mrrCents)],
          })),
        ],
      }}
    >
      <TimeChart
        label="Monthly recurring revenue"
        kind="lines"
        steps={steps}
        series={[
          { label: 'MRR', colour: 1, values: mrr },
          { label: 'Forecast', colour: 4, values: ahead },
        ]}
        ticks={chooseTicks(0, highest)}
        formatValue={(cents) => formatCents(cents)}
        formatTick={formatAxisCents}
        hrefOf={(index) => linkToParts('mrr', months[Math.min(index, months.length - 1)]?.month ?? '')}
      />
    </ChartCard>
  )
}

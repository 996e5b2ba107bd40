import type { AnalyticsFunnel } from '#contract/analytics.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { BarList } from './bar-list.tsx'
import { compare, formatPercent } from './format-numbers.ts'
import { nameSteps } from './step-labels.ts'

/** From the page that loads the widget to what is sent, all bars to one scale. */
export function FunnelCard({ funnel }: { funnel: AnalyticsFunnel }) {
  const { loaded, opened, submitted, steps } = funnel
  const part = (of: { total: number }, all: { total: number }) => (all.total === 0 ? null : of.total / all.total)
  const [openRate, sendRate] = [part(opened, loaded), part(submitted, opened)]
  const stages = [
    { key: 'loaded', label: 'Widget loaded', stage: loaded, of: undefined, colour: 1 },
    { key: 'opened', label: 'Widget opened', stage: opened, of: openRate, colour: 4 },
    { key: 'submitted', label: 'Feedback sent', stage: submitted, of: sendRate, colour: 3 },
  ]
  const most = Math.max(loaded.total, loaded.previousTotal)
  const whole = part(submitted, loaded)
  const previousWhole = loaded.previousTotal === 0 ? null : submitted.previousTotal / loaded.previousTotal
  return (
    <ChartCard
      title="Conversion funnel"
      description="Counted by the widget, spam included"
      figure={whole === null ? '–' : formatPercent(whole)}
      change={compare(whole, previousWhole)}
      detail="of the pages that load the widget lead to feedback"
      fileName="funnel"
      empty={loaded.total + loaded.previousTotal === 0 ? 'No widget loads in this period.' : undefined}
      table={{
        columns: ['Days', 'Loaded', 'Opened', 'Sent'],
        rows: nameSteps(steps).map(({ long }, index) => ({
          label: long,
          cells: [loaded.perStep[index] ?? 0, opened.perStep[index] ?? 0, submitted.perStep[index] ?? 0],
        })),
      }}
    >
      <BarList
        whole={{ value: most, previous: most }}
        bars={stages.map(({ key, label, stage, of, colour }) => ({
          key,
          label,
          value: stage.total,
          previous: stage.previousTotal,
          colour,
          ...(of !== null && of !== undefined && { note: `${formatPercent(of)} of those` }),
        }))}
      />
    </ChartCard>
  )
}

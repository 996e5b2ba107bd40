import type { AnalyticsFunnel } from '#contract/analytics.ts'
import { ChartCard } from './chart-card.tsx'
import { BarList } from './charts/bar-list.tsx'
import { compare, formatPercent } from './format-numbers.ts'
import { nameSteps } from './step-labels.ts'

/** From the page that loads the widget to what is sent. Each bar beside the one above it, because few of many write. */
export function FunnelCard({ funnel }: { funnel: AnalyticsFunnel }) {
  const { loaded, opened, submitted, steps } = funnel
  const part = (of: { total: number }, all: { total: number }) => (all.total === 0 ? null : of.total / all.total)
  const [openRate, sendRate] = [part(opened, loaded), part(submitted, opened)]
  const stages = [
    { key: 'loaded', label: 'Widget loaded', stage: loaded, of: undefined, colour: 1 },
    { key: 'opened', label: 'Widget opened', stage: opened, of: openRate, colour: 4 },
    { key: 'submitted', label: 'Feedback sent', stage: submitted, of: sendRate, colour: 3 },
  ]
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
      <div className="flex flex-col gap-1">
        {stages.map(({ key, label, stage, of, colour }, index) => (
          <BarList
            key={key}
            max={
              index === 0
                ? Math.max(stage.total, stage.previousTotal, 1)
                : Math.max(stages[index - 1]?.stage.total ?? 1, stage.previousTotal, 1)
            }
            bars={[
              {
                key,
                label,
                value: stage.total,
                previous: stage.previousTotal,
                colour,
                ...(of !== null && of !== undefined && { note: `${formatPercent(of)} of those` }),
              },
            ]}
          />
        ))}
      </div>
    </ChartCard>
  )
}

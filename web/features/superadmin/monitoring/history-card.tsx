import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type FigureName,
  figureNames,
  formatFigure,
  isFigureName,
  monitoredFigures,
} from '#contract/monitored-figures.ts'
import { historyHours, type MonitoringHistory } from '#contract/superadmin-monitoring.ts'
import { getDateFormat } from '#web/lib/date-style.ts'
import { formatMoment } from '#web/lib/relative-time.ts'
import { ChartCard } from '#web/ui/charts/chart-card.tsx'
import { chooseDurationTicks, chooseTicks } from '#web/ui/charts/scale.ts'
import { TimeChart } from '#web/ui/charts/time-chart.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Select } from '#web/ui/select.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { historyQuery } from './monitoring-queries.ts'

const periodLabels: Readonly<Record<number, string>> = { 24: '24 hours', 168: '7 days', 336: '14 days' }
const gibibyte = 1024 ** 3

/** One figure of the last 14 days: of each step the worst value. */
export function HistoryCard() {
  const [hours, setHours] = useState<(typeof historyHours)[number]>(336)
  const [figure, setFigure] = useState<FigureName>('delay_ms')
  const { data: history, error, refetch } = useQuery(historyQuery(hours))
  if (!history) {
    return error ? (
      <LoadFailure title="Couldn’t load the history" error={error} onRetry={() => void refetch()} />
    ) : (
      <output>
        <span className="sr-only">Loading the history</span>
        <Skeleton className="h-80" />
      </output>
    )
  }
  const { label, meaning, unit } = monitoredFigures[figure]
  const values = history.figures[figure] ?? []
  const known = values.filter((value) => value !== null)
  return (
    <section aria-label="History">
      <ChartCard
        title={label}
        description={`${meaning} The worst value of each ${describeStep(history)}.`}
        fileName={`monitoring-${hours}-hours`}
        controls={
          <div className="flex flex-wrap gap-3">
            <Select
              aria-label="Figure"
              className="w-auto"
              value={figure}
              onChange={({ currentTarget: { value } }) => isFigureName(value) && setFigure(value)}
            >
              {figureNames.map((name) => (
                <option key={name} value={name}>
                  {monitoredFigures[name].label}
                </option>
              ))}
            </Select>
            <Segmented
              label="Period"
              value={String(hours)}
              options={historyHours.map((each) => ({ value: String(each), label: periodLabels[each] }))}
              onChange={(value) => setHours(historyHours.find((each) => String(each) === value) ?? 336)}
            />
          </div>
        }
        table={{
          columns: ['Time', ...figureNames.map((name) => monitoredFigures[name].label)],
          rows: history.at.map((at, index) => ({
            label: formatMoment(at),
            cells: figureNames.map((name) => writeCell(history.figures[name]?.[index] ?? null, name)),
          })),
        }}
      >
        {known.length === 0 && (
          <p className="mb-3 text-base text-muted">No figures yet. The first appear within a minute of the start.</p>
        )}
        <TimeChart
          label={label}
          kind="lines"
          steps={history.at.map((at) => ({ short: nameStep(at, hours), long: formatMoment(at) }))}
          series={[{ label, colour: 1, values }]}
          ticks={chooseFigureTicks(Math.max(0, ...known), unit)}
          formatValue={(value) => formatFigure(value, unit)}
        />
      </ChartCard>
    </section>
  )
}

function writeCell(value: number | null, name: FigureName): string | null {
  return value === null ? null : formatFigure(value, monitoredFigures[name].unit)
}

function describeStep({ stepMinutes }: MonitoringHistory): string {
  if (stepMinutes === 60) return 'hour'
  return stepMinutes === 1 ? 'minute' : `${stepMinutes} minutes`
}

const nameStep = (at: string, hours: number) => getDateFormat(hours === 24 ? 'clock' : 'dayOfYear').format(new Date(at))

function chooseFigureTicks(max: number, unit: (typeof monitoredFigures)[FigureName]['unit']): number[] {
  if (unit === 'seconds') return chooseDurationTicks(Math.max(60, max))
  if (unit === 'percent') return chooseTicks(0, Math.max(100, max))
  if (unit !== 'bytes') return chooseTicks(0, Math.max(1, max), { whole: true })
  return chooseTicks(0, Math.max(0.1, max / gibibyte)).map((tick) => tick * gibibyte)
}

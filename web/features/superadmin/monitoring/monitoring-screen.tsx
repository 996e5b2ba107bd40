import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AlertsCard } from './alerts-card.tsx'
import { DoctorCard } from './doctor-card.tsx'
import { FailedJobsCard } from './failed-jobs-card.tsx'
import { FigureGrid } from './figure-grid.tsx'
import { HistoryCard } from './history-card.tsx'
import { monitoringQuery } from './monitoring-queries.ts'
import { ProcessesCard } from './processes-card.tsx'
import { SlowQueriesCard } from './slow-queries-card.tsx'
import { ThresholdsCard } from './thresholds-card.tsx'

/** Whether the instance is healthy, what broke, and what to do. */
export function MonitoringScreen() {
  const { data: now, error, refetch } = useQuery(monitoringQuery)
  return (
    <div className="flex flex-col gap-6">
      {now ? (
        <>
          <FigureGrid figures={now.figures} />
          <AlertsCard alerts={now.alerts} />
        </>
      ) : error ? (
        <LoadFailure title="Couldn’t load monitoring" error={error} onRetry={() => void refetch()} />
      ) : (
        <FiguresSkeleton />
      )}
      <DoctorCard />
      <HistoryCard />
      {now && <ProcessesCard processes={now.processes} />}
      <FailedJobsCard />
      {now && <SlowQueriesCard slowQueries={now.slowQueries} />}
      <ThresholdsCard />
    </div>
  )
}

function FiguresSkeleton() {
  return (
    <output className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4">
      <span className="sr-only">Loading monitoring</span>
      {['first', 'second', 'third', 'fourth'].map((name) => (
        <Skeleton key={name} className="h-24" />
      ))}
    </output>
  )
}

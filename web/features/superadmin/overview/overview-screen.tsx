import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { AttentionCard } from './attention-card.tsx'
import { GrowthCards } from './growth-card.tsx'
import { HealthCard } from './health-card.tsx'
import { MessagesCard } from './messages-card.tsx'
import { overviewQuery } from './overview-queries.ts'

/** Is it healthy, what comes first, does it grow. @param areas paths of the area's screens that exist */
export function OverviewScreen({ areas }: { areas: readonly string[] }) {
  const { data: overview, error, refetch } = useQuery(overviewQuery)
  if (!overview) {
    return error ? (
      <LoadFailure title="Couldn’t load the overview" error={error} onRetry={() => void refetch()} />
    ) : (
      <OverviewSkeleton />
    )
  }
  const hasMessages = overview.attention.some(({ kind }) => kind === 'contact_messages')
  return (
    <div className="flex flex-col gap-6">
      {error && <LoadFailure title="Couldn’t update the overview" error={error} onRetry={() => void refetch()} />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <AttentionCard attention={overview.attention} areas={areas} />
        <HealthCard health={overview.health} />
      </div>
      <GrowthCards growth={overview.growth} />
      {hasMessages && <MessagesCard />}
    </div>
  )
}

function OverviewSkeleton() {
  return (
    <output className="flex flex-col gap-6">
      <span className="sr-only">Loading the overview</span>
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-40" />
        <Skeleton className="h-72" />
      </div>
      <Skeleton className="h-48" />
    </output>
  )
}

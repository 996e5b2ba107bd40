import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Eraser } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { VisitorErasure } from '#contract/visitors.ts'
import { locale } from '#web/lib/locale.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { formatItems, formatQuantity } from '#web/shared/format-count.ts'
import { feedbackKey } from '#web/shared/query-keys.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { erasureQuery, visitorsKey } from './visitor-queries.ts'

/** Progress and result of an erasure. */
export function ErasureProgress({ erasureId }: { erasureId: string }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(erasureQuery(organization.id, erasureId))
  const isDone = data?.state === 'done'
  useEffect(() => {
    if (!isDone) return
    // The browser's cache drops the visitor too.
    queryClient.removeQueries({ queryKey: visitorsKey(organization.id) })
    queryClient.removeQueries({ queryKey: feedbackKey(organization.id) })
  }, [isDone, organization.id, queryClient])
  if (!data) {
    if (!error) return <FullSpinner />
    return <LoadFailure title="Couldn’t find this erasure" error={error} onRetry={() => void refetch()} />
  }
  if (!isDone) return <Running erasure={data} />
  return (
    <EmptyState
      icon={<CircleCheck />}
      title="Erased"
      action={
        <Button asChild variant="secondary">
          <Link to="/dashboard/visitors">All visitors</Link>
        </Button>
      }
    >
      <span role="status">
        {formatItems(data.items)} and {formatQuantity(data.files, 'file')} were permanently deleted. The audit log keeps
        when and by whom, not whose data it was.
      </span>
    </EmptyState>
  )
}

function Running({ erasure }: { erasure: VisitorErasure }) {
  const { items, total } = erasure
  return (
    <EmptyState icon={<Eraser />} title="Erasing…">
      <p>You can leave this page; this continues in the background.</p>
      <progress
        aria-label="Items erased"
        className="mt-4 h-2 w-64 max-w-full accent-accent"
        max={Math.max(total, 1)}
        value={Math.min(items, total)}
      />
      <p className="mt-1 text-sm tabular-nums">
        {items.toLocaleString(locale)} of {formatItems(total)}
      </p>
    </EmptyState>
  )
}

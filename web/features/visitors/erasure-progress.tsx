import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Eraser } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { VisitorErasure } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { erasureQuery, visitorsKey } from './visitor-queries.ts'

/** How far an erasure is, and what it did. */
export function ErasureProgress({ erasureId }: { erasureId: string }) {
  const { organization } = useOrganization()
  const queryClient = useQueryClient()
  const { data, error, refetch } = useQuery(erasureQuery(organization.id, erasureId))
  const isDone = data?.state === 'done'
  useEffect(() => {
    if (!isDone) return
    // Nothing of them stays in this browser's memory either.
    queryClient.removeQueries({ queryKey: visitorsKey(organization.id) })
    queryClient.removeQueries({ queryKey: ['feedback', organization.id] })
  }, [isDone, organization.id, queryClient])
  if (!data) {
    if (!error) return <FullSpinner />
    return <LoadFailure title="The erasure could not be found" error={error} onRetry={() => void refetch()} />
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
        {data.items === 1 ? '1 item' : `${data.items.toLocaleString('en-GB')} items`} and{' '}
        {data.files === 1 ? '1 file' : `${data.files.toLocaleString('en-GB')} files`} are gone for good. The audit log
        keeps when and by whom, not who it was.
      </span>
    </EmptyState>
  )
}

function Running({ erasure }: { erasure: VisitorErasure }) {
  const { items, total } = erasure
  return (
    <EmptyState icon={<Eraser />} title="Erasing…">
      <p>You may leave: it goes on by itself.</p>
      <progress
        aria-label="Items erased"
        className="mt-4 h-2 w-64 max-w-full accent-accent"
        max={Math.max(total, 1)}
        value={Math.min(items, total)}
      />
      <p className="mt-1 text-sm tabular-nums">
        {items.toLocaleString('en-GB')} of {total.toLocaleString('en-GB')} items
      </p>
    </EmptyState>
  )
}

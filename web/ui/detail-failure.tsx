import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ApiError } from '#web/lib/api.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { LoadFailure } from './load-failure.tsx'

/** Why one thing can't be shown: it is not there, or it could not be loaded and another try may help. */
export function DetailFailure({
  error,
  failure,
  onRetry,
  icon,
  title,
  children,
  back,
}: {
  error: Error
  /** Message after a failed load. */
  failure: string
  onRetry: () => void
  icon: ReactNode
  /** Title when the record doesn't exist. */
  title: string
  children: ReactNode
  /** Where all of its kind are. */
  back: { to: string; label: string }
}) {
  // An id that is none is as unknown as one that isn't there.
  if (!(error instanceof ApiError && (error.status === 404 || error.status === 400)))
    return <LoadFailure title={failure} error={error} onRetry={onRetry} />
  return (
    <EmptyState
      icon={icon}
      title={title}
      action={
        <Button asChild variant="secondary">
          <Link to={back.to}>{back.label}</Link>
        </Button>
      }
    >
      {children}
    </EmptyState>
  )
}

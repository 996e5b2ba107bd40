import { FolderX } from 'lucide-react'
import { Link } from 'react-router'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'

/** Why there is no project to show. */
export function ProjectFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  // An id that is none is as unknown as one that isn't there.
  if (error instanceof ApiError && (error.status === 404 || error.status === 400)) {
    return (
      <EmptyState
        icon={<FolderX />}
        title="Project not found"
        action={
          <Button asChild variant="secondary">
            <Link to="/dashboard/projects">All projects</Link>
          </Button>
        }
      >
        It may have been deleted, or it belongs to another organisation.
      </EmptyState>
    )
  }
  return <LoadFailure title="The project could not be loaded" error={error} onRetry={onRetry} />
}

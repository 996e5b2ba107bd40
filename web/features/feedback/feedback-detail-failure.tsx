import { FileX2, UserX } from 'lucide-react'
import { ApiError } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { findDraft } from './conversation/use-draft.ts'
import { isGone } from './feedback-queries.ts'

interface FailureProps {
  id: string
  error: Error
  onRetry: () => void
  onClose: () => void
}

/** In place of an item that is not there, with what the person was writing about it. */
export function DetailFailure({ id, error, onRetry, onClose }: FailureProps) {
  if (error instanceof ApiError && (error.code === 'organization_not_found' || error.status === 403)) {
    return (
      <EmptyState icon={<UserX />} title="You can no longer see this">
        {error.status === 403 ? error.message : 'You are not a member of this organisation any more.'}
      </EmptyState>
    )
  }
  if (isGone(error)) {
    const draft = findDraft(id)
    return (
      <>
        <EmptyState
          icon={<FileX2 />}
          title="This item is not here"
          action={
            <Button variant="secondary" onClick={onClose}>
              Back to the list
            </Button>
          }
        >
          It was deleted, alone or with its project, or it belongs to another organisation.
        </EmptyState>
        <div className="flex justify-center px-4 pb-8">
          <UnsentTexts texts={draft ? [draft] : []} />
        </div>
      </>
    )
  }
  return <LoadFailure title="The item could not be loaded" error={error} onRetry={onRetry} />
}

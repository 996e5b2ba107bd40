import { FileX2, UserX } from 'lucide-react'
import { ApiError } from '#web/lib/api.ts'
import { useOtherOrganization } from '#web/lib/other-organization.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'
import { UnsentTexts } from '#web/ui/unsent-texts.tsx'
import { findDraft } from '../conversation/use-draft.ts'
import { isGone } from '../feedback-store.ts'

interface FailureProps {
  id: string
  error: Error
  onRetry: () => void
  onClose: () => void
}

/** Shown instead of an item that was not found, with the unsent draft about it. */
export function DetailFailure({ id, error, onRetry, onClose }: FailureProps) {
  if (error instanceof ApiError && (error.code === 'organization_not_found' || error.status === 403)) {
    return (
      <EmptyState icon={<UserX />} title="You no longer have access">
        {error.status === 403 ? error.message : 'You are no longer a member of this organisation.'}
      </EmptyState>
    )
  }
  if (isGone(error)) return <NotFound id={id} onClose={onClose} />
  return <LoadFailure title="Couldn’t load the item" error={error} onRetry={onRetry} />
}

/** Opens the item in another of the person's organisations, if that has it. */
function NotFound({ id, onClose }: Pick<FailureProps, 'id' | 'onClose'>) {
  const isSearching = useOtherOrganization('feedback', id)
  const draft = findDraft(id)
  if (isSearching) return <FullSpinner label="Looking in your other organisations" />
  return (
    <>
      <EmptyState
        icon={<FileX2 />}
        title="Item not found"
        action={
          <Button variant="secondary" onClick={onClose}>
            Back to the list
          </Button>
        }
      >
        It was deleted, or it belongs to another organisation.
      </EmptyState>
      <div className="flex justify-center px-4 pb-8">
        <UnsentTexts texts={draft ? [draft] : []} />
      </div>
    </>
  )
}

import { CloudAlert } from 'lucide-react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { RequestNote } from './request-note.tsx'

/** Replaces content that failed to load: the reason and a retry. */
export function LoadFailure({ title, error, onRetry }: { title: string; error: Error; onRetry: () => void }) {
  return (
    <div role="alert">
      <EmptyState icon={<CloudAlert />} title={title} action={<Button onClick={onRetry}>Try again</Button>}>
        {error.message}
        <RequestNote error={error} />
      </EmptyState>
    </div>
  )
}

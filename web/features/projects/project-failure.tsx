import { FolderX } from 'lucide-react'
import { DetailFailure } from '#web/ui/detail-failure.tsx'

/** Why there is no project to show. */
export function ProjectFailure({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <DetailFailure
      error={error}
      failure="Couldn’t load the project"
      onRetry={onRetry}
      icon={<FolderX />}
      title="Project not found"
      back={{ to: '/dashboard/projects', label: 'All projects' }}
    >
      It may have been deleted, or it belongs to another organisation.
    </DetailFailure>
  )
}

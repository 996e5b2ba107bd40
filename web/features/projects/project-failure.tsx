import { FolderX } from 'lucide-react'
import { ApiError } from '#web/lib/api.ts'
import { useOtherOrganization } from '#web/lib/other-organization.ts'
import { DetailFailure } from '#web/ui/detail-failure.tsx'
import { FullSpinner } from '#web/ui/spinner.tsx'

interface FailureProps {
  projectId: string
  error: Error
  onRetry: () => void
}

/** Why there is no project to show. A project of another of the person's organisations is opened there. */
export function ProjectFailure(props: FailureProps) {
  const isUnknown = props.error instanceof ApiError && props.error.code === 'project_not_found'
  return isUnknown ? <UnknownProject {...props} /> : <Failure {...props} />
}

function UnknownProject(props: FailureProps) {
  const isSearching = useOtherOrganization('project', props.projectId)
  return isSearching ? <FullSpinner label="Looking in your other organisations" /> : <Failure {...props} />
}

function Failure({ error, onRetry }: FailureProps) {
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

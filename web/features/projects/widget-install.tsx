import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useOrganization } from '#web/lib/organization.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Detection } from './detection.tsx'
import { InstallGuides } from './install-guides.tsx'
import { ProjectDomains } from './project-domains.tsx'
import { projectQuery } from './project-query.ts'

/** Where a project's widget works and how it gets there: a part of the widget's settings. */
export function WidgetInstall() {
  const { projectId = '' } = useParams()
  const { organization } = useOrganization()
  const { data: project, error, refetch } = useQuery(projectQuery(organization.id, projectId))
  if (error && !project) {
    return <LoadFailure title="Couldn’t load the project" error={error} onRetry={() => refetch()} />
  }
  if (!project) return <Skeleton className="h-72" />
  return (
    <>
      <InstallGuides project={project} />
      <div className="rounded-md border border-border bg-sunken px-4 py-3">
        <Detection project={project} watching />
      </div>
      <ProjectDomains key={project.extraOrigins.join()} project={project} />
    </>
  )
}

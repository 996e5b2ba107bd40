import { useQuery } from '@tanstack/react-query'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { projectsQuery } from '../../lib/projects-query.ts'
import { formatUserName, useUser } from '../../lib/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { FeedbackExcerpt } from './feedback-excerpt.tsx'
import { FirstSteps } from './first-steps.tsx'
import { InboxOverview } from './inbox-overview.tsx'
import { MonthTrends } from './month-trends.tsx'

/** The first screen after sign-in: next steps and, once there is feedback, the newest items. */
export function DashboardScreen() {
  const { organization } = useOrganization()
  const firstName = formatUserName(useUser()).split(/[\s@]/)[0]
  const projects = useQuery(projectsQuery(organization.id))
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-col gap-6 px-4 py-8 md:px-8 md:py-10">
      <div className="flex flex-col gap-1">
        <h1 className="font-semibold text-2xl">{firstName ? `Hello, ${firstName}` : 'Dashboard'}</h1>
        <p className="text-base text-muted">{organization.name}</p>
      </div>
      {projects.isPending && <Skeleton className="h-64" />}
      {projects.isError && <LoadError onRetry={() => projects.refetch()} isRetrying={projects.isFetching} />}
      {projects.data && <Overview projects={projects.data} />}
    </div>
  )
}

function Overview({ projects }: { projects: readonly Project[] }) {
  const hasFeedback = projects.some(({ feedbackCount }) => feedbackCount > 0)
  return (
    <>
      <FirstSteps projects={projects} />
      {hasFeedback && (
        <>
          <InboxOverview />
          <div className="grid gap-4 lg:grid-cols-2">
            <FeedbackExcerpt projects={projects} list="waiting" />
            <FeedbackExcerpt projects={projects} list="latest" />
          </div>
          <MonthTrends />
        </>
      )}
    </>
  )
}

function LoadError({ onRetry, isRetrying }: { onRetry: () => void; isRetrying: boolean }) {
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p className="text-base">Couldn’t load the dashboard. Try again.</p>
      <Button variant="secondary" onClick={onRetry} loading={isRetrying}>
        Try Again
      </Button>
    </div>
  )
}

import { useIsFetching, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { Project } from '#contract/projects.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { projectsQuery } from '../../lib/projects-query.ts'
import { formatUserName, useUser } from '../../lib/session.tsx'
import { useFeedbackChanges } from '../../lib/use-feedback-changes.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Reveal } from '../../ui/reveal.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { FeedbackExcerpt } from './feedback-excerpt.tsx'
import { FirstSteps } from './first-steps.tsx'
import { InboxOverview } from './inbox-overview.tsx'
import { MonthTrends } from './month-trends.tsx'
import { useFirstSteps } from './use-first-steps.ts'

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

const ownReads: readonly unknown[] = ['analytics', 'latest-feedback', 'members', 'invitations']

function Overview({ projects }: { projects: readonly Project[] }) {
  const hasFeedback = projects.some(({ feedbackCount }) => feedbackCount > 0)
  const { steps, isDone, isPutOff, setPutOff } = useFirstSteps(projects)
  // A read that has failed once is shown as waiting, in its own place.
  const reads = useIsFetching({
    predicate: ({ queryKey: [name], state }) =>
      ownReads.includes(name) && state.data === undefined && state.fetchFailureCount === 0,
  })
  // Reads begin with the first rendering, after which they are counted.
  const [hasBegun, setBegun] = useState(false)
  useEffect(() => setBegun(true), [])
  const putOff = () => {
    setPutOff(true)
    toast({ title: 'First steps hidden', action: { label: 'Undo', onPress: () => setPutOff(false) } })
  }
  const firstSteps = !isDone && !isPutOff && <FirstSteps steps={steps} onPutOff={putOff} />
  if (!hasFeedback) {
    return (
      <>
        <AwaitFeedback />
        {firstSteps || <NoFeedback onShowSteps={() => setPutOff(false)} />}
      </>
    )
  }
  return (
    <Reveal isReady={hasBegun && reads === 0} className="flex flex-col gap-6">
      {firstSteps}
      <InboxOverview />
      <div className="grid gap-4 lg:grid-cols-2">
        <FeedbackExcerpt projects={projects} list="waiting" />
        <FeedbackExcerpt projects={projects} list="latest" />
      </div>
      <MonthTrends />
    </Reveal>
  )
}

/** Reads the projects again when feedback arrives, until the first is there. */
function AwaitFeedback() {
  const { organization } = useOrganization()
  const { refetch } = useQuery(projectsQuery(organization.id))
  useFeedbackChanges(organization.id, () => void refetch())
  return null
}

function NoFeedback({ onShowSteps }: { onShowSteps: () => void }) {
  return (
    <EmptyState
      icon={<Inbox />}
      title="No feedback yet"
      action={<Button onClick={onShowSteps}>Show first steps</Button>}
    >
      Feedback from your websites is summed up here.
    </EmptyState>
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

import { FeedbackExcerpt } from '#web/app/dashboard/feedback-excerpt.tsx'
import { ProjectAnalytics } from '#web/features/analytics/analytics-screen.tsx'
import ProjectScreen from '#web/features/projects/project-screen.tsx'

export default function ProjectRoute() {
  return (
    <ProjectScreen
      analytics={({ id }) => <ProjectAnalytics projectId={id} />}
      latest={({ id }) => <FeedbackExcerpt projects={[]} list="latest" projectId={id} />}
    />
  )
}

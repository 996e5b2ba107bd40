import { FeedbackExcerpt } from '#web/app/dashboard/feedback-excerpt.tsx'
import { ProjectOverview } from '#web/features/projects/project-overview.tsx'

export default function ProjectRoute() {
  return <ProjectOverview latest={({ id }) => <FeedbackExcerpt projects={[]} list="latest" projectId={id} />} />
}

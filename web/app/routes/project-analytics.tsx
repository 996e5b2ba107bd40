import { useParams } from 'react-router'
import { ProjectAnalytics } from '#web/features/analytics/analytics-screen.tsx'

export default function ProjectAnalyticsRoute() {
  const { projectId = '' } = useParams()
  return <ProjectAnalytics projectId={projectId} />
}

import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { listFeedback } from '#contract/inbox.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../lib/api.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const shownItems = 5

const typeBadges: Record<FeedbackListItem['type'], { label: string; tone: BadgeTone }> = {
  bug: { label: 'Bug', tone: 'danger' },
  idea: { label: 'Idea', tone: 'warning' },
  question: { label: 'Question', tone: 'info' },
  praise: { label: 'Praise', tone: 'success' },
  other: { label: 'Other', tone: 'neutral' },
}

/** The newest items of all projects, each a way into the inbox. */
export function LatestFeedback({ projects }: { projects: readonly Project[] }) {
  const { organization } = useOrganization()
  const { data } = useQuery({
    queryKey: ['latest-feedback', organization.id],
    queryFn: ({ signal }) =>
      call(listFeedback, { params: { organizationId: organization.id }, query: { limit: shownItems }, signal }),
    // This screen doesn't follow the live stream: whoever comes back to it wants to see what is there now.
    staleTime: 10_000,
    refetchOnMount: 'always',
  })
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]))
  return (
    <Card aria-labelledby="latest-feedback">
      <div className="flex items-baseline justify-between gap-4 border-border border-b px-5 py-4">
        <h2 id="latest-feedback" className="font-semibold text-lg">
          Latest feedback
        </h2>
        <Link to="/dashboard/feedback" className="rounded-sm text-accent-text text-base hover:underline">
          Open the inbox
        </Link>
      </div>
      {data ? (
        <ul>
          {data.items.map((item) => (
            <Item key={item.id} item={item} projectName={projectNames.get(item.projectId)} />
          ))}
        </ul>
      ) : (
        <div className="flex flex-col gap-3 p-5">
          <Skeleton className="h-5" />
          <Skeleton className="h-5 w-2/3" />
        </div>
      )}
    </Card>
  )
}

function Item({ item, projectName }: { item: FeedbackListItem; projectName: string | undefined }) {
  const { label, tone } = typeBadges[item.type]
  return (
    <li className="border-border [&:not(:last-child)]:border-b">
      <Link
        to={`/dashboard/feedback?item=${item.id}`}
        className="flex items-center gap-3 px-5 py-3 text-base transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="w-18 shrink-0">
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span className="min-w-0 flex-1 truncate">{item.excerpt}</span>
        {projectName !== undefined && <span className="hidden text-muted text-sm sm:inline">{projectName}</span>}
        <span className="shrink-0 text-muted text-sm">
          <RelativeTime iso={item.createdAt} short />
        </span>
      </Link>
    </li>
  )
}

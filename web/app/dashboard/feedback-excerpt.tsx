import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { FeedbackListItem } from '#contract/feedback.ts'
import { typeLabels } from '#contract/feedback-labels.ts'
import { type FeedbackQuery, listFeedback } from '#contract/inbox.ts'
import type { Project } from '#contract/projects.ts'
import { call } from '../../lib/api.ts'
import { useOrganization } from '../../lib/organization.tsx'
import { useFeedbackChanges } from '../../lib/use-feedback-changes.ts'
import { Badge, type BadgeTone } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const shownItems = 5

const typeTones: Record<FeedbackListItem['type'], BadgeTone> = {
  bug: 'danger',
  idea: 'warning',
  question: 'info',
  praise: 'success',
  other: 'neutral',
}

const lists = {
  latest: {
    title: 'Latest feedback',
    query: {},
    link: { to: '/dashboard/feedback', label: 'Open the inbox' },
    empty: 'No feedback yet.',
  },
  waiting: {
    title: 'Waiting longest',
    query: { status: ['new'], sort: 'oldest' },
    link: { to: '/dashboard/feedback?status=new&sort=oldest', label: 'Show all' },
    empty: 'No new feedback.',
  },
} as const satisfies Record<string, { query: FeedbackQuery } & Record<string, unknown>>

/** A few items of all projects or of one: the newest, or the oldest untouched. Each links to the inbox. */
export function FeedbackExcerpt({
  projects,
  list,
  projectId,
}: {
  projects: readonly Pick<Project, 'id' | 'name'>[]
  list: keyof typeof lists
  /** Undefined: all projects. */
  projectId?: string
}) {
  const { organization } = useOrganization()
  const { title, query, link, empty } = lists[list]
  const { data, error, refetch } = useQuery({
    queryKey: ['latest-feedback', organization.id, list, projectId ?? null],
    queryFn: ({ signal }) =>
      call(listFeedback, {
        params: { organizationId: organization.id },
        query: {
          ...query,
          ...('status' in query && { status: [...query.status] }),
          ...(projectId !== undefined && { projectId: [projectId] }),
          limit: shownItems,
        },
        signal,
      }),
    staleTime: 10_000,
    refetchOnMount: 'always',
  })
  useFeedbackChanges(organization.id, () => void refetch())
  const projectNames = new Map(projects.map(({ id, name }) => [id, name]))
  const way = projectId === undefined ? link.to : `${link.to}${link.to.includes('?') ? '&' : '?'}project=${projectId}`
  return (
    <Card aria-labelledby={`${list}-feedback`} className="min-w-0">
      <div className="flex items-baseline justify-between gap-4 border-border border-b px-5 py-4">
        <h2 id={`${list}-feedback`} className="font-semibold text-lg">
          {title}
        </h2>
        <Link to={way} className="-my-2.5 shrink-0 rounded-sm py-2.5 text-accent-text text-base hover:underline">
          {link.label}
        </Link>
      </div>
      {data === undefined && error ? (
        <LoadFailure title="Couldn’t load these items" error={error} onRetry={() => void refetch()} />
      ) : data?.items.length === 0 ? (
        <p className="px-5 py-8 text-center text-base text-muted">{empty}</p>
      ) : data ? (
        <ul>
          {data.items.map((item) => (
            <Item
              key={item.id}
              item={item}
              projectName={projectId === undefined ? projectNames.get(item.projectId) : undefined}
            />
          ))}
        </ul>
      ) : (
        <ul aria-hidden="true">
          {Array.from({ length: shownItems }, (_, row) => row).map((row) => (
            <li key={row} className="border-border px-5 py-3 [&:not(:last-child)]:border-b">
              <Skeleton className="my-0.5 h-4" />
              <Skeleton className="mt-2.5 h-4 w-2/5" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Item({ item, projectName }: { item: FeedbackListItem; projectName: string | undefined }) {
  return (
    <li className="border-border [&:not(:last-child)]:border-b">
      <Link
        to={`/dashboard/feedback?item=${item.id}`}
        className="flex min-w-0 flex-col gap-1.5 px-5 py-3 transition-colors hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="truncate text-base" dir="auto">
          {item.excerpt || 'No message'}
        </span>
        <span className="flex min-w-0 items-center gap-2 text-muted text-sm">
          <Badge tone={typeTones[item.type]}>{typeLabels[item.type]}</Badge>
          {projectName !== undefined && <bdi className="min-w-0 truncate">{projectName}</bdi>}
          <span className="ml-auto shrink-0">
            <RelativeTime iso={item.createdAt} />
          </span>
        </span>
      </Link>
    </li>
  )
}

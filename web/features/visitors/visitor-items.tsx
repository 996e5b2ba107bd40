import { useInfiniteQuery } from '@tanstack/react-query'
import { Paperclip } from 'lucide-react'
import { Link } from 'react-router'
import type { FeedbackListItem } from '#contract/feedback.ts'
import type { Visitor } from '#contract/visitors.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { locationLabels } from '#web/shared/feedback-labels.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card, CardHeader, CardTitle } from '#web/ui/card.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { visitorItemsQuery } from './visitor-queries.ts'

/** All items of a visitor, newest first, in any location. */
export function VisitorItems({ visitor, projects }: { visitor: string; projects: Visitor['projects'] }) {
  const { organization } = useOrganization()
  const query = useInfiniteQuery(visitorItemsQuery(organization.id, visitor))
  const items = query.data?.pages.flatMap((page) => page.items)
  const names = new Map(projects.map(({ id, name }) => [id, name]))
  return (
    <Card className="min-w-0">
      <CardHeader className="pb-3">
        <CardTitle>Feedback</CardTitle>
      </CardHeader>
      {items === undefined ? (
        query.error ? (
          <LoadFailure title="Couldn’t load the items" error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <div className="flex flex-col gap-3 p-5">
            <Skeleton className="h-12" />
            <Skeleton className="h-12" />
          </div>
        )
      ) : (
        <ul className="divide-y divide-border border-border border-t">
          {items.map((item) => (
            <ItemRow key={item.id} item={item} project={names.get(item.projectId)} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <div className="flex justify-center border-border border-t p-3">
          <Button variant="secondary" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
    </Card>
  )
}

function ItemRow({ item, project }: { item: FeedbackListItem; project: string | undefined }) {
  return (
    <li>
      <Link
        to={`/dashboard/feedback?${item.location === 'inbox' || item.location === 'merged' ? '' : `location=${item.location}&`}item=${item.id}`}
        className="flex min-w-0 flex-col gap-1 px-5 py-3 hover:bg-hover"
      >
        <span className="line-clamp-2 text-base text-foreground [overflow-wrap:anywhere]" dir="auto">
          {item.excerpt || describeWordless(item)}
        </span>
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          <span className="tabular-nums">#{item.number}</span>
          {project !== undefined && <bdi className="max-w-48 truncate">{project}</bdi>}
          <RelativeTime iso={item.createdAt} />
          {item.rating !== null && <span>Rated {item.rating} of 5</span>}
          {item.attachmentKinds.length > 0 && (
            <span className="inline-flex items-center gap-1">
              <Paperclip aria-hidden="true" className="size-3.5" />
              {item.attachmentKinds.length}
              <span className="sr-only">{item.attachmentKinds.length === 1 ? 'file' : 'files'}</span>
            </span>
          )}
          {item.location !== 'inbox' && <Badge>{locationLabels[item.location]}</Badge>}
        </span>
      </Link>
    </li>
  )
}

function describeWordless({ rating, nps }: FeedbackListItem): string {
  return rating !== null || nps !== null ? 'A rating, no message' : 'No message'
}

import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, Settings } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { markNotices, type Notice } from '#contract/notifications.ts'
import { call } from '#web/lib/api.ts'
import { useOrganization } from '#web/lib/organization.tsx'
import { followOrganization } from '#web/lib/organization-events.ts'
import { readAgain } from '#web/lib/query-client.ts'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { Popover } from '#web/ui/popover.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { toast } from '#web/ui/toast.tsx'
import { describeNotice, NoticeEntry } from './notice-entry.tsx'
import { noticesQuery } from './notification-queries.ts'

/** News may come by the hundred: it is counted at most this often. */
const recountMs = 2000
const mostShown = 99

/** How much is new to the person, live, and what it is. */
export function NoticeBell() {
  const { organization } = useOrganization()
  const organizationId = organization.id
  const [isOpen, setOpen] = useState(false)
  const notices = useInfiniteQuery(noticesQuery(organizationId))
  const mark = useMarkNotices(organizationId)
  useLiveNotices(organizationId)
  const items = listNoticesOnce(notices.data?.pages)
  const keepUnread = useReadByOpening(items, mark)
  const toggle = ({ id, feedbackId, isRead }: Notice) => {
    if (isRead) keepUnread(feedbackId)
    mark({ read: !isRead, ids: [id] })
  }

  const { unreadCount = 0, newFeedback = [] } = notices.data?.pages[0] ?? {}
  const count = unreadCount + newFeedback.reduce((sum, project) => sum + project.count, 0)
  const shown = count > mostShown ? `${mostShown}+` : String(count)
  return (
    <Popover
      label="Notifications"
      open={isOpen}
      onOpenChange={setOpen}
      className="w-96"
      trigger={
        <Button
          variant="ghost"
          size="icon-sm"
          className="relative"
          aria-label={count > 0 ? `Notifications, ${shown} new` : 'Notifications'}
        >
          <Bell aria-hidden="true" />
          {count > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-1 -right-1 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-on-accent text-xs leading-4"
            >
              {shown}
            </span>
          )}
        </Button>
      }
    >
      <div className="flex items-center gap-1 border-border border-b py-2 pr-2 pl-4">
        <h2 className="flex-1 font-semibold text-base">Notifications</h2>
        {count > 0 && (
          <Button variant="ghost" size="sm" onClick={() => mark({ read: true, all: true })}>
            Mark all read
          </Button>
        )}
        <Button asChild variant="ghost" size="icon-sm">
          <Link
            to="/dashboard/settings/notifications"
            aria-label="Notification settings"
            onClick={() => setOpen(false)}
          >
            <Settings aria-hidden="true" />
          </Link>
        </Button>
      </div>
      {notices.isPending && (
        <div className="flex flex-col gap-3 p-4">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      {notices.error && !notices.data && (
        <LoadFailure title="They could not be loaded" error={notices.error} onRetry={() => notices.refetch()} />
      )}
      {notices.data && items.length + newFeedback.length === 0 && (
        <EmptyState icon={<Bell />} title="Nothing new" className="py-10">
          What is assigned to you, mentions of you and visitors’ answers appear here.
        </EmptyState>
      )}
      <ul className="min-h-0 overflow-y-auto p-1">
        {newFeedback.map(({ projectId, projectName, count: own, latestAt }) => (
          <NoticeEntry
            key={projectId}
            to={`/dashboard/feedback?${new URLSearchParams({ project: projectId, unread: 'true' })}`}
            isRead={false}
            at={latestAt}
            detail={projectName}
            onOpen={() => {
              setOpen(false)
              mark({ read: true, projectId })
            }}
          >
            {own === 1 ? '1 new item' : `${own >= 100 ? '100 or more' : own} new items`}
          </NoticeEntry>
        ))}
        {items.map((notice) => (
          <NoticeEntry
            key={notice.id}
            to={`/dashboard/feedback?item=${notice.feedbackId}`}
            isRead={notice.isRead}
            at={notice.createdAt}
            detail={notice.excerpt === '' ? notice.projectName : `${notice.projectName}: ${notice.excerpt}`}
            onOpen={() => {
              setOpen(false)
              mark({ read: true, ids: [notice.id] })
            }}
            onToggle={() => toggle(notice)}
          >
            {describeNotice(notice)}
          </NoticeEntry>
        ))}
        {notices.hasNextPage && (
          <li className="flex justify-center p-2">
            <Button
              variant="secondary"
              size="sm"
              loading={notices.isFetchingNextPage}
              onClick={() => void notices.fetchNextPage()}
            >
              Show older
            </Button>
          </li>
        )}
        {notices.isFetchNextPageError && (
          <li role="alert" className="px-3 pb-2 text-center text-danger-text text-sm">
            {notices.error.message}
          </li>
        )}
      </ul>
    </Popover>
  )
}

type Marks = { read: boolean; ids?: string[]; projectId?: string; feedbackId?: string; all?: true }

function useMarkNotices(organizationId: string): (marks: Marks) => void {
  const queryClient = useQueryClient()
  return (body) => {
    call(markNotices, { params: { organizationId }, body })
      .catch((error: Error) =>
        toast({
          title: body.read ? 'Not marked as read' : 'Not marked as unread',
          description: error.message,
          tone: 'danger',
        }),
      )
      .finally(() => queryClient.invalidateQueries({ queryKey: noticesQuery(organizationId).queryKey }))
  }
}

function useLiveNotices(organizationId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { queryKey } = noticesQuery(organizationId)
    const recount = () => {
      timer = undefined
      void readAgain(queryClient, queryKey)
    }
    const unfollow = followOrganization(organizationId, {
      onEvent: (data) => {
        const kind = (data as { kind?: string } | null)?.kind
        if (kind === 'notices') recount()
        else if (kind === 'feedback.created' || kind === 'feedback.updated') timer ??= setTimeout(recount, recountMs)
      },
      onOpen: (mayHaveMissed) => mayHaveMissed && recount(),
    })
    return () => {
      unfollow()
      clearTimeout(timer)
    }
  }, [queryClient, organizationId])
}

// One for both bells of the page, of which a screen shows either.
let keptUnreadId: string | undefined

/**
 * Whoever has the item open has read what was to be said about it.
 *
 * @returns what keeps the notices of an item unread although it is open, until another is.
 */
function useReadByOpening(items: readonly Notice[], mark: (marks: Marks) => void): (feedbackId: string) => void {
  const { search } = useLocation()
  const openId = new URLSearchParams(search).get('item')
  const isUnread = items.some(({ feedbackId, isRead }) => feedbackId === openId && !isRead)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per item that is opened unread
  useEffect(() => {
    if (openId !== keptUnreadId) keptUnreadId = undefined
    if (openId !== null && isUnread && openId !== keptUnreadId) mark({ read: true, feedbackId: openId })
  }, [openId, isUnread])
  return (feedbackId) => {
    if (feedbackId === openId) keptUnreadId = feedbackId
  }
}

/** One that two pages hold (something came between them) counts once. */
function listNoticesOnce(pages: readonly { items: readonly Notice[] }[] = []): Notice[] {
  return [...new Map(pages.flatMap(({ items }) => items).map((notice) => [notice.id, notice])).values()]
}

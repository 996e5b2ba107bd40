import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Bell, Settings } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { markNotifications, type Notification } from '#contract/notifications.ts'
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
import { notificationsQuery } from './notification-queries.ts'

const loadList = () => import('./notification-list.tsx')
// No one sees it before the bell is pressed.
const NotificationList = lazy(loadList)

/** News may come by the hundred: it is counted at most this often. */
const recountMs = 2000
const mostShown = 99

/** How much is new to the person, live, and what it is. */
export function NotificationBell() {
  const { organization } = useOrganization()
  const organizationId = organization.id
  const [isOpen, setOpen] = useState(false)
  const notifications = useInfiniteQuery(notificationsQuery(organizationId))
  const mark = useMarkNotifications(organizationId)
  useLiveNotifications(organizationId)
  const items = listNotificationsOnce(notifications.data?.pages)
  const keepUnread = useReadByOpening(items, mark)
  const toggle = ({ id, feedbackId, isRead }: Notification) => {
    if (isRead) keepUnread(feedbackId)
    mark({ read: !isRead, ids: [id] })
  }
  const closeAndRead = (opened: Pick<Marks, 'ids' | 'projectId'>) => {
    setOpen(false)
    mark({ read: true, ...opened })
  }

  const { unreadCount = 0, newFeedback = [], fullQuotas = [], planWarnings = [] } = notifications.data?.pages[0] ?? {}
  const markable = unreadCount + newFeedback.reduce((sum, project) => sum + project.count, 0)
  const count = markable + fullQuotas.length
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
          onPointerEnter={() => void loadList().catch(() => {})}
        >
          <Bell aria-hidden="true" />
          {count > 0 && <NewCount>{shown}</NewCount>}
        </Button>
      }
    >
      <NotificationHeader
        hasNew={markable > 0}
        onMarkAllRead={() => mark({ read: true, all: true })}
        onOpenSettings={() => setOpen(false)}
      />
      {notifications.isPending && <ListSkeleton />}
      {notifications.error && !notifications.data && (
        <LoadFailure
          title="They could not be loaded"
          error={notifications.error}
          onRetry={() => notifications.refetch()}
        />
      )}
      {notifications.data && items.length + newFeedback.length + fullQuotas.length + planWarnings.length === 0 && (
        <EmptyState icon={<Bell />} title="Nothing new" className="py-10">
          Assignments, mentions and visitors’ replies appear here.
        </EmptyState>
      )}
      <Suspense fallback={notifications.data && <ListSkeleton />}>
        <NotificationList
          newFeedback={newFeedback}
          items={items}
          fullQuotas={fullQuotas}
          planWarnings={planWarnings}
          pages={notifications}
          onOpenProject={(projectId) => closeAndRead({ projectId })}
          onOpenOther={() => setOpen(false)}
          onOpenItem={({ id }) => closeAndRead({ ids: [id] })}
          onToggle={toggle}
        />
      </Suspense>
    </Popover>
  )
}

function ListSkeleton() {
  return (
    <div className="flex flex-col gap-3 p-4">
      <Skeleton className="h-10" />
      <Skeleton className="h-10" />
    </div>
  )
}

function NewCount({ children }: { children: string }) {
  return (
    <span
      aria-hidden="true"
      className="absolute -top-1 -right-1 min-w-4 rounded-full bg-accent px-1 text-center font-medium text-on-accent text-xs leading-4"
    >
      {children}
    </span>
  )
}

interface NotificationHeaderProps {
  hasNew: boolean
  onMarkAllRead: () => void
  onOpenSettings: () => void
}

function NotificationHeader({ hasNew, onMarkAllRead, onOpenSettings }: NotificationHeaderProps) {
  return (
    <div className="flex items-center gap-1 border-border border-b py-2 pr-2 pl-4">
      <h2 className="flex-1 font-semibold text-base">Notifications</h2>
      {hasNew && (
        <Button variant="ghost" size="sm" onClick={onMarkAllRead}>
          Mark all read
        </Button>
      )}
      <Button asChild variant="ghost" size="icon-sm">
        <Link to="/dashboard/settings/notifications" aria-label="Notification settings" onClick={onOpenSettings}>
          <Settings aria-hidden="true" />
        </Link>
      </Button>
    </div>
  )
}

type Marks = { read: boolean; ids?: string[]; projectId?: string; feedbackId?: string; all?: true }

function useMarkNotifications(organizationId: string): (marks: Marks) => void {
  const queryClient = useQueryClient()
  return (body) => {
    call(markNotifications, { params: { organizationId }, body })
      .catch((error: Error) =>
        toast({
          title: body.read ? 'Couldn’t mark as read' : 'Couldn’t mark as unread',
          error,
          tone: 'danger',
        }),
      )
      .finally(() => queryClient.invalidateQueries({ queryKey: notificationsQuery(organizationId).queryKey }))
  }
}

function useLiveNotifications(organizationId: string): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const { queryKey } = notificationsQuery(organizationId)
    const recount = () => {
      timer = undefined
      void readAgain(queryClient, queryKey)
    }
    const unfollow = followOrganization(organizationId, {
      onEvent: (data) => {
        // A live event; other data gives undefined.
        const kind = (data as { kind?: string } | null)?.kind
        if (kind === 'notifications') recount()
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
 * Marks an item's notifications as read once the item is open.
 *
 * @returns what keeps the notifications of an item unread although it is open, until another is.
 */
function useReadByOpening(items: readonly Notification[], mark: (marks: Marks) => void): (feedbackId: string) => void {
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
function listNotificationsOnce(pages: readonly { items: readonly Notification[] }[] = []): Notification[] {
  return [
    ...new Map(pages.flatMap(({ items }) => items).map((notification) => [notification.id, notification])).values(),
  ]
}

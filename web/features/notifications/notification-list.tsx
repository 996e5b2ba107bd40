import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { NewFeedbackNotification, Notification } from '#contract/notifications.ts'
import { formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { describeNotification, NotificationEntry } from './notification-entry.tsx'

interface NotificationListProps {
  newFeedback: readonly NewFeedbackNotification[]
  items: readonly Notification[]
  /** Loads the older pages. */
  pages: UseInfiniteQueryResult<unknown>
  onOpenProject: (projectId: string) => void
  onOpenItem: (notification: Notification) => void
  onToggle: (notification: Notification) => void
}

/** Projects with new feedback, then the member's own notifications, newest first. */
export function NotificationList(props: NotificationListProps) {
  const { newFeedback, items, pages, onOpenProject, onOpenItem, onToggle } = props
  return (
    <ul className="min-h-0 overflow-y-auto p-1">
      {newFeedback.map(({ projectId, projectName, count, latestAt }) => (
        <NotificationEntry
          key={projectId}
          to={`/dashboard/feedback?${new URLSearchParams({ project: projectId, unread: 'true' })}`}
          isRead={false}
          at={latestAt}
          detail={projectName}
          onOpen={() => onOpenProject(projectId)}
        >
          {formatQuantity(Math.min(count, 100), 'new item', 100)}
        </NotificationEntry>
      ))}
      {items.map((notification) => (
        <NotificationEntry
          key={notification.id}
          to={`/dashboard/feedback?item=${notification.feedbackId}`}
          isRead={notification.isRead}
          at={notification.createdAt}
          detail={
            notification.excerpt === ''
              ? notification.projectName
              : `${notification.projectName}: ${notification.excerpt}`
          }
          onOpen={() => onOpenItem(notification)}
          onToggle={() => onToggle(notification)}
        >
          {describeNotification(notification)}
        </NotificationEntry>
      ))}
      {pages.hasNextPage && (
        <li className="flex justify-center p-2">
          <Button
            variant="secondary"
            size="sm"
            loading={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Show older
          </Button>
        </li>
      )}
      {pages.isFetchNextPageError && (
        <li role="alert" className="px-3 pb-2 text-center text-danger-text text-sm">
          {pages.error.message}
        </li>
      )}
    </ul>
  )
}

import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import type { NewFeedbackNotification, Notification } from '#contract/notifications.ts'
import type { PlanWarning } from '#contract/plans.ts'
import type { FullQuota } from '#contract/quotas.ts'
import { describePlanWarning } from '#web/shared/describe-plan-warning.ts'
import { formatQuantity } from '#web/shared/format-count.ts'
import { Button } from '#web/ui/button.tsx'
import { arrangeNotifications } from './arrange-notifications.ts'
import { describeNotification, NotificationEntry } from './notification-entry.tsx'

interface NotificationListProps {
  newFeedback: readonly NewFeedbackNotification[]
  items: readonly Notification[]
  fullQuotas: readonly FullQuota[]
  planWarnings: readonly PlanWarning[]
  /** Loads the older pages. */
  pages: UseInfiniteQueryResult<unknown>
  onOpenProject: (projectId: string) => void
  /** Storage settings, or plans. */
  onOpenOther: () => void
  onOpenItem: (notification: Notification) => void
  onToggle: (notification: Notification) => void
}

/** Projects with new feedback, the member's own notifications, full storage and warnings about the plan, in order of time. */
export default function NotificationList(props: NotificationListProps) {
  const { newFeedback, items, fullQuotas, planWarnings, pages, onOpenProject, onOpenItem, onOpenOther, onToggle } =
    props
  return (
    <ul className="min-h-0 overflow-y-auto p-1">
      {arrangeNotifications(newFeedback, items, fullQuotas, planWarnings).map((each) => {
        if ('own' in each) {
          return <OwnEntry key={each.own.id} notification={each.own} onOpen={onOpenItem} onToggle={onToggle} />
        }
        if ('newFeedback' in each) {
          return <NewFeedbackEntry key={each.newFeedback.projectId} news={each.newFeedback} onOpen={onOpenProject} />
        }
        if ('planWarning' in each) {
          return <PlanWarningEntry key={each.planWarning.kind} warning={each.planWarning} onOpen={onOpenOther} />
        }
        const { projectId } = each.fullQuota
        return <FullQuotaEntry key={`full ${projectId}`} fullQuota={each.fullQuota} onOpen={onOpenOther} />
      })}
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

interface NewFeedbackEntryProps {
  news: NewFeedbackNotification
  onOpen: NotificationListProps['onOpenProject']
}

function NewFeedbackEntry({ news, onOpen }: NewFeedbackEntryProps) {
  const { projectId, projectName, count, latestAt } = news
  return (
    <NotificationEntry
      to={`/dashboard/feedback?${new URLSearchParams({ project: projectId, unread: 'true' })}`}
      isRead={false}
      at={latestAt}
      detail={projectName}
      onOpen={() => onOpen(projectId)}
    >
      {formatQuantity(Math.min(count, 100), 'new item', 100)}
    </NotificationEntry>
  )
}

/** Stays until there is room, so it can't be marked as read. */
function FullQuotaEntry({ fullQuota, onOpen }: { fullQuota: FullQuota; onOpen: () => void }) {
  const { projectName, refusedAt } = fullQuota
  return (
    <NotificationEntry
      to="/dashboard/settings/storage"
      isRead={false}
      at={refusedAt}
      detail={`${projectName ?? 'All projects'}: visitors’ files are refused`}
      onOpen={onOpen}
    >
      Storage for files is full
    </NotificationEntry>
  )
}

/** Stays while it applies, so it can't be marked as read. */
function PlanWarningEntry({ warning, onOpen }: { warning: PlanWarning; onOpen: () => void }) {
  const isOwed = warning.kind === 'payment_failed' || warning.kind === 'payment_action_required'
  return (
    <NotificationEntry
      to={isOwed ? '/dashboard/settings/billing' : '/plan-selection'}
      isRead={false}
      at={warning.warnedAt}
      detail={isOwed ? 'Open billing' : 'Compare plans'}
      onOpen={onOpen}
    >
      {describePlanWarning(warning)}
    </NotificationEntry>
  )
}

interface OwnEntryProps {
  notification: Notification
  onOpen: NotificationListProps['onOpenItem']
  onToggle: NotificationListProps['onToggle']
}

function OwnEntry({ notification, onOpen, onToggle }: OwnEntryProps) {
  const { feedbackId, isRead, createdAt, excerpt, projectName } = notification
  return (
    <NotificationEntry
      to={`/dashboard/feedback?item=${feedbackId}`}
      isRead={isRead}
      at={createdAt}
      detail={excerpt === '' ? projectName : `${projectName}: ${excerpt}`}
      onOpen={() => onOpen(notification)}
      onToggle={() => onToggle(notification)}
    >
      {describeNotification(notification)}
    </NotificationEntry>
  )
}

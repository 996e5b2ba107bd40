import type { NewFeedbackNotification, Notification } from '#contract/notifications.ts'
import type { PlanWarning } from '#contract/plans.ts'
import type { FullQuota } from '#contract/quotas.ts'

type ArrangedNotification =
  | { readonly at: string; readonly newFeedback: NewFeedbackNotification }
  | { readonly at: string; readonly own: Notification }
  | { readonly at: string; readonly fullQuota: FullQuota }
  | { readonly at: string; readonly planWarning: PlanWarning }

/** New feedback of projects, the member's own notifications, full storage and warnings about the plan as one list, newest first. */
export function arrangeNotifications(
  newFeedback: readonly NewFeedbackNotification[],
  items: readonly Notification[],
  fullQuotas: readonly FullQuota[],
  planWarnings: readonly PlanWarning[],
): ArrangedNotification[] {
  const all: ArrangedNotification[] = [
    ...newFeedback.map((each) => ({ at: each.latestAt, newFeedback: each })),
    ...items.map((each) => ({ at: each.createdAt, own: each })),
    ...fullQuotas.map((each) => ({ at: each.refusedAt, fullQuota: each })),
    ...planWarnings.map((each) => ({ at: each.warnedAt, planWarning: each })),
  ]
  // Times are ISO 8601 in UTC with the same digits. Sorting keeps the order of equal ones.
  return all.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0))
}

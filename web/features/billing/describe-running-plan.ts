import type { BilledSubscription } from '#contract/billing.ts'
import type { SubscriptionStatus } from '#contract/plans.ts'

/**
 * What an owner reads of a plan that is billed.
 *
 * @param formatDay shows a day, given as an instant.
 */
export function describeRunningPlan(
  status: SubscriptionStatus,
  { cancelAt, periodEnd }: Pick<BilledSubscription, 'cancelAt' | 'periodEnd'>,
  formatDay: (instant: string) => string,
): { text: string; isWarning: boolean } {
  if (status === 'expired') {
    return { text: 'Your plan has ended, because it was not paid. New feedback is stored and locked.', isWarning: true }
  }
  if (cancelAt !== null) {
    return { text: `Your plan ends on ${formatDay(cancelAt)}. It is not renewed.`, isWarning: true }
  }
  if (status === 'past_due') {
    return { text: 'The last payment failed. Your plan stays active while we try again.', isWarning: true }
  }
  return { text: periodEnd === null ? 'Renews by itself.' : `Renews on ${formatDay(periodEnd)}.`, isWarning: false }
}

import type { Entitlements } from '#contract/plans.ts'

/** What an owner reads of the organisation's subscription. */
export interface SubscriptionWords {
  readonly title: string
  readonly text: string
  /** Whether plans can be compared and chosen. */
  readonly hasPlans: boolean
}

/** @param formatDay shows a day, given as an instant. */
export function describeSubscription(
  { status, plan, trialEndsAt, hasEnded }: Entitlements,
  formatDay: (instant: string) => string,
): SubscriptionWords {
  if (status === 'self_hosted') {
    return { title: 'Self-hosted', text: 'No trial, no limits, every feature.', hasPlans: false }
  }
  if (!hasEnded && status === 'trialing' && trialEndsAt !== null) {
    const text = `Every feature is available until ${formatDay(trialEndsAt)}. Choose a plan before that, so that no feedback is locked.`
    return { title: 'Trial', text, hasPlans: true }
  }
  if (hasEnded) {
    const isPlan = status === 'canceled' || (status === 'expired' && plan !== null)
    const what = isPlan ? 'Your plan has ended.' : 'Your trial has ended.'
    const text = `${what} Feedback received so far can be read and exported. New feedback is stored and locked until you choose a plan.`
    return { title: 'No plan', text, hasPlans: true }
  }
  const text =
    status === 'past_due'
      ? 'The last payment failed. The plan stays active while it is tried again.'
      : 'The plan is active.'
  return { title: plan?.name ?? 'Plan', text, hasPlans: true }
}

import type { SubscriptionStatus } from '#contract/plans.ts'
import type { MirroredSubscription } from './mirror.ts'

/**
 * What Stripe's states mean for an organisation (https://docs.stripe.com/billing/subscriptions/overview#subscription-statuses).
 * Null: nothing was bought, so the organisation keeps the status that it has.
 */
const statuses: Readonly<Record<string, SubscriptionStatus | null>> = {
  incomplete: null,
  incomplete_expired: null,
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  // All attempts to collect have failed, and the account keeps such subscriptions: nothing is paid for any more.
  unpaid: 'expired',
  paused: 'expired',
  canceled: 'canceled',
}

/** Those that decide before others, when a customer has several. */
const precedence: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due', 'expired', 'canceled']

/** The organisation's status by a state of Stripe; null: nothing was bought. */
export function toStatus(stripeStatus: string): SubscriptionStatus | null {
  return statuses[stripeStatus] ?? null
}

/** Whether a subscription exists that has not ended, so that a second one would be charged beside it. */
export function isOpen({ status }: Pick<MirroredSubscription, 'status'>): boolean {
  const meaning = toStatus(status)
  return meaning !== null && meaning !== 'canceled'
}

/** The subscription that decides about the organisation: undefined when nothing was bought of our plans. */
export function pickSubscription<S extends Pick<MirroredSubscription, 'id' | 'status' | 'planId' | 'createdAt'>>(
  all: readonly S[],
): S | undefined {
  const rank = ({ status }: S) => {
    const meaning = toStatus(status)
    return meaning === null ? -1 : precedence.indexOf(meaning)
  }
  return all
    .filter((each) => each.planId !== null && rank(each) >= 0)
    .toSorted((a, b) => rank(a) - rank(b) || Number(b.createdAt) - Number(a.createdAt) || (a.id < b.id ? 1 : -1))[0]
}

import type { SubscriptionStatus } from '#contract/plans.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { setSubscription } from '../billing.service.ts'
import { findStanding, readSubscriptions } from '../stripe/mirror.queries.ts'
import { pickSubscription, toStatus } from '../stripe/subscription-states.ts'
import { findGrant, type GrantRow } from './granted-plans.queries.ts'

/** Paid for at Stripe, or in a trial or dunning of Stripe's: a granted plan waits until it ends. */
const statusesWithAccess: readonly SubscriptionStatus[] = ['active', 'trialing', 'past_due']

/**
 * Sets the status, plan and trial of an organisation: by its subscription at Stripe while that gives access, else by its
 * granted plan, else by how the subscription ended. An organisation with neither keeps what it has.
 *
 * @param ended the granted plan that was just deleted: what it interrupted continues.
 * @returns whether anything changed.
 */
export async function settleStatus(
  tx: SystemTx,
  organizationId: string,
  { ended }: { ended?: GrantRow } = {},
): Promise<boolean> {
  // Before the rest is read: of two that settle at once, the second sees what the first has done.
  const standing = await findStanding(tx, organizationId)
  if (!standing) return false
  const { trialEndsAt } = standing
  const subscription = pickSubscription(await readSubscriptions(tx, organizationId))
  const status = subscription && toStatus(subscription.status)
  const isTrial = status === 'trialing'
  const bought = subscription &&
    status && { status, planId: subscription.planId, trialEndsAt: isTrial ? subscription.trialEnd : trialEndsAt }
  if (bought && statusesWithAccess.includes(bought.status)) return setSubscription(tx, organizationId, bought)
  // Without limits, there is nothing to give or to end.
  if (!bought && standing.status === 'self_hosted') return false
  const granted = await findGrant(tx, organizationId)
  if (granted) return setSubscription(tx, organizationId, { status: 'active', planId: granted.planId, trialEndsAt })
  if (bought) return setSubscription(tx, organizationId, bought)
  return ended ? setSubscription(tx, organizationId, resumeTrial(ended, trialEndsAt)) : false
}

function resumeTrial({ trialEndsAt }: GrantRow, endedAt: Date | null) {
  return trialEndsAt !== null && trialEndsAt > new Date()
    ? ({ status: 'trialing', planId: null, trialEndsAt } as const)
    : ({ status: 'expired', planId: null, trialEndsAt: endedAt } as const)
}

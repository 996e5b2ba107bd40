import type { Entitlements, SubscriptionStatus } from '#contract/plans.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { checkRoom, findEntitlements, saveSubscription } from './entitlements/entitlements.queries.ts'

/** What owners are told of their plan and its payments: by email and in the bell. */
export { listPlanWarnings, takePlanWarnings } from './entitlements/warnings.queries.ts'
export { findRenewal, type PaymentFacts, readPaymentFacts } from './subscription/payment-facts.queries.ts'

/**
 * What an organisation may use, and what it uses.
 *
 * @throws ProductError `organization_not_found` for one that the caller does not belong to.
 */
export async function getEntitlements(tx: TenantTx | SystemTx, organizationId: string): Promise<Entitlements> {
  const row = await findEntitlements(tx, organizationId)
  if (!row) throw new ProductError('organization_not_found')
  const { standing, planId, planKey, planName, maxItemsPerMonth, items } = row
  const hasEnded = standing === 'ended'
  return {
    status: row.status,
    trialEndsAt: row.trialEndsAt?.toISOString() ?? null,
    plan: planId === null ? null : { id: planId, key: planKey ?? '', name: planName ?? '' },
    hasEnded,
    locksNewFeedback: hasEnded || (maxItemsPerMonth !== null && items >= maxItemsPerMonth),
    projects: { used: row.projects, max: row.maxProjects },
    members: { used: row.members, max: row.maxMembers },
    items: { used: items, max: maxItemsPerMonth },
  }
}

const nouns = { project: 'project', member: 'member' } as const
const remedies = {
  project: 'Archive a project',
  member: 'Remove a member or revoke an invitation',
} as const

/**
 * Makes sure that an organisation's plan has room for more. Until the transaction ends, others who ask for the same wait:
 * a limit holds however many requests and servers ask at once.
 *
 * @param adding how many are about to be added. 0: they are written already, in this transaction.
 * @throws ProductError `plan_limit_reached`, which names plan and limit; `plan_required` after a trial or plan has ended;
 * `permission_denied` for a caller who is no owner.
 */
export async function requireRoom(
  tx: TenantTx | SystemTx,
  organizationId: string,
  kind: keyof typeof nouns,
  { adding = 1 }: { adding?: number } = {},
): Promise<void> {
  const room = await checkRoom(tx, organizationId, { kind, adding })
  // An owner no longer, since the guard asked.
  if (!room) throw new ProductError('permission_denied')
  const { outcome, planName, max } = room
  if (outcome === 'plan_required') {
    const detail = `Your trial or plan has ended. Choose a plan to add a ${nouns[kind]}.`
    throw new ProductError('plan_required', { detail })
  }
  if (outcome === 'plan_limit_reached') {
    const limit = `${max} ${nouns[kind]}${max === 1 ? '' : 's'}`
    const detail = `The ${planName} plan includes ${limit}. ${remedies[kind]}, or choose a larger plan.`
    throw new ProductError('plan_limit_reached', { detail })
  }
}

/** A subscription as it is to be. */
export interface NewSubscription {
  readonly status: SubscriptionStatus
  /** Null with `active` or `past_due`: no limits. */
  readonly planId: string | null
  /** With `trialing`: when it ends. Otherwise when the trial ended; null: there was none. */
  readonly trialEndsAt: Date | null
}

/**
 * Sets the status, plan and trial of an organisation: the only way to change them. Records `subscription.changed`, and the
 * beginning or end of a trial. Feedback that is readable under the new plan is unlocked by a job, within seconds of the
 * commit.
 *
 * @returns whether anything changed.
 */
export function setSubscription(tx: SystemTx, organizationId: string, subscription: NewSubscription): Promise<boolean> {
  return saveSubscription(tx, organizationId, subscription)
}

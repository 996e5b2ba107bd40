import type { Organization } from '#web/lib/organization.tsx'

/** An organisation's plan status; `unknown` for a visitor who is not signed in. */
export type PlanStanding =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_needed' }
  | { readonly kind: 'on_trial'; readonly endsAt: string }
  | { readonly kind: 'trial_over' }
  /** A plan was cancelled, or not paid. */
  | { readonly kind: 'plan_over' }
  | { readonly kind: 'on_plan' }

/** Derives it from the organisation's subscription fields. */
export function findPlanStanding(
  organization: Pick<Organization, 'subscriptionStatus' | 'subscriptionPlanId' | 'trialEndsAt'> | undefined,
  nowMs: number,
): PlanStanding {
  if (!organization) return { kind: 'unknown' }
  const { subscriptionStatus, subscriptionPlanId, trialEndsAt } = organization
  if (subscriptionStatus === 'self_hosted') return { kind: 'not_needed' }
  if (subscriptionStatus === 'active' || subscriptionStatus === 'past_due') return { kind: 'on_plan' }
  // A trial that ends without a plan leaves none behind.
  if (subscriptionStatus === 'canceled' || (subscriptionStatus === 'expired' && subscriptionPlanId !== null)) {
    return { kind: 'plan_over' }
  }
  const isOnTrial = subscriptionStatus === 'trialing' && trialEndsAt !== null && Date.parse(trialEndsAt) > nowMs
  return isOnTrial ? { kind: 'on_trial', endsAt: trialEndsAt } : { kind: 'trial_over' }
}

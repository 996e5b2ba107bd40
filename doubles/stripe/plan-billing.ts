/* What a change of a subscription bills. Updates and previews plan in the same way, so a preview with the same `proration_date` has the lines of the later invoice. */
import type Stripe from 'stripe'
import { type Account, idOf } from './account.ts'
import { type ItemChange, type ItemRequest, planItemChange } from './subscription-items.ts'
import { listDiscounts } from './subscriptions.ts'

/** What of a request decides about the invoice. */
interface BillingRequest {
  readonly items?: readonly ItemRequest[] | undefined
  readonly proration_behavior?: string | undefined
  readonly proration_date?: number | undefined
  readonly billing_cycle_anchor?: { readonly type: string } | undefined
  readonly trial_end?: 'now' | number | undefined
}

/** A change of items, and when and how it is billed. */
export interface BillingPlan extends ItemChange {
  readonly at: number
  readonly bills: boolean
  readonly endsTrial: boolean
}

/** What a request changes in items and invoices, without doing it; undefined: nothing. */
export function planBilling(
  account: Account,
  subscription: Stripe.Subscription,
  request: BillingRequest,
): BillingPlan | undefined {
  const { items: requests, trial_end: trialEnd, billing_cycle_anchor: anchor } = request
  const now = account.now(subscription.test_clock)
  const endsTrial = trialEnd === 'now' && subscription.trial_end !== null && subscription.trial_end > now
  if (requests === undefined && !endsTrial && anchor?.type !== 'now') return undefined
  const isTrialing = !endsTrial && subscription.trial_end !== null && subscription.trial_end > now
  const behavior = request.proration_behavior ?? 'create_prorations'
  const at = request.proration_date ?? now
  const change = planItemChange(account, subscription, {
    requests: requests ?? [],
    at,
    prorates: behavior !== 'none',
    resetsCycle: anchor?.type === 'now' || endsTrial,
    isTrialing,
  })
  return { ...change, at, endsTrial, bills: change.resetsCycle || behavior === 'always_invoice' }
}

/** The invoice of a change. */
export function describeUpdateInvoice(
  account: Account,
  subscription: Stripe.Subscription,
  plan: BillingPlan,
  lines: readonly Stripe.InvoiceLineItem[],
) {
  return {
    customer: account.getCustomer(idOf(subscription.customer)),
    subscription,
    lines,
    reason: plan.resetsCycle && plan.endsTrial ? 'subscription_cycle' : 'subscription_update',
    period: { start: plan.at, end: plan.at },
    discounts: listDiscounts(account, subscription, plan.at),
    prorationDate: plan.at,
  } as const
}

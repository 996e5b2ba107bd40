import type { Cancellation } from '#contract/billing.ts'
import { actAtStripe, type BillingParts } from '../stripe/billing-parts.ts'
import { findPromotionCode } from '../stripe/find-promotion-code.ts'
import { requireSubscription } from './require-subscription.ts'

/**
 * Lets the subscription end with the paid period. Again: only the reason changes.
 *
 * @throws ProductError `not_subscribed`, and those of {@link actAtStripe}.
 */
export async function cancelSubscription(
  parts: BillingParts,
  organizationId: string,
  { reason, comment }: Cancellation,
): Promise<void> {
  await actAtStripe(parts, organizationId, async (stripe) => {
    const { subscription } = await requireSubscription(stripe, parts.database, organizationId)
    await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
      cancellation_details: { feedback: reason, comment: comment?.trim() ?? '' },
    })
  })
}

/** Lets a subscription go on that would end. @throws as {@link cancelSubscription} does. */
export async function reactivateSubscription(parts: BillingParts, organizationId: string): Promise<void> {
  await actAtStripe(parts, organizationId, async (stripe) => {
    const { subscription } = await requireSubscription(stripe, parts.database, organizationId)
    if (subscription.cancel_at_period_end) {
      await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    } else if (subscription.cancel_at !== null) {
      await stripe.subscriptions.update(subscription.id, { cancel_at: '' })
    }
  })
}

/** Applies a code in place of the former discount. @throws as above, and ProductError `promotion_code_invalid`. */
export async function applyPromotionCode(parts: BillingParts, organizationId: string, typed: string): Promise<void> {
  await actAtStripe(parts, organizationId, async (stripe) => {
    const { subscription } = await requireSubscription(stripe, parts.database, organizationId)
    const code = await findPromotionCode(stripe, typed)
    await stripe.subscriptions.update(subscription.id, { discounts: [{ promotion_code: code }] })
  })
}

import type Stripe from 'stripe'
import type { NewPlanChoice, PlanChoice, PlanPreview } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { requireOffer } from '../plans/require-offer.ts'
import { actAtStripe, askInTurn, type BillingParts } from '../stripe/billing-parts.ts'
import { findPrice } from '../stripe/find-price.ts'
import { type OpenSubscription, requireSubscription } from './require-subscription.ts'

const reason = 'plans belong to no organisation'
/** How long a preview holds. */
const previewSeconds = 3_600

interface PlannedChange extends OpenSubscription {
  readonly plan: Plan
  readonly price: string
  /** Dearer, or by the year: paid at once. Otherwise what is left of the period is credited. */
  readonly isUpgrade: boolean
}

/**
 * What a change of plan would cost, by Stripe's own reckoning.
 *
 * @throws ProductError `plan_not_found`, `not_subscribed`, and those of {@link actAtStripe}.
 */
export async function previewPlan(
  parts: BillingParts,
  organizationId: string,
  choice: PlanChoice,
): Promise<PlanPreview> {
  return askInTurn(parts, organizationId, async (stripe) => {
    const plan = await requireOffer(parts.database, choice.planId)
    const change = await planChange(parts, stripe, { organizationId, plan, choice })
    const { subscription, item, price, isUpgrade } = change
    const prorationDate = clampToPeriod(item, await readClock(stripe, subscription))
    const details: Stripe.InvoiceCreatePreviewParams.SubscriptionDetails = {
      items: [{ id: item.id, price, quantity: 1 }],
      proration_date: prorationDate,
      proration_behavior: isUpgrade ? 'always_invoice' : 'create_prorations',
      // As the change will: it keeps the plan.
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    }
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: details,
    })
    const cents = choice.interval === 'month' ? plan.monthlyCents : plan.yearlyCents
    const prorated = preview.lines.data.filter(isProration).reduce((sum, { amount }) => sum + amount, 0)
    const isDueNow = isUpgrade && prorated !== 0
    return {
      plan: { id: plan.id, key: plan.key, name: plan.name },
      interval: choice.interval,
      cents,
      currency: preview.currency,
      dueNowCents: isDueNow ? preview.amount_due : 0,
      creditCents: isDueNow ? Math.max(0, -preview.total) : Math.max(0, -prorated),
      nextInvoice: isDueNow
        ? { cents, at: toTimestamp(nextPeriodEnd(item, choice, prorationDate)) }
        : { cents: preview.amount_due, at: toTimestamp(preview.next_payment_attempt ?? item.current_period_end) },
      prorationDate,
    }
  })
}

/**
 * Changes plan or interval at once. The same choice again changes nothing.
 *
 * @throws ProductError `plan_not_found`, `not_subscribed`, `payment_failed` for an upgrade that can't be paid, `validation_failed`
 * for a preview that is too old, and those of {@link actAtStripe}.
 */
export async function changePlan(parts: BillingParts, organizationId: string, choice: NewPlanChoice): Promise<void> {
  await actAtStripe(parts, organizationId, async (stripe) => {
    const plan = await requireOffer(parts.database, choice.planId)
    const change = await planChange(parts, stripe, { organizationId, plan, choice })
    const { subscription, item, price, isUpgrade } = change
    if (item.price.id === price) return
    const now = await readClock(stripe, subscription)
    if (Math.abs(now - choice.prorationDate) > previewSeconds) {
      throw invalid('body.prorationDate', 'must be of a preview of the last hour')
    }
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item.id, price, quantity: 1 }],
      proration_date: clampToPeriod(item, choice.prorationDate),
      proration_behavior: isUpgrade ? 'always_invoice' : 'create_prorations',
      ...(isUpgrade && { payment_behavior: 'error_if_incomplete' }),
      // An owner who chooses a plan wants to keep it.
      ...(subscription.cancel_at_period_end && { cancel_at_period_end: false }),
    })
  })
}

async function planChange(
  { database, locks }: BillingParts,
  stripe: Stripe,
  { organizationId, plan, choice }: { organizationId: string; plan: Plan; choice: PlanChoice },
): Promise<PlannedChange> {
  const open = await requireSubscription(stripe, database, organizationId)
  const price = await findPrice({ stripe, database, locks }, plan, choice.interval)
  const size = (monthlyCents: number, interval: string | undefined) => monthlyCents * 10 + (interval === 'year' ? 1 : 0)
  const { planId, item } = open
  const before = planId === undefined ? undefined : await database.asSystem(reason, (tx) => findPlan(tx, planId))
  const isUpgrade =
    size(plan.monthlyCents, choice.interval) > size(before?.monthlyCents ?? 0, item.price.recurring?.interval)
  return { ...open, plan, price, isUpgrade }
}

function isProration({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration ?? false
}

/** Stripe's time of a subscription: that of its test clock, where it has one. In seconds since 1970. */
async function readClock(stripe: Stripe, { test_clock: clock }: Stripe.Subscription): Promise<number> {
  if (clock === null) return Math.floor(Date.now() / 1000)
  const { frozen_time: now } = await stripe.testHelpers.testClocks.retrieve(
    typeof clock === 'string' ? clock : clock.id,
  )
  return now
}

function clampToPeriod(item: Stripe.SubscriptionItem, seconds: number): number {
  return Math.min(Math.max(seconds, item.current_period_start), item.current_period_end)
}

/** A new interval begins now; the same one goes on to its end. In seconds since 1970. */
function nextPeriodEnd(
  { price, current_period_end: end }: Stripe.SubscriptionItem,
  { interval }: PlanChoice,
  now: number,
) {
  if (price.recurring?.interval === interval) return end
  const date = new Date(now * 1000)
  if (interval === 'year') date.setUTCFullYear(date.getUTCFullYear() + 1)
  else date.setUTCMonth(date.getUTCMonth() + 1)
  return date.getTime() / 1000
}

/** @param seconds since 1970 */
function toTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

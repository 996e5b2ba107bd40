import type Stripe from 'stripe'
import type { Withdrawal } from '#contract/billing.ts'
import { queueEmail, renderWithdrawalReceipt } from '#server/features/mail/mail.service.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { actAtStripe, type BillingParts } from '../stripe/billing-parts.ts'
import { findRunning, findWithdrawableUntil } from '../subscription/read-billing.ts'
import { findNamedPlan, listSubscriptions } from '../subscription/subscription.queries.ts'
import { completeWithdrawal, findWithdrawn, insertWithdrawal, type WithdrawalKey } from './withdrawals.queries.ts'

const reason = 'a consumer withdraws from the contract'

/**
 * Ends the subscription at once, refunds its payments and sends a receipt. Safe to repeat. What a crash or Stripe leaves
 * undone is done by the job `complete_withdrawal`.
 *
 * @throws ProductError `billing_off`, `not_subscribed`, `withdrawal_not_possible` when the time is over or none is given, and those of
 * {@link actAtStripe}.
 */
export async function withdraw(parts: BillingParts, organizationId: string, declared: Withdrawal): Promise<void> {
  if (!parts.findStripe) throw new ProductError('billing_off')
  const subscriptionId = await parts.database.asSystem(reason, async (tx) => {
    const running = findRunning(await listSubscriptions(tx, organizationId))
    if (!running) {
      const withdrawn = await findWithdrawn(tx, organizationId)
      if (withdrawn === undefined) throw new ProductError('not_subscribed')
      return withdrawn
    }
    if (findWithdrawableUntil(running, parts.config.withdrawalDays) === null) {
      throw new ProductError('withdrawal_not_possible')
    }
    const plan = running.planId === null ? undefined : await findNamedPlan(tx, running.planId)
    const key = { organizationId, subscriptionId: running.id }
    await insertWithdrawal(tx, key, { ...declared, planName: plan?.name ?? '' })
    return running.id
  })
  await carryOut(parts, { organizationId, subscriptionId })
}

/** What the declaration asks for, as often as it takes. @throws as {@link actAtStripe} does. */
export async function carryOut(parts: BillingParts, key: WithdrawalKey): Promise<void> {
  const { database, config } = parts
  await actAtStripe(parts, key.organizationId, (stripe) => endAndRefund(stripe, key.subscriptionId))
  await database.asSystem(reason, async (tx) => {
    const done = await completeWithdrawal(tx, key)
    if (done) await queueEmail(tx, done.email, renderWithdrawalReceipt({ ...done, appUrl: config.appUrl }))
  })
}

async function endAndRefund(stripe: Stripe, id: string): Promise<void> {
  const subscription = await stripe.subscriptions.retrieve(id)
  if (subscription.status !== 'canceled') {
    await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false })
  }
  const { data: invoices } = await stripe.invoices.list({ subscription: id, expand: ['data.payments'], limit: 100 })
  for (const { id: invoiceId, status, payments } of invoices) {
    if (status === 'open') await stripe.invoices.voidInvoice(invoiceId)
    if (status !== 'paid') continue
    for (const { payment } of payments?.data ?? []) {
      const intent = typeof payment.payment_intent === 'string' ? payment.payment_intent : payment.payment_intent?.id
      if (intent) await refund(stripe, intent)
    }
  }
}

/** The whole payment, once. */
async function refund(stripe: Stripe, intent: string): Promise<void> {
  try {
    const idempotencyKey = `withdrawal ${intent}`
    await stripe.refunds.create({ payment_intent: intent, reason: 'requested_by_customer' }, { idempotencyKey })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'charge_already_refunded')) throw error
  }
}

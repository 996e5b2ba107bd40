import type { AnyEvent } from '#contract/events.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { findRenewal, type PaymentFacts, readPaymentFacts } from '../billing/billing.service.ts'
import type { PaymentNews, SubscriptionNews } from '../mail/mail.service.ts'

/** One email. */
export type BillingNews = { readonly payment: PaymentNews } | { readonly subscription: SubscriptionNews }

type BillingEvent = AnyEvent<
  | 'subscription.changed'
  | 'subscription.started'
  | 'subscription.upgraded'
  | 'subscription.downgraded'
  | 'subscription.cancelled'
  | 'subscription.reactivated'
  | 'payment.succeeded'
  | 'payment.failed'
  | 'payment.refunded'
>

/** What owners are told of an event. What another email says already is left out. */
export async function findBillingNews(tx: SystemTx, event: BillingEvent): Promise<BillingNews[]> {
  const { organizationId } = event
  switch (event.name) {
    case 'subscription.changed':
      return hasEnded(event.payload) ? [{ subscription: { kind: 'ended' } }] : []
    case 'subscription.cancelled':
      return event.payload.subscriptions.flatMap(({ plan, endsAt }): BillingNews[] => {
        const end = endsAt === null ? undefined : new Date(endsAt)
        // One that has ended at once is told by its end.
        return end && end.getTime() > Date.now() ? [{ subscription: { kind: 'cancelled', plan, endsAt: end } }] : []
      })
    case 'subscription.started':
    case 'subscription.reactivated':
    case 'subscription.upgraded':
    case 'subscription.downgraded': {
      const kinds = {
        'subscription.started': 'started',
        'subscription.reactivated': 'reactivated',
        'subscription.upgraded': 'upgraded',
        'subscription.downgraded': 'downgraded',
      } as const
      const kind = kinds[event.name]
      return Promise.all(
        event.payload.subscriptions.map(
          async ({ subscriptionId, plan, price: cents, currency, interval }): Promise<BillingNews> => {
            const renewsAt = await findRenewal(tx, organizationId, subscriptionId)
            return { subscription: { kind, plan, cents, currency, interval, renewsAt } }
          },
        ),
      )
    }
    case 'payment.refunded': {
      const { refunds } = event.payload
      const facts = await readPaymentFacts(
        tx,
        organizationId,
        refunds.map(({ transactionId }) => transactionId ?? ''),
      )
      return refunds.flatMap(({ transactionId, amount: cents, currency, plan }): BillingNews[] =>
        facts.get(transactionId ?? '')?.isWithdrawn
          ? []
          : [{ payment: { kind: 'refunded', cents, currency, plan: plan ?? '' } }],
      )
    }
    case 'payment.succeeded':
    case 'payment.failed': {
      const { payments } = event.payload
      const facts = await readPaymentFacts(
        tx,
        organizationId,
        payments.map(({ transactionId }) => transactionId),
      )
      return payments.flatMap((payment) => {
        const known = facts.get(payment.transactionId)
        if (!known) return []
        return 'error' in payment ? wordFailure(payment, known) : wordPurchase(payment, known)
      })
    }
  }
}

function hasEnded({ before, after }: Extract<BillingEvent, { name: 'subscription.changed' }>['payload']): boolean {
  const wasPaid = before.status === 'active' || before.status === 'past_due'
  return wasPaid && (after.status === 'canceled' || after.status === 'expired')
}

interface Payment {
  readonly price: number
  readonly currency: string
  readonly plan: string
}

/** The first payment and that of an upgrade are part of the email about the plan. */
function wordPurchase({ price: cents, currency, plan }: Payment, facts: PaymentFacts): BillingNews[] {
  const { number, pdfUrl, attempts, hasFailed, reason } = facts
  const isRecovered = hasFailed || attempts > 1
  if (!isRecovered && reason !== 'subscription_cycle') return []
  return [{ payment: { kind: isRecovered ? 'recovered' : 'paid', cents, currency, plan, number, pdfUrl } }]
}

function wordFailure(payment: Payment & { readonly error: string }, facts: PaymentFacts): BillingNews[] {
  const { price: cents, currency, plan, error } = payment
  const { attempts, nextAttemptAt, pageUrl, status, reason } = facts
  // Paid or waived since, or seen by who pays on Stripe's page.
  if (status !== 'open' || reason === 'subscription_create') return []
  if (error === 'authentication_required') {
    return [{ payment: { kind: 'action_required', cents, currency, plan, pageUrl } }]
  }
  return [{ payment: { kind: 'failed', cents, currency, plan, error, attempts, nextAttemptAt, pageUrl } }]
}

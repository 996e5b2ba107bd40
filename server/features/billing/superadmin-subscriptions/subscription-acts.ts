import type { BillingInterval } from '#contract/billing.ts'
import type { Plan } from '#contract/plans.ts'
import type {
  PaymentRefundRequest,
  SubscriberBilling,
  SubscriberCancellation,
  SubscriberPlanChange,
} from '#contract/superadmin-subscriptions.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findPlan } from '../plans/plans.queries.ts'
import { readSubscriptions } from '../stripe/mirror.queries.ts'
import type { MirroredSubscription } from '../stripe/mirror.ts'
import type { StripeAccess } from '../stripe/stripe-access.ts'
import { isMissing } from '../stripe/stripe-client.ts'
import { isOpen, pickSubscription } from '../stripe/subscription-states.ts'
import { readSubscriber } from './read-subscribers.ts'
import { recordAct } from './record-act.ts'
import { createRefunds } from './refund-payments.ts'
import { findSubscriber } from './subscribers.queries.ts'

const reason = 'superadmins change subscriptions at Stripe'

/** What superadmins do at Stripe. */
export interface SubscriptionActs {
  /** @throws ProductError `plan_not_found`, `not_subscribed`, `payment_failed`. */
  changePlan(organizationId: string, change: SubscriberPlanChange): Promise<SubscriberBilling>
  /** @throws ProductError `not_subscribed`. */
  cancel(organizationId: string, cancellation: SubscriberCancellation): Promise<SubscriberBilling>
  /** @throws ProductError `payment_not_found`, `id_reused`, `validation_failed` for more than is left of the payment. */
  refund(organizationId: string, refund: PaymentRefundRequest): Promise<SubscriberBilling>
}

export function createSubscriptionActs(database: Database, stripe: StripeAccess): SubscriptionActs {
  /** The organisation as it is after an act. */
  const convergeAndRead = async (organizationId: string) => {
    await stripe.converge(organizationId)
    return database.asSystem(reason, (tx) => readSubscriber(tx, organizationId))
  }

  /** @throws ProductError `organization_not_found`, `not_subscribed`. */
  const getSubscription = async (organizationId: string): Promise<MirroredSubscription> =>
    database.asSystem(reason, async (tx) => {
      if (!(await findSubscriber(tx, organizationId))) throw new ProductError('organization_not_found')
      const subscription = pickSubscription(await readSubscriptions(tx, organizationId))
      if (!subscription || !isOpen(subscription)) throw new ProductError('not_subscribed')
      return subscription
    })

  const findPriced = async (planId: string, interval: BillingInterval): Promise<Priced> => {
    const plan = await database.asSystem(reason, (tx) => findPlan(tx, planId))
    if (!plan) throw new ProductError('plan_not_found')
    return { plan, price: interval === 'month' ? plan.stripeMonthlyPriceId : plan.stripeYearlyPriceId }
  }

  /** With the plan's price at Stripe, where a new plan may have none yet. @throws ProductError `plan_not_found`. */
  const getPriced = async (planId: string, interval: BillingInterval) => {
    const found = await findPriced(planId, interval)
    if (found.price !== null) return { plan: found.plan, price: found.price }
    await stripe.syncPlans()
    const { plan, price } = await findPriced(planId, interval)
    if (price === null) throw new ProductError('plan_not_found')
    return { plan, price }
  }

  return {
    changePlan: async (organizationId, { planId, interval, charge, reason: why }) => {
      const { id } = await getSubscription(organizationId)
      const { plan, price } = await getPriced(planId, interval)
      await database.asSystem(reason, (tx) =>
        recordAct(tx, organizationId, { act: 'plan_changed', plan: plan.name, interval, reason: why }),
      )
      await asSubscribed(() =>
        stripe.ask(async (sdk) => {
          const { items } = await sdk.subscriptions.retrieve(id)
          const [item] = items.data
          await sdk.subscriptions.update(id, {
            items: [{ ...(item && { id: item.id }), price }],
            proration_behavior: charge === 'now' ? 'always_invoice' : 'none',
            payment_behavior: 'error_if_incomplete',
          })
        }),
      )
      return convergeAndRead(organizationId)
    },

    cancel: async (organizationId, { at, reason: why }) => {
      const { id } = await getSubscription(organizationId)
      const until = at === 'now' ? 'at once' : 'at the end of the paid period'
      await database.asSystem(reason, (tx) =>
        recordAct(tx, organizationId, { act: 'subscription_cancelled', until, reason: why }),
      )
      const details = { cancellation_details: { comment: why } }
      await asSubscribed(() =>
        stripe.ask((sdk) =>
          at === 'now'
            ? sdk.subscriptions.cancel(id, details)
            : sdk.subscriptions.update(id, { cancel_at_period_end: true, ...details }),
        ),
      )
      return convergeAndRead(organizationId)
    },

    refund: createRefunds({ database, stripe, convergeAndRead }),
  }
}

interface Priced {
  readonly plan: Plan
  readonly price: string | null
}

/** @throws ProductError `not_subscribed` when the subscription has ended at Stripe since it was mirrored. */
async function asSubscribed<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    const hasEnded = error instanceof Error && 'code' in error && error.code === 'invalid_canceled_subscription_fields'
    if (isMissing(error) || hasEnded) throw new ProductError('not_subscribed', { cause: error })
    throw error
  }
}

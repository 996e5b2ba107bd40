import type Stripe from 'stripe'
import type { NewCheckout } from '#contract/billing.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { requireOffer } from '../plans/require-offer.ts'
import { askInTurn, type BillingParts } from '../stripe/billing-parts.ts'
import { findCustomerId } from '../stripe/customers.queries.ts'
import { findOrCreateCustomer } from '../stripe/find-or-create-customer.ts'
import { findPrice } from '../stripe/find-price.ts'
import { findPromotionCode } from '../stripe/find-promotion-code.ts'
import { isOpen } from '../stripe/subscription-states.ts'
import { describeSession } from './describe-session.ts'

/** Where a customer pays: a page of Stripe, or a form within our page. */
export interface StartedCheckout {
  readonly url: string | null
  readonly clientSecret: string | null
}

/** Of the metadata of a session: what it was made for. */
const choiceKey = 'choice'

/**
 * Begins to pay for a plan. At most one checkout of an organisation is open, so that two owners, or one who presses twice,
 * can't pay twice.
 *
 * @throws ProductError `plan_not_found`, `already_subscribed`, `promotion_code_invalid`, and those of {@link askInTurn}.
 */
export async function startCheckout(
  parts: BillingParts,
  actor: Actor,
  organizationId: string,
  choice: NewCheckout,
): Promise<StartedCheckout> {
  return askInTurn(parts, organizationId, async (stripe) => {
    const plan = await requireOffer(parts.database, choice.planId)
    const customer = await findOrCreateCustomer({ stripe, database: parts.database }, organizationId, actor.userId)
    const price = await findPrice({ ...parts, stripe }, plan, choice.interval)
    const code = choice.promotionCode && (await findPromotionCode(stripe, choice.promotionCode))
    const wanted = [price, choice.ui, code ?? ''].join(' ')
    const open = await keepOne(stripe, customer, wanted)
    // After the others are closed: one that was paid meanwhile has its subscription by now.
    const { data: subscriptions } = await stripe.subscriptions.list({ customer, status: 'all', limit: 100 })
    if (subscriptions.some(isOpen)) throw new ProductError('already_subscribed')
    const session =
      open ??
      (await stripe.checkout.sessions.create({
        ...describeSession(parts.config, {
          ...{ customer, organizationId, price, code },
          ui: choice.ui,
          typedCode: choice.promotionCode,
        }),
        metadata: { organization_id: organizationId, [choiceKey]: wanted },
      }))
    return { url: session.url, clientSecret: session.client_secret }
  })
}

/** The open checkout of the same choice. All others are closed. */
async function keepOne(stripe: Stripe, customer: string, wanted: string): Promise<Stripe.Checkout.Session | undefined> {
  const { data: open } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 100 })
  const kept = open.find(({ metadata }) => metadata?.[choiceKey] === wanted)
  for (const { id } of open) if (id !== kept?.id) await expire(stripe, id)
  return kept
}

async function expire(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    // Paid or expired since it was listed.
    const { status } = await stripe.checkout.sessions.retrieve(id)
    if (status === 'open') throw error
  }
}

/**
 * Stripe's page where payment method, address and tax id are changed.
 *
 * @throws ProductError `not_subscribed` for an organisation that never paid, and those of {@link askInTurn}.
 */
export async function openPortal(parts: BillingParts, organizationId: string): Promise<string> {
  const customer = await parts.database.asSystem('an owner opens the customer portal', (tx) =>
    findCustomerId(tx, organizationId),
  )
  if (customer === undefined) throw new ProductError(parts.findStripe ? 'not_subscribed' : 'payments_not_configured')
  return askInTurn(parts, organizationId, async (stripe) => {
    const session = await stripe.billingPortal.sessions.create({ customer, return_url: billingUrl(parts.config) })
    return session.url
  })
}

function billingUrl({ appUrl }: BillingParts['config']): string {
  return `${appUrl}/dashboard/settings/billing`
}

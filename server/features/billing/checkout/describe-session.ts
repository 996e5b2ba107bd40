import type Stripe from 'stripe'
import type { NewCheckout } from '#contract/billing.ts'
import type { Config } from '#server/config.ts'

interface SessionChoice {
  readonly customer: string
  readonly organizationId: string
  readonly price: string
  readonly ui: NewCheckout['ui']
  /** Stripe's id of the promotion code. */
  readonly code: string | undefined
  /** The same code, as the customer typed it: someone who goes back keeps it. */
  readonly typedCode: string | undefined
}

/** A checkout of one subscription (https://docs.stripe.com/api/checkout/sessions/create). Only our own pages follow it. */
export function describeSession(
  { appUrl, stripe }: Pick<Config, 'appUrl' | 'stripe'>,
  { customer, organizationId, price, ui, code, typedCode }: SessionChoice,
): Stripe.Checkout.SessionCreateParams {
  const query = typedCode === undefined ? '' : `?${new URLSearchParams({ code: typedCode })}`
  const done = `${appUrl}/dashboard/settings/billing?checkout=done`
  return {
    mode: 'subscription',
    customer,
    client_reference_id: organizationId,
    line_items: [{ price, quantity: 1 }],
    // Prices are in US dollars, and so are all figures of revenue.
    adaptive_pricing: { enabled: false },
    ...(code === undefined ? { allow_promotion_codes: true } : { discounts: [{ promotion_code: code }] }),
    ...(stripe?.managedPayments ? { managed_payments: { enabled: true } } : describeTax(stripe?.tax ?? false)),
    subscription_data: { metadata: { organization_id: organizationId } },
    ...(ui === 'hosted'
      ? { ui_mode: 'hosted_page', success_url: done, cancel_url: `${appUrl}/plan-selection${query}` }
      : { ui_mode: 'embedded_page', return_url: done }),
  }
}

/** A merchant of record collects what taxes need by itself. With a tax id, business customers owe the tax themselves. */
function describeTax(tax: boolean): Partial<Stripe.Checkout.SessionCreateParams> {
  return {
    automatic_tax: { enabled: tax },
    tax_id_collection: { enabled: true },
    billing_address_collection: tax ? 'required' : 'auto',
    customer_update: { name: 'auto', address: 'auto' },
  }
}

/* Checkout sessions for subscriptions (https://docs.stripe.com/api/checkout/sessions). */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata } from './account.ts'
import { expireSession } from './billing-cycle.ts'
import { createBlankSession } from './blank-checkout-session.ts'
import { createBlankSubscription } from './blank-subscription.ts'
import { findPromotionCode } from './discounts.ts'
import { netOf, sum, sumLines } from './invoice-lines.ts'
import { notImplemented, refuse } from './refusal.ts'
import { createPeriodLine } from './subscription-items.ts'
import { readDiscounts, readNewItems } from './subscriptions.ts'

const daySeconds = 86_400

export type SessionParams = Stripe.Checkout.SessionCreateParams

/** What the double keeps of a session beside the resource. */
export interface SessionState {
  readonly params: SessionParams
  discounts: NonNullable<SessionParams['discounts']>
}
const states = new WeakMap<Stripe.Checkout.Session, SessionState>()

export function getSessionState(session: Stripe.Checkout.Session): SessionState | undefined {
  return states.get(session)
}

export function createCheckoutSession(account: Account, params: SessionParams): Stripe.Checkout.Session {
  checkSession(params)
  const customer = params.customer === undefined ? undefined : account.getCustomer(params.customer)
  const now = account.now(customer?.test_clock ?? null)
  const expiresAt = params.expires_at ?? now + daySeconds
  if (expiresAt < now + 1800 || expiresAt > now + daySeconds)
    throw refuse(
      'The `expires_at` timestamp must be at least 30 minutes and less than 24 hours from Checkout Session creation.',
      'expires_at',
    )
  const isHosted = (params.ui_mode ?? 'hosted_page') === 'hosted_page'
  const id = account.newId('cs_test')
  const session: Stripe.Checkout.Session = {
    ...createBlankSession(id, now),
    adaptive_pricing: { enabled: params.adaptive_pricing?.enabled ?? true },
    allow_promotion_codes: params.allow_promotion_codes ?? null,
    automatic_tax: {
      enabled: params.automatic_tax?.enabled ?? false,
      liability: params.automatic_tax?.enabled ? { type: 'self' } : null,
      provider: params.automatic_tax?.enabled ? 'stripe' : null,
      status: params.automatic_tax?.enabled ? 'requires_location_inputs' : null,
    },
    billing_address_collection: params.billing_address_collection ?? null,
    cancel_url: params.cancel_url ?? null,
    client_reference_id: params.client_reference_id ?? null,
    client_secret: isHosted ? null : account.newId(`${id}_secret`),
    customer: customer?.id ?? null,
    customer_creation: customer ? null : 'always',
    customer_email: params.customer_email ?? null,
    expires_at: expiresAt,
    locale: params.locale ?? null,
    managed_payments: { enabled: params.managed_payments?.enabled ?? false },
    metadata: mergeMetadata({}, params.metadata),
    success_url: params.success_url ?? null,
    tax_id_collection: {
      enabled: params.tax_id_collection?.enabled ?? false,
      required: params.tax_id_collection?.required ?? 'never',
    },
    ui_mode: params.ui_mode ?? 'hosted_page',
    url: isHosted ? `${account.baseUrl()}/c/pay/${account.id}/${id}` : null,
    ...(isHosted ? {} : { redirect_on_completion: params.redirect_on_completion ?? 'always' }),
    ...(params.return_url !== undefined && { return_url: params.return_url }),
  }
  if (customer) session.customer_details = describeCustomer(account, customer)
  states.set(session, { params, discounts: params.discounts ?? [] })
  priceSession(account, session)
  account.tables.checkoutSessions.add(session)
  return session
}

function checkSession(params: SessionParams): void {
  if (params.mode === undefined) throw refuse('Missing required param: mode.', 'mode', 'parameter_missing')
  if (params.mode !== 'subscription') throw notImplemented('mode')
  if (!params.line_items?.length) throw refuse('Missing required param: line_items.', 'line_items', 'parameter_missing')
  const mode = params.ui_mode ?? 'hosted_page'
  if (mode !== 'hosted_page' && mode !== 'embedded_page') throw notImplemented('ui_mode')
  checkUrls(params, mode === 'hosted_page')
  if (params.customer !== undefined && params.customer_email !== undefined)
    throw refuse(
      'You may only specify one of these parameters: customer, customer_email.',
      'customer_email',
      'parameters_exclusive',
    )
  if (params.allow_promotion_codes && params.discounts !== undefined)
    throw refuse(
      'You may only specify one of these parameters: allow_promotion_codes, discounts.',
      'allow_promotion_codes',
      'parameters_exclusive',
    )
  if ((params.discounts?.length ?? 0) > 1) throw refuse('You may only pass one discount.', 'discounts')
  if (params.customer_update !== undefined && params.customer === undefined)
    throw refuse('`customer_update` can only be used with `customer`.', 'customer_update')
  if (params.tax_id_collection?.enabled && params.customer !== undefined && params.customer_update?.name !== 'auto')
    throw refuse(
      'Tax ID collection requires updating business name on the customer. To enable tax ID collection for an existing customer, please set `customer_update[name]` to `auto`.',
      'customer_update',
    )
  if (params.managed_payments?.enabled && params.automatic_tax?.enabled)
    throw refuse('`automatic_tax` cannot be set with `managed_payments`, which calculates tax itself.', 'automatic_tax')
}

function checkUrls(params: SessionParams, isHosted: boolean): void {
  const [needed, other] = isHosted ? (['success_url', 'return_url'] as const) : (['return_url', 'success_url'] as const)
  const mode = params.ui_mode ?? 'hosted_page'
  if (params[other] !== undefined) throw refuse(`\`${other}\` cannot be used with \`ui_mode: ${mode}\`.`, other)
  if (!isHosted && params.cancel_url !== undefined)
    throw refuse(`\`cancel_url\` cannot be used with \`ui_mode: ${mode}\`.`, 'cancel_url')
  if (params[needed] === undefined && params.redirect_on_completion !== 'never')
    throw refuse(`Missing required param: ${needed}.`, needed, 'parameter_missing')
  for (const name of ['success_url', 'return_url', 'cancel_url'] as const)
    if (params[name] !== undefined && !/^https?:\/\/[^\s]+$/.test(params[name]))
      throw refuse('Not a valid URL', name, 'url_invalid')
}

/** Line items, discounts and sums, as the customer sees them. */
export function priceSession(account: Account, session: Stripe.Checkout.Session): void {
  const state = states.get(session)
  if (!state) return
  const customer = session.customer === null ? undefined : account.getCustomer(session.customer)
  const subscription = createBlankSubscription('sub_of_session', idOf(session.customer), session.created)
  const items = readNewItems(
    account,
    (state.params.line_items ?? []).map(readLineItem),
    subscription.id,
    session.created,
  )
  const redemptions = readDiscounts(account, state.discounts, customer?.id, items)
  const trial = state.params.subscription_data
  const isTrial = trial?.trial_end !== undefined || trial?.trial_period_days !== undefined
  const lines = items.map((item) => createPeriodLine(account, item, { start: 0, end: 1 }, isTrial))
  const blank = customer ?? { ...createGuest(session), address: session.customer_details?.address ?? null }
  const sums = sumLines(account, lines, {
    // Not redeemed yet: the coupon stands in the discount itself.
    discounts: redemptions.map(({ coupon }) => ({ ...guestDiscount, source: { coupon, type: 'coupon' } })),
    customer: blank,
    hasTax: session.automatic_tax.enabled,
  })
  session.currency = items[0]?.price.currency ?? 'usd'
  session.amount_subtotal = sums.subtotal
  session.amount_total = sums.total
  session.discounts = redemptions.map(({ coupon, promotionCode }) => ({
    coupon: promotionCode ? null : coupon.id,
    promotion_code: promotionCode?.id ?? null,
  }))
  session.total_details = {
    amount_discount: sums.subtotal - sums.totalExcludingTax,
    amount_shipping: 0,
    amount_tax: sums.total - sums.totalExcludingTax,
  }
  if (session.automatic_tax.enabled && blank.address?.country) session.automatic_tax.status = 'complete'
  account.lineItems.set(
    session.id,
    items.map((item, place) => showLineItem(item, lines[place])),
  )
}

const guestDiscount: Stripe.Discount = {
  id: 'di_of_session',
  object: 'discount',
  checkout_session: null,
  customer: null,
  customer_account: null,
  end: null,
  invoice: null,
  invoice_item: null,
  promotion_code: null,
  source: { coupon: null, type: 'coupon' },
  start: 0,
  subscription: null,
  subscription_item: null,
}

function createGuest(session: Stripe.Checkout.Session) {
  // Only the fields that taxes depend on are read.
  return { id: 'guest', object: 'customer', tax_exempt: 'none', email: session.customer_email } as Stripe.Customer
}

/** @throws StripeRefusal for quantities and prices that Checkout does not accept */
export function readLineItem(
  item: SessionParams['line_items'] extends (infer Each)[] | undefined ? Each : never,
  place: number,
) {
  const param = `line_items[${place}]`
  if (item.price_data !== undefined) throw notImplemented(`${param}[price_data]`)
  if (item.adjustable_quantity?.enabled) throw notImplemented(`${param}[adjustable_quantity]`)
  if (item.quantity === undefined)
    throw refuse(`Missing required param: ${param}[quantity].`, `${param}[quantity]`, 'parameter_missing')
  if (item.quantity < 1)
    throw refuse('This value must be greater than or equal to 1.', `${param}[quantity]`, 'parameter_invalid_integer')
  return { quantity: item.quantity, ...(item.price !== undefined && { price: item.price }) }
}

function showLineItem(item: Stripe.SubscriptionItem, line: Stripe.InvoiceLineItem | undefined): Stripe.LineItem {
  const net = line ? netOf(line) : 0
  const tax = sum((line?.taxes ?? []).map(({ amount }) => amount))
  return {
    id: item.id.replace('si_', 'li_'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: (line?.amount ?? 0) - net,
    amount_subtotal: line?.amount ?? 0,
    amount_tax: tax,
    amount_total: net + tax,
    currency: item.price.currency,
    description: line?.description ?? null,
    metadata: {},
    price: item.price,
    quantity: item.quantity ?? 1,
  }
}

/** The customer as a session shows them. */
export function describeCustomer(account: Account, customer: Stripe.Customer): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: customer.address ?? null,
    business_name: customer.business_name || null,
    email: customer.email,
    individual_name: customer.individual_name || null,
    name: customer.name ?? null,
    phone: customer.phone ?? null,
    tax_exempt: customer.tax_exempt ?? 'none',
    tax_ids: account.tables.taxIds
      .list((each) => each.customer === customer.id)
      .map(({ type, value }) => ({ type, value })),
  }
}

export function expireCheckoutSession(account: Account, id: string): Stripe.Checkout.Session {
  const session = account.tables.checkoutSessions.get(id, 'session')
  if (session.status !== 'open')
    throw refuse(
      'Only Checkout Sessions with a status in ["open"] can be expired.',
      undefined,
      'checkout_session_not_open',
    )
  expireSession(account, session)
  return session
}

/** The customer enters a promotion code. @throws StripeRefusal for codes that cannot be redeemed */
export function applyPromotionCode(account: Account, session: Stripe.Checkout.Session, text: string): void {
  const state = states.get(session)
  const code = findPromotionCode(account, text)
  if (!state || !code || !session.allow_promotion_codes) throw refuse('This code is invalid.')
  const before = state.discounts
  state.discounts = [{ promotion_code: code.id }]
  try {
    priceSession(account, session)
  } catch (error) {
    state.discounts = before
    throw error
  }
}

/* Checkout sessions for subscriptions (https://docs.stripe.com/api/checkout/sessions), and how a customer completes one. */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, snapshotOf } from './account.ts'
import { expireSession } from './billing-cycle.ts'
import { createBlankSubscription } from './blank-subscription.ts'
import { decideOutcome, type TestCard } from './cards.ts'
import { createCustomer, createTaxId, readAddress } from './customers.ts'
import { findPromotionCode } from './discounts.ts'
import { netOf, sum, sumLines } from './invoice-lines.ts'
import { attemptPayment, finalizeInvoice } from './invoices.ts'
import { addPaymentMethod, attachPaymentMethod } from './payment-methods.ts'
import { notImplemented, refuse } from './refusal.ts'
import { createPeriodLine } from './subscription-items.ts'
import { addFirstInvoice, addSubscription, readDiscounts, readNewItems } from './subscriptions.ts'

const daySeconds = 86_400

type SessionParams = Stripe.Checkout.SessionCreateParams

/** What the double keeps of a session beside the resource. */
interface SessionState {
  readonly params: SessionParams
  discounts: NonNullable<SessionParams['discounts']>
}
const states = new WeakMap<Stripe.Checkout.Session, SessionState>()

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
function priceSession(account: Account, session: Stripe.Checkout.Session): void {
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

function readLineItem(
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

function describeCustomer(account: Account, customer: Stripe.Customer): Stripe.Checkout.Session.CustomerDetails {
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

function createBlankSession(id: string, now: number): Stripe.Checkout.Session {
  return {
    id,
    object: 'checkout.session',
    adaptive_pricing: null,
    after_expiration: null,
    allow_promotion_codes: null,
    allowed_payment_method_types: null,
    amount_subtotal: null,
    amount_total: null,
    automatic_tax: { enabled: false, liability: null, provider: null, status: null },
    billing_address_collection: null,
    cancel_url: null,
    client_reference_id: null,
    client_secret: null,
    collected_information: null,
    consent: null,
    consent_collection: null,
    created: now,
    currency: null,
    currency_conversion: null,
    custom_fields: [],
    custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
    customer: null,
    customer_account: null,
    customer_creation: null,
    customer_details: null,
    customer_email: null,
    discounts: [],
    expires_at: now,
    integration_identifier: null,
    invoice: null,
    invoice_creation: null,
    livemode: false,
    locale: null,
    managed_payments: null,
    metadata: {},
    mode: 'subscription',
    origin_context: null,
    payment_intent: null,
    payment_link: null,
    payment_method_collection: 'always',
    payment_method_configuration_details: null,
    payment_method_options: { card: { request_three_d_secure: 'automatic' } },
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    permissions: null,
    phone_number_collection: { enabled: false },
    recovered_from: null,
    saved_payment_method_options: null,
    setup_intent: null,
    shipping_address_collection: null,
    shipping_cost: null,
    shipping_options: [],
    status: 'open',
    submit_type: null,
    subscription: null,
    success_url: null,
    total_details: null,
    ui_mode: null,
    url: null,
    wallet_options: null,
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

/** What the customer enters. */
export interface CheckoutEntry {
  readonly card: TestCard
  readonly email: string
  readonly name: string
  readonly address: Stripe.AddressParam
  readonly taxId: string
  /** The customer completed 3-D Secure. */
  readonly isAuthenticated: boolean
}

/**
 * The customer submits the page. Nothing is created before the card can be charged.
 * @throws StripeRefusal with a message for the customer
 */
export function completeCheckout(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
): 'complete' | 'requires_action' {
  const state = states.get(session)
  if (session.status !== 'open' || !state) throw refuse('This checkout session has ended.')
  checkEntry(session, entry)
  const isFree = session.amount_total === 0
  const { card } = entry
  const outcome = decideOutcome(card, entry.isAuthenticated)
  // A card that is only saved is charged later.
  if (outcome.kind === 'declined' && (!isFree || card.refusesSetup)) throw refuse(outcome.message)
  if (outcome.kind === 'requires_action') return 'requires_action'
  const customer = identifyCustomer(account, session, entry, state.params)
  const method = addPaymentMethod(account, card, {
    billing: {
      address: customer.address ?? null,
      email: entry.email || null,
      name: entry.name || null,
      phone: null,
      tax_id: null,
    },
  })
  attachPaymentMethod(account, method.id, customer.id)
  const cardState = account.cards.get(method.id)
  if (cardState) cardState.isSetUp = entry.isAuthenticated
  subscribe(account, session, { customer, method: method.id, isAuthenticated: entry.isAuthenticated, state })
  return 'complete'
}

function checkEntry(session: Stripe.Checkout.Session, { email, address, taxId }: CheckoutEntry): void {
  if (session.customer === null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw refuse('Enter an email address.')
  const needsAddress = session.billing_address_collection === 'required' || session.automatic_tax.enabled
  const hasCustomerAddress = session.customer_details?.address?.country !== undefined
  if (needsAddress && !address.country && !hasCustomerAddress) throw refuse('Select a country.')
  if (session.tax_id_collection?.required === 'if_supported' && taxId === '') throw refuse('Enter a tax ID.')
}

function identifyCustomer(
  account: Account,
  session: Stripe.Checkout.Session,
  entry: CheckoutEntry,
  params: SessionParams,
): Stripe.Customer {
  const customer =
    session.customer === null
      ? createCustomer(account, {
          email: entry.email,
          ...(entry.name !== '' && { name: entry.name }),
          ...(entry.address.country && { address: entry.address }),
        })
      : account.getCustomer(session.customer)
  const before = snapshotOf(customer)
  if (entry.address.country && (session.customer === null || params.customer_update?.address === 'auto'))
    customer.address = readAddress(entry.address)
  if (entry.name !== '' && params.customer_update?.name === 'auto') customer.name = entry.name
  if (entry.taxId !== '' && session.tax_id_collection?.enabled) {
    const type = entry.taxId.startsWith('GB') ? 'gb_vat' : entry.taxId.startsWith('CHE') ? 'ch_vat' : 'eu_vat'
    const isKnown = account.tables.taxIds.list((each) => each.customer === customer.id && each.value === entry.taxId)
    if (isKnown.length === 0) createTaxId(account, customer.id, { type, value: entry.taxId })
  }
  if (JSON.stringify(before) !== JSON.stringify(customer)) account.emit('customer.updated', customer, before)
  session.customer = customer.id
  session.customer_details = describeCustomer(account, customer)
  session.customer_details.email ??= entry.email || null
  return customer
}

interface Subscriber {
  readonly customer: Stripe.Customer
  readonly method: string
  readonly isAuthenticated: boolean
  readonly state: SessionState
}

function subscribe(
  account: Account,
  session: Stripe.Checkout.Session,
  { customer, method, isAuthenticated, state }: Subscriber,
): void {
  const data = state.params.subscription_data
  priceSession(account, session)
  const subscription = addSubscription(
    account,
    {
      customer: customer.id,
      items: (state.params.line_items ?? []).map(readLineItem),
      default_payment_method: method,
      discounts: state.discounts,
      automatic_tax: { enabled: session.automatic_tax.enabled },
      ...(data?.metadata && { metadata: data.metadata }),
      ...(data?.description && { description: data.description }),
      ...(data?.trial_period_days !== undefined && { trial_period_days: data.trial_period_days }),
      ...(data?.trial_end !== undefined && { trial_end: data.trial_end }),
    },
    { checkoutSession: session.id, managedPayments: session.managed_payments?.enabled ?? false },
  )
  const invoice = addFirstInvoice(account, subscription)
  finalizeInvoice(account, invoice)
  if (invoice.status === 'open')
    attemptPayment(account, invoice, { paymentMethod: method, isAuthenticated, isOnSession: true })
  session.status = 'complete'
  session.payment_status = invoice.total === 0 ? 'no_payment_required' : 'paid'
  session.subscription = subscription.id
  session.invoice = invoice.id
  session.url = null
  account.emit('checkout.session.completed', session)
}

/** Where the customer goes afterwards. */
export function findReturnUrl(session: Stripe.Checkout.Session): string | undefined {
  return (session.success_url ?? session.return_url)?.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

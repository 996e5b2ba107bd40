/* How a customer completes a checkout session. */
import type Stripe from 'stripe'
import { type Account, snapshotOf } from './account.ts'
import { decideOutcome, type TestCard } from './cards.ts'
import {
  describeCustomer,
  getSessionState,
  priceSession,
  readLineItem,
  type SessionParams,
  type SessionState,
} from './checkout.ts'
import { createCustomer, createTaxId, readAddress } from './customers.ts'
import { attemptPayment, finalizeInvoice } from './invoices.ts'
import { addPaymentMethod, attachPaymentMethod } from './payment-methods.ts'
import { refuse } from './refusal.ts'
import { addFirstInvoice, addSubscription } from './subscriptions.ts'

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
  const state = getSessionState(session)
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

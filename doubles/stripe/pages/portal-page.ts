/* The customer portal: card, cancellation, reactivation and invoices. */
import type Stripe from 'stripe'
import { type Account, idOf, snapshotOf } from '../account.ts'
import type { TestCard } from '../cards.ts'
import { addPaymentMethod, attachPaymentMethod } from '../payment-methods.ts'
import { refuse } from '../refusal.ts'
import { updateSubscription } from '../subscription-changes.ts'
import { renderAuthentication } from './authentication-page.ts'
import { formatAmount, formatDay, type Html, html, renderCardFields, renderError, renderPage } from './html.ts'
import { type PageReply, type PageRequest, readCard, readRefusal } from './page.ts'

const feedbacks = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
]

/** Cards that wait for 3-D Secure, by session. */
const waiting = new WeakMap<Stripe.BillingPortal.Session, TestCard>()

export function answerPortal({ account, id, form, path }: PageRequest): PageReply {
  const session = account.tables.portalSessions.find(id)
  if (!session) return { status: 404, html: renderPage('Portal session not found', html``) }
  if (!form) return { status: 200, html: renderPortal(account, session, path) }
  try {
    const reply = act(account, session, form, path)
    if (reply) return reply
  } catch (error) {
    return { status: 402, html: renderPortal(account, session, path, readRefusal(error)) }
  }
  return { location: session.flow?.after_completion.redirect?.return_url ?? path }
}

function act(
  account: Account,
  session: Stripe.BillingPortal.Session,
  form: URLSearchParams,
  path: string,
): PageReply | undefined {
  if (form.has('authentication')) {
    const card = waiting.get(session)
    if (!card || form.get('authentication') !== 'complete')
      throw refuse(
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
      )
    saveCard(account, session.customer, card)
    return undefined
  }
  const action = form.get('action')
  if (action === 'card') {
    const card = readCard(account, form)
    if (card.authentication === undefined) saveCard(account, session.customer, card)
    else {
      waiting.set(session, card)
      return { status: 200, html: renderAuthentication(path) }
    }
    return undefined
  }
  const subscription = account.tables.subscriptions.get(form.get('subscription') ?? '')
  if (idOf(subscription.customer) !== session.customer) throw refuse('Subscription not found.')
  const feedback = form.get('feedback') ?? ''
  updateSubscription(account, subscription.id, {
    cancel_at_period_end: action === 'cancel',
    ...(feedbacks.includes(feedback) && { cancellation_details: { feedback } }),
  })
  return undefined
}

/** The new default of the customer and of their subscriptions. */
function saveCard(account: Account, customerId: string, card: TestCard): void {
  const method = addPaymentMethod(account, card)
  attachPaymentMethod(account, method.id, customerId)
  const state = account.cards.get(method.id)
  if (state) state.isSetUp = true
  const customer = account.getCustomer(customerId)
  const before = snapshotOf(customer)
  customer.invoice_settings.default_payment_method = method.id
  account.emit('customer.updated', customer, before)
  for (const subscription of listCurrent(account, customerId))
    if (subscription.default_payment_method !== null)
      updateSubscription(account, subscription.id, { default_payment_method: method.id })
}

function listCurrent(account: Account, customerId: string): Stripe.Subscription[] {
  return account.tables.subscriptions.list(
    ({ customer, status }) => idOf(customer) === customerId && status !== 'canceled' && status !== 'incomplete_expired',
  )
}

function renderPortal(account: Account, session: Stripe.BillingPortal.Session, path: string, error?: string): string {
  const customer = account.getCustomer(session.customer)
  const subscriptions = listCurrent(account, customer.id)
  const shown = subscriptions.map((subscription) => renderSubscription(account, subscription, path))
  const invoices = account.tables.invoices
    .list((each) => idOf(each.customer) === customer.id && each.status !== 'draft')
    .map(renderInvoiceRow)
  const back = session.return_url ? html`<p><a href="${session.return_url}">Return to the website</a></p>` : undefined
  return renderPage(
    'Billing',
    html`${back}${renderError(error)}
      <h2>Current subscription</h2>${shown.length > 0 ? shown : html`<p>No active subscription.</p>`}
      <h2>Payment method</h2>${renderCard(account, customer, subscriptions[0])}
      <form method="post" action="${path}">${renderCardFields()}<button name="action" value="card">Save card</button></form>
      <h2>Invoices</h2>${invoices.length > 0 ? html`<table>${invoices}</table>` : html`<p>No invoices yet.</p>`}`,
  )
}

function renderSubscription(account: Account, subscription: Stripe.Subscription, path: string): Html {
  const [item] = subscription.items.data
  const name = account.tables.products.find(idOf(item?.price.product))?.name ?? 'Subscription'
  const day = formatDay(item?.current_period_end ?? 0)
  const hidden = html`<input type="hidden" name="subscription" value="${subscription.id}">`
  const options = feedbacks.map(
    (feedback) => html`<option value="${feedback}">${feedback.replaceAll('_', ' ')}</option>`,
  )
  if (subscription.cancel_at_period_end)
    return html`<p>${name}: ends on ${day}</p><form method="post" action="${path}">${hidden}<button name="action" value="reactivate">Don’t cancel subscription</button></form>`
  return html`<p>${name}: ${subscription.status}, renews on ${day}</p><form method="post" action="${path}">${hidden}<label>Reason for cancelling <select name="feedback"><option value="">No reason</option>${options}</select></label><button name="action" value="cancel">Cancel subscription</button></form>`
}

function renderCard(account: Account, customer: Stripe.Customer, subscription: Stripe.Subscription | undefined): Html {
  const id = idOf(subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method)
  const card = account.tables.paymentMethods.find(id)?.card
  return card ? html`<p>${card.brand} •••• ${card.last4}</p>` : html`<p>No card saved.</p>`
}

function renderInvoiceRow(invoice: Stripe.Invoice): Html {
  return html`<tr><td><a href="${invoice.hosted_invoice_url ?? ''}">${formatDay(invoice.created)}</a> ${invoice.status ?? ''}</td><td>${formatAmount(invoice.total, invoice.currency)}</td></tr>`
}

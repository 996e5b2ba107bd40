/* The page of a checkout session, hosted or embedded in the product. */
import type Stripe from 'stripe'
import type { Account } from '../account.ts'
import { applyPromotionCode } from '../checkout.ts'
import { type CheckoutEntry, completeCheckout, findReturnUrl } from '../checkout-completion.ts'
import { renderAuthentication } from './authentication-page.ts'
import { formatAmount, html, renderCardFields, renderError, renderPage } from './html.ts'
import { type PageReply, type PageRequest, readCard, readRefusal } from './page.ts'

const countries = ['AT', 'CH', 'DE', 'ES', 'FR', 'GB', 'IE', 'IT', 'NL', 'US']

/** Entries that wait for 3-D Secure, by session. */
const waiting = new WeakMap<Stripe.Checkout.Session, CheckoutEntry>()

export function answerCheckout({ account, id, form, path }: PageRequest): PageReply {
  const session = account.tables.checkoutSessions.find(id)
  if (!session) return { status: 404, html: renderPage('Checkout session not found', html``) }
  if (session.status !== 'open') return { status: 200, html: renderEnded(session) }
  if (!form) return { status: 200, html: renderCheckout(account, session, path) }
  try {
    if (form.get('action') === 'promotion') {
      applyPromotionCode(account, session, form.get('promotion_code') ?? '')
      return { location: path }
    }
    const entry = form.has('authentication') ? readAuthenticated(session, form) : readEntry(account, form)
    if (entry === undefined) {
      const message =
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.'
      return { status: 402, html: renderCheckout(account, session, path, message) }
    }
    if (completeCheckout(account, session, entry) === 'requires_action') {
      waiting.set(session, entry)
      return { status: 200, html: renderAuthentication(path) }
    }
  } catch (error) {
    return { status: 402, html: renderCheckout(account, session, path, readRefusal(error)) }
  }
  const location = findReturnUrl(session)
  return location === undefined ? { status: 200, html: renderEnded(session) } : { location }
}

function readEntry(account: Account, form: URLSearchParams): CheckoutEntry {
  const read = (name: string) => form.get(name)?.trim() ?? ''
  const address: Stripe.AddressParam = {
    ...(read('country') && { country: read('country') }),
    ...(read('line1') && { line1: read('line1') }),
    ...(read('city') && { city: read('city') }),
    ...(read('postal_code') && { postal_code: read('postal_code') }),
  }
  const [email, name, taxId] = [read('email'), read('name'), read('tax_id').replaceAll(' ', '')]
  return { card: readCard(account, form), email, name, address, taxId, isAuthenticated: false }
}

/** Undefined: the customer failed. */
function readAuthenticated(session: Stripe.Checkout.Session, form: URLSearchParams): CheckoutEntry | undefined {
  const entry = waiting.get(session)
  return entry && form.get('authentication') === 'complete' ? { ...entry, isAuthenticated: true } : undefined
}

function renderEnded(session: Stripe.Checkout.Session): string {
  if (session.status === 'expired')
    return renderPage('Checkout session expired', html`<p>This page has expired. Start again from the website.</p>`)
  const back = findReturnUrl(session)
  const link = back === undefined ? undefined : html`<p><a href="${back}">Return to the website</a></p>`
  return renderPage('You’re all done here', html`<p>Your payment has already been processed.</p>${link}`)
}

function renderCheckout(account: Account, session: Stripe.Checkout.Session, path: string, error?: string): string {
  const currency = session.currency ?? 'usd'
  const rows = (account.lineItems.get(session.id) ?? []).map(
    (line) => html`<tr><td>${line.description ?? ''}</td><td>${formatAmount(line.amount_subtotal, currency)}</td></tr>`,
  )
  const { amount_discount: discount = 0, amount_tax: tax = 0 } = session.total_details ?? {}
  const sums = [
    ...(discount > 0 ? [html`<tr><td>Discount</td><td>−${formatAmount(discount, currency)}</td></tr>`] : []),
    ...(tax > 0 ? [html`<tr><td>Tax</td><td>${formatAmount(tax, currency)}</td></tr>`] : []),
  ]
  const cancel = session.cancel_url ? html`<p><a href="${session.cancel_url}">Back to the website</a></p>` : undefined
  return renderPage(
    'Subscribe',
    html`${cancel}${renderError(error)}
      <table>${rows}${sums}<tr><td><strong>Total due today</strong></td><td><strong>${formatAmount(session.amount_total ?? 0, currency)}</strong></td></tr></table>
      ${session.allow_promotion_codes ? renderPromotionForm(path) : undefined}
      ${renderPaymentForm(session, path)}`,
  )
}

function renderPromotionForm(path: string) {
  return html`<form method="post" action="${path}">
    <label>Promotion code <input name="promotion_code" autocomplete="off"></label>
    <button name="action" value="promotion">Apply</button>
  </form>`
}

function renderPaymentForm(session: Stripe.Checkout.Session, path: string) {
  const email = session.customer_details?.email ?? session.customer_email
  const needsAddress = session.billing_address_collection === 'required' || session.automatic_tax.enabled
  const options = countries.map((country) => html`<option>${country}</option>`)
  const address = html`
    <label>Country <select name="country" autocomplete="country"><option value="">Select a country</option>${options}</select></label>
    <label>Address <input name="line1" autocomplete="address-line1"></label>
    <label>Postal code <input name="postal_code" autocomplete="postal-code"></label>
    <label>City <input name="city" autocomplete="address-level2"></label>`
  // The product embeds the page in a frame, and the customer returns in the whole window.
  const target = session.ui_mode === 'hosted_page' ? '_self' : '_top'
  return html`<form method="post" action="${path}" target="${target}">
    <h2>Contact information</h2>
    ${email ? html`<p>${email}</p>` : html`<label>Email <input name="email" type="email" autocomplete="email" required></label>`}
    <h2>Payment method</h2>
    ${renderCardFields()}
    <label>Cardholder name <input name="name" autocomplete="cc-name"></label>
    ${needsAddress ? address : undefined}
    ${session.tax_id_collection?.enabled ? html`<label>Tax ID (businesses only) <input name="tax_id" autocomplete="off"></label>` : undefined}
    <button name="action" value="pay">Subscribe</button>
    <p class="hint">Test cards: 4242 4242 4242 4242 succeeds, 4000 0000 0000 0002 is declined, 4000 0025 0000 3155 asks for 3D Secure.</p>
  </form>`
}

import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectStripe, createPlans } from './connect-stripe.ts'
import { type StripeDouble, startStripeDouble } from './stripe.ts'

let double: StripeDouble
let stripe: Stripe
let plans: Awaited<ReturnType<typeof createPlans>>

beforeAll(async () => {
  double = await startStripeDouble({ tax: { country: 'DE', percents: { DE: 19, FR: 20 } } })
  stripe = connectStripe(double)
  plans = await createPlans(stripe)
})
afterAll(() => double.stop())

const card = (number: string) => ({ card: number, expiry: '12 / 34', cvc: '123' })
const good = card('4242 4242 4242 4242')

/** What a browser shows or does after a form was sent. */
async function submit(url: string | null, form: Record<string, string>) {
  const response = await fetch(url ?? '', { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })
  const text = await response.text()
  const [, alert = ''] = /role="alert">([^<]*)</.exec(text) ?? []
  return { status: response.status, location: response.headers.get('location'), alert, text }
}

const open = (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
  stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: plans.monthly, quantity: 1 }],
    success_url: 'https://app.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://app.test/plans',
    client_reference_id: 'organization-1',
    adaptive_pricing: { enabled: false },
    ...more,
  })

async function subscribe(number = '4242 4242 4242 4242') {
  const customer = await stripe.customers.create({ email: 'ada@example.com' })
  const session = await open({ customer: customer.id })
  const reply = await submit(session.url, card(number))
  if (reply.location === null) await submit(session.url, { authentication: 'complete' })
  const done = await stripe.checkout.sessions.retrieve(session.id)
  return { customer: customer.id, session: session.id, subscription: done.subscription as string }
}

const openPortal = (customer: string, more = {}) =>
  stripe.billingPortal.sessions.create({ customer, return_url: 'https://app.test/billing', ...more })

describe('the checkout page', () => {
  it('subscribes a new customer, and returns to the website', async () => {
    const session = await open()
    expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', ui_mode: 'hosted_page' })
    const page = await (await fetch(session.url ?? '')).text()
    expect(page).toContain('href="https://app.test/plans"')
    expect(page).toContain('$19.00')
    const reply = await submit(session.url, { ...good, email: 'grace@example.com', name: 'Grace Hopper' })
    expect(reply.location).toBe(`https://app.test/done?session=${session.id}`)
    const done = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice', 'customer', 'line_items'],
    })
    expect(done).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      amount_total: 1900,
      url: null,
      client_reference_id: 'organization-1',
      customer: { email: 'grace@example.com' },
      subscription: { status: 'active', latest_invoice: { status: 'paid', total: 1900 } },
    })
    expect(done.line_items?.data[0]).toMatchObject({ quantity: 1, amount_total: 1900 })
    expect((await submit(session.url, good)).text).toContain('already been processed')
    const types = (await stripe.events.list({ limit: 13 })).data.map(({ type }) => type).reverse()
    expect(types).toEqual([
      'customer.created',
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice_payment.paid',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'checkout.session.completed',
    ])
  })

  it.each([
    ['4000 0000 0000 0002', 'Your card was declined.'],
    ['4000 0000 0000 9995', 'Your card has insufficient funds.'],
    ['4000 0000 0000 0341', 'Your card was declined.'],
    ['4111 1111 1111 1111', 'Your card number is invalid. Only test cards are accepted here.'],
  ])('creates no subscription with %s', async (number, message) => {
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    const session = await open({ customer: customer.id })
    const reply = await submit(session.url, card(number))
    expect(reply).toMatchObject({ status: 402, alert: message })
    expect((await stripe.subscriptions.list({ customer: customer.id, status: 'all' })).data).toEqual([])
    expect((await submit(session.url, good)).location).toContain('https://app.test/done')
  })

  it.each(['4000 0025 0000 3155', '4000 0027 6000 3184'])('asks for 3-D Secure with %s', async (number) => {
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    const session = await open({ customer: customer.id })
    expect((await submit(session.url, card(number))).text).toContain('value="complete"')
    const failed = await submit(session.url, { authentication: 'fail' })
    expect(failed.alert).toContain('unable to authenticate')
    await submit(session.url, card(number))
    expect((await submit(session.url, { authentication: 'complete' })).location).toContain('https://app.test/done')
    const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data
    expect(subscription?.status).toBe('active')
  })

  it('applies a promotion code', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'forever' })
    await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id }, code: 'HALF' })
    const session = await open({ allow_promotion_codes: true })
    expect((await submit(session.url, { action: 'promotion', promotion_code: 'NONE' })).alert).toBe(
      'This code is invalid.',
    )
    await submit(session.url, { action: 'promotion', promotion_code: 'half' })
    expect((await stripe.checkout.sessions.retrieve(session.id)).amount_total).toBe(950)
    await submit(session.url, { ...good, email: 'ada@example.com' })
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription.discounts', 'invoice'] })
    expect((done.invoice as Stripe.Invoice).total).toBe(950)
    expect((done.subscription as Stripe.Subscription).discounts[0]).toMatchObject({ source: { coupon: coupon.id } })
  })

  it('collects address and tax id, and reverses the charge', async () => {
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    const session = await open({
      customer: customer.id,
      customer_update: { address: 'auto', name: 'auto' },
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      billing_address_collection: 'required',
    })
    expect((await submit(session.url, good)).alert).toBe('Select a country.')
    await submit(session.url, { ...good, name: 'Acme SARL', country: 'FR', tax_id: 'FR12345678901' })
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice', 'customer'] })
    expect(done).toMatchObject({
      amount_total: 1900,
      total_details: { amount_tax: 0 },
      customer: { name: 'Acme SARL', address: { country: 'FR' } },
      invoice: { customer_tax_ids: [{ type: 'eu_vat', value: 'FR12345678901' }] },
    })
  })

  it('expires', async () => {
    const session = await open()
    expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired')
    expect((await submit(session.url, good)).text).toContain('expired')
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('can be expired')
  })

  it('is embedded by its client secret', async () => {
    const session = await open({ ui_mode: 'embedded_page', return_url: 'https://app.test/done' }).catch(String)
    expect(session).toContain('success_url')
    const embedded = await stripe.checkout.sessions.create({
      mode: 'subscription',
      ui_mode: 'embedded_page',
      line_items: [{ price: plans.monthly, quantity: 1 }],
      return_url: 'https://app.test/done?session={CHECKOUT_SESSION_ID}',
      managed_payments: { enabled: true },
    })
    expect(embedded.url).toBeNull()
    const script = await fetch(`${double.url}/dahlia/stripe.js`)
    expect(script.headers.get('content-type')).toBe('text/javascript')
    expect(await script.text()).toContain(`${double.url}/embedded/`)
    const page = await fetch(`${double.url}/embedded/${embedded.client_secret}`)
    expect(await page.text()).toContain('target="_top"')
    const reply = await submit(page.url, { ...good, email: 'ada@example.com' })
    expect(reply.location).toBe(`https://app.test/done?session=${embedded.id}`)
    const done = await stripe.checkout.sessions.retrieve(embedded.id, { expand: ['subscription'] })
    expect((done.subscription as Stripe.Subscription).managed_payments).toEqual({ enabled: true })
  })
})

describe('the customer portal', () => {
  it('cancels at the end of the period, and reactivates', async () => {
    const { customer, subscription } = await subscribe()
    const { url } = await openPortal(customer)
    const page = await (await fetch(url)).text()
    expect(page).toContain('visa •••• 4242')
    expect(page).toContain('href="https://app.test/billing"')
    await submit(url, { action: 'cancel', subscription, feedback: 'unused' })
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      cancel_at_period_end: true,
      cancellation_details: { feedback: 'unused', reason: 'cancellation_requested' },
    })
    await submit(url, { action: 'reactivate', subscription })
    expect((await stripe.subscriptions.retrieve(subscription)).cancel_at_period_end).toBe(false)
  })

  it('replaces the card, after 3-D Secure where the bank asks', async () => {
    const { customer, subscription } = await subscribe()
    const { url } = await openPortal(customer)
    expect((await submit(url, { action: 'card', ...card('4000 0000 0000 0002') })).alert).toBe(
      'Your card was declined.',
    )
    expect((await submit(url, { action: 'card', ...card('4000 0027 6000 3184') })).text).toContain('value="complete"')
    await submit(url, { authentication: 'complete' })
    const { default_payment_method: method } = await stripe.subscriptions.retrieve(subscription, {
      expand: ['default_payment_method'],
    })
    expect((method as Stripe.PaymentMethod).card?.last4).toBe('3184')
  })

  it('returns to the website after a flow', async () => {
    const { customer, subscription } = await subscribe()
    const after_completion = { type: 'redirect' as const, redirect: { return_url: 'https://app.test/cancelled' } }
    const flow_data = { type: 'subscription_cancel' as const, subscription_cancel: { subscription }, after_completion }
    const { url } = await openPortal(customer, { flow_data })
    expect((await submit(url, { action: 'cancel', subscription })).location).toBe('https://app.test/cancelled')
  })

  it('shows nothing of other customers', async () => {
    const [one, other] = [await subscribe(), await subscribe()]
    const { url } = await openPortal(one.customer)
    const reply = await submit(url, { action: 'cancel', subscription: other.subscription })
    expect(reply.alert).toBe('Subscription not found.')
    expect((await stripe.subscriptions.retrieve(other.subscription)).cancel_at_period_end).toBe(false)
  })
})

describe('the invoice page', () => {
  it('pays an open invoice with 3-D Secure, after the time of the whole account has passed', async () => {
    const { customer, subscription } = await subscribe()
    const { url } = await openPortal(customer)
    await submit(url, { action: 'card', ...card('4000 0000 0000 0341') })
    double.advance(32 * 86_400)
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('past_due')
    const [invoice] = (await stripe.invoices.list({ customer, status: 'open' })).data
    const page = invoice?.hosted_invoice_url ?? ''
    expect((await submit(page, card('4000 0000 0000 9995'))).alert).toBe('Your card has insufficient funds.')
    const challenge = await submit(page, card('4000 0027 6000 3184'))
    const bank = new URL(challenge.location ?? '', double.url).href
    expect(await (await fetch(bank)).text()).toContain('3D Secure')
    expect((await submit(bank, { authentication: 'fail' })).location).toBe(page)
    const again = await submit(page, card('4000 0027 6000 3184'))
    await submit(new URL(again.location ?? '', double.url).href, { authentication: 'complete' })
    expect((await stripe.invoices.retrieve(invoice?.id ?? '')).status).toBe('paid')
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active')
    const pdf = await fetch(invoice?.invoice_pdf ?? '')
    expect(pdf.headers.get('content-type')).toBe('application/pdf')
    expect(await pdf.text()).toMatch(/^%PDF-1\.4[\s\S]*%%EOF$/)
  })

  it('saves a card in a trial that cannot be charged after it', async () => {
    const customer = await stripe.customers.create({ email: 'ada@example.com' })
    const session = await open({ customer: customer.id, subscription_data: { trial_period_days: 7 } })
    expect((await submit(session.url, card('4000 0000 0000 0341'))).location).toContain('https://app.test/done')
    const done = await stripe.checkout.sessions.retrieve(session.id, { expand: ['subscription'] })
    expect(done).toMatchObject({ payment_status: 'no_payment_required', subscription: { status: 'trialing' } })
    double.advance(8 * 86_400)
    const [subscription] = (await stripe.subscriptions.list({ customer: customer.id })).data
    expect(subscription?.status).toBe('past_due')
  })

  it('answers unknown addresses with 404', async () => {
    for (const path of ['/', '/i/acct_1/in_1', '/p/session/acct_1/bps_1', '/3ds/pi_1', '/embedded/cs_1'])
      expect((await fetch(`${double.url}${path}`)).status).toBe(404)
  })
})

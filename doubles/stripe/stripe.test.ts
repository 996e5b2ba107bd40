import type Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectStripe, createCustomerOnClock, createPlans, january } from './connect-stripe.ts'
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

async function subscribe(card?: string, price = plans.monthly) {
  const on = await createCustomerOnClock(stripe, card)
  const subscription = await stripe.subscriptions.create({ customer: on.customer, items: [{ price }] })
  return { ...on, id: subscription.id, item: subscription.items.data[0]?.id ?? '', subscription }
}

async function listInvoices(customer: string) {
  const invoices = await stripe.invoices.list({ customer })
  return invoices.data.map(({ billing_reason: reason, total, status }) => [reason, total, status])
}

async function saveCard(customer: string, token: string) {
  const method = await stripe.paymentMethods.attach(token, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } })
  return method.id
}

async function listEvents(customer: string): Promise<string[]> {
  const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 1000 })
  const isOwn = ({ data: { object } }: Stripe.Event) => 'customer' in object && object.customer === customer
  return events
    .filter(isOwn)
    .map(({ type }) => type)
    .reverse()
}

const pay = (url: string, form: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

describe('the life of a subscription', () => {
  it('goes from subscribing to a refund', async () => {
    const { customer, id, item, subscription, advanceTo } = await subscribe()
    expect(subscription).toMatchObject({ status: 'active', currency: 'usd', cancel_at_period_end: false })
    expect(subscription.items.data[0]?.current_period_end).toBe(Date.UTC(2026, 1, 1) / 1000)

    await advanceTo(15)
    const change = {
      items: [{ id: item, price: plans.larger }],
      proration_behavior: 'always_invoice' as const,
      proration_date: january + 15 * 86_400,
    }
    const preview = await stripe.invoices.createPreview({ subscription: id, subscription_details: change })
    // 16 of 31 days of 1900 and of 4900.
    expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-981, 2529])
    const upgraded = await stripe.subscriptions.update(id, { ...change, expand: ['latest_invoice'] })
    const invoice = upgraded.latest_invoice as Stripe.Invoice
    expect(invoice).toMatchObject({ total: preview.total, status: 'paid', billing_reason: 'subscription_update' })
    expect(invoice.lines.data.map(({ amount }) => amount)).toEqual([-981, 2529])

    const always = await saveCard(customer, 'pm_card_authenticationRequired')
    await advanceTo(31 + 1)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('past_due')
    const [renewal] = (await stripe.invoices.list({ customer, expand: ['data.payments'] })).data
    expect(renewal).toMatchObject({ status: 'open', total: 4900, attempt_count: 1 })
    const intentId = renewal?.payments?.data[0]?.payment.payment_intent as string
    const intent = await stripe.paymentIntents.retrieve(intentId)
    expect(intent).toMatchObject({ status: 'requires_action', payment_method: always })
    const page = await pay(intent.next_action?.redirect_to_url?.url ?? '', { authentication: 'complete' })
    expect(page.headers.get('location')).toBe(renewal?.hosted_invoice_url)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')

    await stripe.subscriptions.update(id, {
      cancel_at_period_end: true,
      cancellation_details: { feedback: 'too_expensive' },
    })
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      cancel_at_period_end: true,
      cancel_at: Date.UTC(2026, 2, 1) / 1000,
      cancellation_details: { feedback: 'too_expensive', reason: 'cancellation_requested' },
    })
    const reactivated = await stripe.subscriptions.update(id, { cancel_at_period_end: false })
    expect(reactivated).toMatchObject({ cancel_at: null, canceled_at: null, status: 'active' })
    expect((await stripe.subscriptions.cancel(id)).status).toBe('canceled')

    const note = await stripe.creditNotes.create({
      invoice: renewal?.id ?? '',
      refund_amount: 4900,
      reason: 'order_change',
    })
    expect(note).toMatchObject({ total: 4900, status: 'issued', refunds: [{ amount_refunded: 4900 }] })
    const charge = await stripe.charges.retrieve(
      (await stripe.paymentIntents.retrieve(intentId)).latest_charge as string,
    )
    expect(charge).toMatchObject({ amount_refunded: 4900, refunded: true })
    expect(await listEvents(customer)).toEqual([
      'payment_method.attached',
      'customer.subscription.created',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'invoice.created',
      'payment_intent.created',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'payment_method.attached',
      'invoice.upcoming',
      'invoice.created',
      'customer.subscription.updated',
      'payment_intent.created',
      'invoice.finalized',
      'payment_intent.requires_action',
      'customer.subscription.updated',
      'invoice.payment_failed',
      'invoice.payment_action_required',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'customer.subscription.updated',
      'customer.subscription.updated',
      'customer.subscription.updated',
      'customer.subscription.deleted',
      'refund.created',
      'charge.refunded',
      'refund.updated',
      'credit_note.created',
      'invoice.updated',
    ])
  })

  it('retries a declined renewal after 3, 5 and 7 days, then cancels', async () => {
    const { customer, id, advanceTo } = await subscribe()
    await saveCard(customer, 'pm_card_chargeCustomerFail')
    await advanceTo(32)
    const status = async () => (await stripe.subscriptions.retrieve(id)).status
    const attempts = async () => (await stripe.invoices.list({ customer })).data[0]?.attempt_count
    expect([await status(), await attempts()]).toEqual(['past_due', 1])
    await advanceTo(35)
    expect([await status(), await attempts()]).toEqual(['past_due', 2])
    await advanceTo(40)
    expect([await status(), await attempts()]).toEqual(['past_due', 3])
    await advanceTo(47)
    expect([await status(), await attempts()]).toEqual(['canceled', 4])
    expect((await stripe.subscriptions.retrieve(id)).cancellation_details?.reason).toBe('payment_failed')
  })

  it('recovers when a retry finds a better card', async () => {
    const { customer, id, advanceTo } = await subscribe()
    await saveCard(customer, 'pm_card_chargeCustomerFail')
    await advanceTo(32)
    await saveCard(customer, 'pm_card_visa')
    await advanceTo(36)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(await listInvoices(customer)).toEqual([
      ['subscription_cycle', 1900, 'paid'],
      ['subscription_create', 1900, 'paid'],
    ])
  })

  it('renews without the customer a card that was authenticated once', async () => {
    const on = await createCustomerOnClock(stripe, 'pm_card_authenticationRequiredOnSetup')
    const { latest_invoice: first, status } = await stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: plans.monthly }],
      expand: ['latest_invoice.payments.data.payment.payment_intent'],
    })
    expect(status).toBe('incomplete')
    const intent = (first as Stripe.Invoice).payments?.data[0]?.payment.payment_intent as Stripe.PaymentIntent
    await pay(intent.next_action?.redirect_to_url?.url ?? '', { authentication: 'complete' })
    await on.advanceTo(32)
    expect(await listInvoices(on.customer)).toEqual([
      ['subscription_cycle', 1900, 'paid'],
      ['subscription_create', 1900, 'paid'],
    ])
  })

  it('cancels at the end of the period', async () => {
    const { customer, id, advanceTo } = await subscribe()
    await stripe.subscriptions.update(id, { cancel_at_period_end: true })
    await advanceTo(32)
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      status: 'canceled',
      ended_at: Date.UTC(2026, 1, 1) / 1000,
    })
    expect(await listInvoices(customer)).toHaveLength(1)
    expect(await listEvents(customer)).toContain('customer.subscription.deleted')
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([])
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1)
  })

  it('expires an unpaid first invoice after 23 hours', async () => {
    const { id, advanceTo, subscription } = await subscribe('pm_card_chargeCustomerFail')
    expect(subscription.status).toBe('incomplete')
    await advanceTo(1)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('incomplete_expired')
  })

  it('bills after a trial, and warns three days before its end', async () => {
    const on = await createCustomerOnClock(stripe)
    const { id, status } = await stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: plans.monthly }],
      trial_period_days: 14,
    })
    expect(status).toBe('trialing')
    await on.advanceTo(12)
    expect(await listEvents(on.customer)).toContain('customer.subscription.trial_will_end')
    await on.advanceTo(15)
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
    expect(await listInvoices(on.customer)).toEqual([
      ['subscription_cycle', 1900, 'paid'],
      ['subscription_create', 0, 'paid'],
    ])
  })

  it('bills monthly prices on the last day of short months', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Date.UTC(2026, 0, 31) / 1000 })
    const customer = await stripe.customers.create({ test_clock: clock.id, payment_method: 'pm_card_visa' })
    const [method] = (await stripe.customers.listPaymentMethods(customer.id)).data
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: plans.monthly }],
      default_payment_method: method?.id ?? '',
    })
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: Date.UTC(2026, 2, 1) / 1000 })
    const [item] = (await stripe.subscriptions.retrieve(id)).items.data
    expect([item?.current_period_start, item?.current_period_end]).toEqual([
      Date.UTC(2026, 1, 28) / 1000,
      Date.UTC(2026, 2, 31) / 1000,
    ])
  })
})

describe('changes of a subscription', () => {
  it('credits a downgrade to the balance, which pays the next invoices', async () => {
    const { customer, id, item, advanceTo } = await subscribe(undefined, plans.larger)
    await advanceTo(15)
    const items = [{ id: item, price: plans.monthly }]
    await stripe.subscriptions.update(id, { items, proration_behavior: 'always_invoice' })
    const { balance } = (await stripe.customers.retrieve(customer)) as Stripe.Customer
    expect(balance).toBe(981 - 2529)
    await advanceTo(32)
    const [renewal] = (await stripe.invoices.list({ customer })).data
    expect(renewal).toMatchObject({
      total: 1900,
      amount_due: 1900 + balance,
      starting_balance: balance,
      status: 'paid',
    })
    const transactions = await stripe.customers.listBalanceTransactions(customer)
    expect(transactions.data.map(({ amount }) => amount)).toEqual([-balance, balance])
  })

  it('keeps prorations for the next invoice unless they are billed at once', async () => {
    const { customer, id, item, advanceTo } = await subscribe()
    await advanceTo(15)
    await stripe.subscriptions.update(id, { items: [{ id: item, price: plans.larger }] })
    expect(await listInvoices(customer)).toHaveLength(1)
    const preview = await stripe.invoices.createPreview({ subscription: id })
    expect(preview.total).toBe(-981 + 2529 + 4900)
    await advanceTo(32)
    expect((await listInvoices(customer))[0]).toEqual(['subscription_cycle', preview.total, 'paid'])
  })

  it('adds amounts that are too small to charge to the balance', async () => {
    const recurring = { interval: 'month' as const }
    const { id } = await stripe.prices.create({ product: plans.product, currency: 'usd', unit_amount: 30, recurring })
    const { customer } = await subscribe(undefined, id)
    expect(await listInvoices(customer)).toEqual([['subscription_create', 30, 'paid']])
    expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ balance: 30 })
    expect((await stripe.charges.list({ customer })).data).toEqual([])
  })

  it('starts a new period when a monthly price becomes a yearly one', async () => {
    const { id, item, advanceTo } = await subscribe()
    await advanceTo(15)
    const changed = await stripe.subscriptions.update(id, {
      items: [{ id: item, price: plans.yearly }],
      expand: ['latest_invoice'],
    })
    expect((changed.latest_invoice as Stripe.Invoice).total).toBe(19_000 - 981)
    expect(changed.items.data[0]?.current_period_end).toBe(Date.UTC(2027, 0, 16) / 1000)
  })

  it('changes the price without prorations', async () => {
    const { customer, id, item, advanceTo } = await subscribe()
    await advanceTo(15)
    await stripe.subscriptions.update(id, {
      items: [{ id: item, price: plans.larger }],
      proration_behavior: 'none',
    })
    await advanceTo(32)
    expect(await listInvoices(customer)).toEqual([
      ['subscription_cycle', 4900, 'paid'],
      ['subscription_create', 1900, 'paid'],
    ])
  })

  it('undoes an update whose payment fails with error_if_incomplete', async () => {
    const { customer, id, item } = await subscribe()
    await saveCard(customer, 'pm_card_chargeCustomerFail')
    const before = double.snapshot()
    const update = stripe.subscriptions.update(id, {
      items: [{ id: item, price: plans.yearly }],
      payment_behavior: 'error_if_incomplete',
    })
    await expect(update).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' })
    expect(double.snapshot()).toEqual(before)
  })

  it('applies a pending update once its invoice is paid', async () => {
    const { customer, id, item } = await subscribe()
    await saveCard(customer, 'pm_card_authenticationRequired')
    const pending = await stripe.subscriptions.update(id, {
      items: [{ id: item, price: plans.yearly }],
      payment_behavior: 'pending_if_incomplete',
      expand: ['latest_invoice.payments.data.payment.payment_intent'],
    })
    expect(pending.items.data[0]?.price.id).toBe(plans.monthly)
    expect(pending.pending_update?.subscription_items?.[0]?.price.id).toBe(plans.yearly)
    const payment = (pending.latest_invoice as Stripe.Invoice).payments?.data[0]?.payment
    const intent = payment?.payment_intent as Stripe.PaymentIntent
    await pay(intent.next_action?.redirect_to_url?.url ?? '', { authentication: 'complete' })
    const updated = await stripe.subscriptions.retrieve(id)
    expect([updated.items.data[0]?.price.id, updated.pending_update]).toEqual([plans.yearly, null])
  })
})

describe('discounts and tax', () => {
  it('gives a coupon for one invoice, and counts it', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' })
    const on = await createCustomerOnClock(stripe)
    await stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: plans.monthly }],
      discounts: [{ coupon: coupon.id }],
    })
    await on.advanceTo(32)
    expect(await listInvoices(on.customer)).toEqual([
      ['subscription_cycle', 1900, 'paid'],
      ['subscription_create', 950, 'paid'],
    ])
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1)
  })

  it('gives a repeating coupon for its months, and credits the discounted price', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: 'repeating', duration_in_months: 2 })
    const on = await createCustomerOnClock(stripe)
    const { id } = await stripe.subscriptions.create({
      customer: on.customer,
      items: [{ price: plans.monthly }],
      discounts: [{ coupon: coupon.id }],
    })
    await on.advanceTo(31)
    await on.advanceTo(70)
    const totals = (await listInvoices(on.customer)).map(([, total]) => total)
    expect(totals).toEqual([1900, 1710, 1710])
    expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([])
  })

  it('refuses a promotion code that is used up', async () => {
    const coupon = await stripe.coupons.create({ amount_off: 500, currency: 'usd' })
    const code = await stripe.promotionCodes.create({
      promotion: { type: 'coupon', coupon: coupon.id },
      code: 'WELCOME',
      max_redemptions: 1,
    })
    const create = async () => {
      const { customer } = await createCustomerOnClock(stripe)
      const discounts = [{ promotion_code: code.id }]
      return stripe.subscriptions.create({ customer, items: [{ price: plans.monthly }], discounts })
    }
    await create()
    await expect(create()).rejects.toMatchObject({ statusCode: 400, code: 'coupon_expired' })
  })

  it('adds tax by the country, and reverses the charge for businesses of other countries', async () => {
    const bill = async (country: string, vat?: string) => {
      const { customer } = await createCustomerOnClock(stripe)
      await stripe.customers.update(customer, { address: { country } })
      if (vat !== undefined) await stripe.customers.createTaxId(customer, { type: 'eu_vat', value: vat })
      const subscription = await stripe.subscriptions.create({
        customer,
        items: [{ price: plans.monthly }],
        automatic_tax: { enabled: true },
        expand: ['latest_invoice'],
      })
      const { total, total_taxes: taxes } = subscription.latest_invoice as Stripe.Invoice
      return [total, taxes?.[0]?.amount, taxes?.[0]?.taxability_reason]
    }
    expect(await bill('FR')).toEqual([2280, 380, 'standard_rated'])
    expect(await bill('FR', 'FR12345678901')).toEqual([1900, 0, 'reverse_charge'])
    expect(await bill('DE', 'DE123456789')).toEqual([2261, 361, 'standard_rated'])
    expect(await bill('US')).toEqual([1900, 0, 'not_collecting'])
  })
})

describe('money that goes back', () => {
  it('refunds in parts, and never more than was paid', async () => {
    const { customer } = await subscribe()
    const [charge] = (await stripe.charges.list({ customer })).data
    await stripe.refunds.create({ charge: charge?.id ?? '', amount: 900 })
    await expect(stripe.refunds.create({ charge: charge?.id ?? '', amount: 1001 })).rejects.toMatchObject({
      statusCode: 400,
      param: 'amount',
    })
    await stripe.refunds.create({ charge: charge?.id ?? '' })
    await expect(stripe.refunds.create({ charge: charge?.id ?? '' })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
    expect((await stripe.refunds.list({ charge: charge?.id ?? '' })).data.map(({ amount }) => amount)).toEqual([
      1000, 900,
    ])
  })

  it('refuses credit notes beyond the invoice', async () => {
    const { customer } = await subscribe()
    const [invoice] = (await stripe.invoices.list({ customer })).data
    const create = (params: object) => stripe.creditNotes.create({ invoice: invoice?.id ?? '', ...params })
    await expect(create({ refund_amount: 1901 })).rejects.toMatchObject({ param: 'amount' })
    await expect(create({ amount: 500, refund_amount: 400 })).rejects.toMatchObject({ param: 'refund_amount' })
    await create({ credit_amount: 500, memo: 'Outage' })
    expect((await stripe.customers.retrieve(customer)) as Stripe.Customer).toMatchObject({ balance: -500 })
  })

  it('voids an open invoice', async () => {
    const { customer, id, advanceTo } = await subscribe()
    await saveCard(customer, 'pm_card_chargeCustomerFail')
    await advanceTo(32)
    const [open] = (await stripe.invoices.list({ customer, status: 'open' })).data
    expect((await stripe.invoices.voidInvoice(open?.id ?? '')).status).toBe('void')
    expect((await stripe.subscriptions.retrieve(id)).status).toBe('active')
  })
})

import Stripe from 'stripe'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connectStripe, createCustomerOnClock, createPlans } from './connect-stripe.ts'
import { type StripeDouble, startStripeDouble } from './stripe.ts'

let double: StripeDouble
let stripe: Stripe
let plans: Awaited<ReturnType<typeof createPlans>>
let customer: string

beforeAll(async () => {
  double = await startStripeDouble({ keys: ['sk_test_one', 'sk_test_other'] })
  stripe = connectStripe(double)
  plans = await createPlans(stripe)
  customer = (await createCustomerOnClock(stripe)).customer
})
beforeEach(() => {
  Object.assign(double.faults, { status: undefined, delayMs: 0, brokenAnswers: 0, lostAnswers: 0 })
})
afterAll(() => double.stop())

const headers = { authorization: 'Bearer sk_test_one', 'content-type': 'application/x-www-form-urlencoded' }
const post = (path: string, body: string, more: Record<string, string> = {}) =>
  fetch(`${double.url}/v1${path}`, { method: 'POST', body, headers: { ...headers, ...more } })
const read = async (response: Response) => ({
  status: response.status,
  ...((await response.json()) as { error?: { code?: string; param?: string; type?: string; message?: string } }).error,
})

describe('parameters', () => {
  it.each([
    ['/customers', 'emial=a@b.co', 'parameter_unknown', 'emial'],
    ['/customers', 'address[town]=x', 'parameter_unknown', 'address[town]'],
    ['/customers', 'name=', 'parameter_invalid_empty', 'name'],
    ['/customers', 'email=ada', 'email_invalid', 'email'],
    ['/products', '', 'parameter_missing', 'name'],
    ['/prices', 'currency=usd&unit_amount=1900', 'parameter_missing', 'product'],
    ['/subscriptions', 'items[0][price]=price_1', 'parameter_missing', 'customer'],
    ['/subscriptions', 'customer=cus_1&cancel_at_period_end=yes', undefined, 'cancel_at_period_end'],
    ['/subscriptions', 'customer=cus_1&proration_behavior=maybe', undefined, 'proration_behavior'],
    ['/subscriptions', 'customer=cus_1&items[0][quantity]=one', 'parameter_invalid_integer', 'items[0][quantity]'],
    ['/subscriptions', 'customer=cus_1&coupon=x', 'parameter_unknown', 'coupon'],
    ['/checkout/sessions', 'mode=subscription&ui_mode=embedded', undefined, 'ui_mode'],
    [
      '/checkout/sessions',
      'mode=subscription&payment_method_types[]=card',
      'parameter_unknown',
      'payment_method_types',
    ],
    ['/promotion_codes', 'coupon=x', 'parameter_unknown', 'coupon'],
    ['/coupons', 'duration=once', 'parameter_missing', 'percent_off'],
    ['/coupons', 'percent_off=120', undefined, 'percent_off'],
    ['/subscriptions', 'customer=cus_1&on_behalf_of=acct_1', 'double_not_implemented', 'on_behalf_of'],
  ])('refuses POST %s with %s', async (path, body, code, param) => {
    const refusal = await read(await post(path, body))
    expect(refusal).toMatchObject({ status: 400, type: 'invalid_request_error', param })
    expect(refusal.code).toBe(code)
  })

  it('says which values it accepts', async () => {
    const create = stripe.checkout.sessions.create({ ui_mode: 'hosted', mode: 'subscription' })
    await expect(create).rejects.toThrow('must be one of elements, embedded_page, form, hosted_page')
  })

  it.each([-1, 1_000_000])('refuses %i as a quantity', async (quantity) => {
    const create = stripe.subscriptions.create({ customer, items: [{ price: plans.monthly, quantity }] })
    await expect(create).rejects.toMatchObject({ statusCode: 400, param: 'items[0][quantity]' })
  })

  it('refuses a quantity of zero in Checkout, and negative amounts', async () => {
    const line_items = [{ price: plans.monthly, quantity: 0 }]
    const create = stripe.checkout.sessions.create({ mode: 'subscription', success_url: 'https://a.test/', line_items })
    await expect(create).rejects.toMatchObject({ param: 'line_items[0][quantity]' })
    const price = stripe.prices.create({ product: plans.product, currency: 'usd', unit_amount: -1 })
    await expect(price).rejects.toMatchObject({ param: 'unit_amount' })
  })

  it('refuses other currencies than those of the price and the customer', async () => {
    const other = stripe.subscriptions.create({ customer, currency: 'eur', items: [{ price: plans.monthly }] })
    await expect(other).rejects.toMatchObject({ param: 'currency' })
    const recurring = { interval: 'month' as const }
    const euro = await stripe.prices.create({ product: plans.product, currency: 'eur', unit_amount: 1, recurring })
    const { customer: paying } = await createCustomerOnClock(stripe)
    await stripe.subscriptions.create({ customer: paying, items: [{ price: plans.monthly }] })
    const mixed = stripe.subscriptions.create({ customer: paying, items: [{ price: euro.id }] })
    await expect(mixed).rejects.toMatchObject({ param: 'currency' })
  })

  it('refuses inactive and one-time prices', async () => {
    const old = await stripe.prices.create({ product: plans.product, currency: 'usd', unit_amount: 1 })
    await expect(stripe.subscriptions.create({ customer, items: [{ price: old.id }] })).rejects.toThrow('one_time')
    const recurring = { interval: 'month' as const }
    const price = await stripe.prices.create({ product: plans.product, currency: 'usd', unit_amount: 1, recurring })
    await stripe.prices.update(price.id, { active: false })
    await expect(stripe.subscriptions.create({ customer, items: [{ price: price.id }] })).rejects.toThrow('inactive')
  })

  it('refuses a lookup key that another price has, unless it is transferred', async () => {
    const create = (more = {}) =>
      stripe.prices.create({ product: plans.product, currency: 'usd', unit_amount: 1, lookup_key: 'starter', ...more })
    const first = await create()
    await expect(create()).rejects.toMatchObject({ param: 'lookup_key' })
    const second = await create({ transfer_lookup_key: true })
    expect((await stripe.prices.list({ lookup_keys: ['starter'] })).data.map(({ id }) => id)).toEqual([second.id])
    expect((await stripe.prices.retrieve(first.id)).lookup_key).toBeNull()
  })

  it('refuses to change a cancelled subscription', async () => {
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price: plans.monthly }] })
    await stripe.subscriptions.cancel(id)
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toMatchObject({
      code: 'invalid_canceled_subscription_fields',
    })
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing' })
  })

  it('creates nothing without a card', async () => {
    const { id } = await stripe.customers.create({ email: 'grace@example.com' })
    const before = double.snapshot()
    const create = stripe.subscriptions.create({ customer: id, items: [{ price: plans.monthly }] })
    await expect(create).rejects.toThrow('no attached payment source')
    expect(double.snapshot()).toEqual(before)
  })

  it('refuses malformed addresses and tax ids', async () => {
    await expect(stripe.customers.update(customer, { address: { country: 'Germany' } })).rejects.toMatchObject({
      param: 'address[country]',
    })
    await expect(stripe.customers.createTaxId(customer, { type: 'eu_vat', value: '123' })).rejects.toMatchObject({
      code: 'tax_id_invalid',
    })
    const items = [{ price: plans.monthly }]
    await expect(
      stripe.subscriptions.create({ customer, items, automatic_tax: { enabled: true } }),
    ).rejects.toMatchObject({ code: 'customer_tax_location_invalid' })
  })
})

describe('keys, versions and accounts', () => {
  it('refuses missing and wrong keys', async () => {
    expect((await fetch(`${double.url}/v1/customers`)).status).toBe(401)
    const wrong = connectStripe(double, 'sk_test_wrong')
    await expect(wrong.customers.list()).rejects.toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  })

  it('refuses other API versions than the pinned one', async () => {
    expect((await post('/customers', '', { 'stripe-version': '2024-06-20' })).status).toBe(400)
    expect((await post('/customers', '', { 'stripe-version': Stripe.API_VERSION })).status).toBe(200)
  })

  it('knows nothing of other accounts', async () => {
    const other = connectStripe(double, 'sk_test_other')
    const coupon = await stripe.coupons.create({ percent_off: 10 })
    const own = await createCustomerOnClock(other)
    const foreign = other.subscriptions.create({ customer: own.customer, items: [{ price: plans.monthly }] })
    await expect(foreign).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'items[0][price]' })
    const price = (await createPlans(other)).monthly
    await expect(
      other.subscriptions.create({
        customer: own.customer,
        items: [{ price }],
        discounts: [{ coupon: coupon.id }],
      }),
    ).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
    await expect(other.customers.retrieve(customer)).rejects.toMatchObject({
      statusCode: 404,
      code: 'resource_missing',
    })
    expect((await other.events.list({ type: 'coupon.created' })).data).toEqual([])
  })

  it('answers unknown addresses with 404', async () => {
    expect(await read(await post('/subscription', ''))).toMatchObject({
      status: 404,
      message: 'Unrecognized request URL (POST: /v1/subscription).',
    })
  })
})

describe('lists and expanded fields', () => {
  it('pages through lists in both directions', async () => {
    const created = []
    for (let count = 0; count < 5; count += 1) created.unshift((await stripe.products.create({ name: `P${count}` })).id)
    const first = await stripe.products.list({ limit: 2, ids: created })
    expect(first).toMatchObject({ has_more: true, url: '/v1/products' })
    const next = await stripe.products.list({ limit: 3, ids: created, starting_after: created[1] ?? '' })
    expect([...first.data, ...next.data].map(({ id }) => id)).toEqual(created)
    expect(next.has_more).toBe(false)
    const back = await stripe.products.list({ limit: 2, ids: created, ending_before: created[3] ?? '' })
    expect(back.data.map(({ id }) => id)).toEqual(created.slice(1, 3))
    expect(await stripe.products.list({ limit: 2, ids: created }).autoPagingToArray({ limit: 10 })).toHaveLength(5)
    await expect(stripe.products.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' })
    await expect(stripe.products.list({ starting_after: 'prod_none' })).rejects.toMatchObject({ statusCode: 404 })
  })

  it('expands ids, and refuses other fields', async () => {
    const subscription = await stripe.subscriptions.create({
      customer: (await createCustomerOnClock(stripe)).customer,
      items: [{ price: plans.monthly }],
      expand: ['customer', 'default_payment_method', 'items.data.price.product', 'latest_invoice.confirmation_secret'],
    })
    expect(subscription.customer).toMatchObject({ object: 'customer', email: 'ada@example.com' })
    expect(subscription.items.data[0]?.price.product).toMatchObject({ name: 'Starter' })
    expect((subscription.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret).toContain('_secret_')
    await expect(stripe.customers.retrieve(customer, { expand: ['invoice'] })).rejects.toThrow('cannot be expanded')
  })
})

describe('idempotency', () => {
  it('replays the result of a key, and refuses other parameters', async () => {
    const create = (name: string) => stripe.customers.create({ name }, { idempotencyKey: 'key-1' })
    const first = await create('Ada')
    const again = await create('Ada')
    expect(again.id).toBe(first.id)
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true')
    await expect(create('Grace')).rejects.toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
  })

  it('replays errors of the service, and of cards', async () => {
    double.faults.brokenAnswers = 1
    const create = () => stripe.customers.create({ name: 'Ada' }, { idempotencyKey: 'key-2' })
    await expect(create()).rejects.toMatchObject({ statusCode: 500 })
    await expect(create()).rejects.toMatchObject({ statusCode: 500 })
    const decline = () =>
      stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer }, { idempotencyKey: 'key-3' })
    await expect(decline()).rejects.toMatchObject({ statusCode: 402 })
    await expect(decline()).rejects.toMatchObject({ statusCode: 402 })
  })

  it('keeps nothing under the key of a request with wrong parameters', async () => {
    const more = { 'idempotency-key': 'key-4' }
    expect((await post('/customers', 'foo=1', more)).status).toBe(400)
    expect((await post('/customers', 'name=Ada', more)).status).toBe(200)
  })

  it('refuses a second request while the first one runs', async () => {
    double.faults.delayMs = 1000
    const more = { 'idempotency-key': 'key-5' }
    const responses = await Promise.all([post('/customers', '', more), post('/customers', '', more)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('lets the SDK repeat a request whose answer was lost', async () => {
    double.faults.lostAnswers = 1
    const retrying = new Stripe(double.secretKey, {
      host: double.host,
      port: double.port,
      protocol: double.protocol,
      maxNetworkRetries: 2,
    })
    const name = 'Lost and found'
    const created = await retrying.customers.create({ name })
    const found = (await stripe.customers.list({ limit: 100 })).data.filter((each) => each.name === name)
    expect(found.map(({ id }) => id)).toEqual([created.id])
  })
})

describe('faults', () => {
  it.each([
    [429, Stripe.errors.StripeRateLimitError],
    [503, Stripe.errors.StripeAPIError],
  ] as const)('answers %i', async (status, expected) => {
    double.faults.status = status
    await expect(stripe.customers.list()).rejects.toBeInstanceOf(expected)
    double.faults.status = undefined
    await expect(stripe.customers.list()).resolves.toBeDefined()
  })

  it('refuses connections while it is unplugged, and keeps its state', async () => {
    await double.unplug()
    await expect(stripe.customers.retrieve(customer)).rejects.toBeInstanceOf(Stripe.errors.StripeConnectionError)
    await double.plugIn()
    expect((await stripe.customers.retrieve(customer)).id).toBe(customer)
  })

  it('lets a slow answer run into the time limit of the SDK', async () => {
    double.faults.delayMs = 2000
    await expect(stripe.customers.list(undefined, { timeout: 100 })).rejects.toThrow('timeout')
  })

  it('lists the requests that it answered', async () => {
    await stripe.products.create({ name: 'Recorded' }, { idempotencyKey: 'key-6' })
    expect(double.requests.at(-1)).toEqual({
      method: 'POST',
      path: '/v1/products',
      parameters: 'name=Recorded',
      idempotencyKey: 'key-6',
      status: 200,
    })
  })
})

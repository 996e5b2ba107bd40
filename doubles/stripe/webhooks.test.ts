import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connectStripe, createCustomerOnClock, createPlans } from './connect-stripe.ts'
import { type StripeDouble, startStripeDouble } from './stripe.ts'

let double: StripeDouble
let stripe: Stripe
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeEach(async () => {
  receiver = await startReceiver()
  double = await startStripeDouble({ webhookUrl: receiver.url })
  stripe = connectStripe(double)
})
afterEach(async () => {
  await double.stop()
  await receiver.stop()
})

/** An endpoint that keeps events in the order in which they arrive, and refuses forged ones. */
async function startReceiver() {
  const received: Stripe.Event[] = []
  const state = { failures: 0, received, forged: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (state.failures > 0) {
      state.failures -= 1
      response.writeHead(500).end()
      return
    }
    try {
      const signature = request.headers['stripe-signature'] ?? ''
      received.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, double.webhookSecret))
      response.writeHead(200).end()
    } catch {
      state.forged += 1
      response.writeHead(400).end()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return Object.assign(state, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, stop })
}

const names = () =>
  receiver.received.map(({ data: { object } }) => ('name' in object ? String(object.name) : 'no name'))
const createProducts = async (...products: string[]) => {
  for (const name of products) await stripe.products.create({ name })
}

describe('webhooks', () => {
  it('are signed as the SDK verifies, in the order of the events', async () => {
    const plans = await createPlans(stripe)
    const { customer } = await createCustomerOnClock(stripe)
    await stripe.subscriptions.create({ customer, items: [{ price: plans.monthly }] })
    await double.webhooks.whenIdle()
    const events = await stripe.events.list({ limit: 100 })
    expect(receiver.received.map(({ id }) => id)).toEqual(events.data.map(({ id }) => id).reverse())
    expect(receiver.received.map(({ type }) => type)).toContain('invoice.paid')
    expect(receiver.received[0]).toMatchObject({ api_version: '2026-10-28.endive', livemode: false, object: 'event' })
    expect(receiver.forged).toBe(0)
  })

  it('name the values before a change', async () => {
    const { id } = await stripe.products.create({ name: 'Old' })
    await stripe.products.update(id, { name: 'New' })
    await double.webhooks.whenIdle()
    expect(receiver.received.at(-1)?.data.previous_attributes).toMatchObject({ name: 'Old' })
  })

  it('arrive twice', async () => {
    double.webhooks.switches.copies = 2
    await createProducts('A', 'B')
    await double.webhooks.whenIdle()
    expect(names()).toEqual(['A', 'A', 'B', 'B'])
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2)
  })

  it('are lost', async () => {
    double.webhooks.switches.drop = ({ data: { object } }) => 'name' in object && object.name === 'B'
    await createProducts('A', 'B', 'C')
    await double.webhooks.whenIdle()
    expect(names()).toEqual(['A', 'C'])
    expect((await stripe.events.list()).data).toHaveLength(3)
  })

  it('arrive in another order', async () => {
    double.webhooks.hold()
    await createProducts('A', 'B', 'C')
    await double.webhooks.whenIdle()
    expect(names()).toEqual([])
    double.webhooks.release()
    await double.webhooks.whenIdle()
    expect(names()).toEqual(['C', 'B', 'A'])
  })

  it('are delayed', async () => {
    double.webhooks.switches.delayMs = 150
    const before = performance.now()
    await createProducts('A')
    await double.webhooks.whenIdle()
    expect(performance.now() - before).toBeGreaterThanOrEqual(149)
    expect(names()).toEqual(['A'])
  })

  it('are sent again on request', async () => {
    await createProducts('A')
    const [event] = (await stripe.events.list()).data
    double.replayEvent(event?.id ?? '')
    await double.webhooks.whenIdle()
    expect(names()).toEqual(['A', 'A'])
  })

  it('are repeated after a refusal', async () => {
    double.webhooks.switches.retryDelaysMs = [10, 10]
    receiver.failures = 2
    await createProducts('A')
    await expect.poll(names).toEqual(['A'])
    expect(double.webhooks.deliveries.map(({ status }) => status)).toEqual([500, 500, 200])
  })

  it('reach endpoints of the API by their types and their own secret', async () => {
    const endpoint = await stripe.webhookEndpoints.create({ url: receiver.url, enabled_events: ['coupon.created'] })
    expect(endpoint.secret).toMatch(/^whsec_/)
    expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined()
    await createProducts('A')
    await stripe.coupons.create({ percent_off: 5 })
    await double.webhooks.whenIdle()
    // The receiver checks the other secret, so the second delivery of the coupon is forged to it.
    expect([receiver.received.length, receiver.forged]).toEqual([2, 1])
    await stripe.webhookEndpoints.update(endpoint.id, { disabled: true })
    await stripe.coupons.create({ percent_off: 5 })
    await double.webhooks.whenIdle()
    expect(receiver.forged).toBe(1)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { type NamedLocks, openNamedLocks } from '#server/platform/locks/named-locks.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { findPrice, openCustomer, startTestStripe, subscribeAtStripe, type TestStripe } from '#server/testing/stripe.ts'
import { converge } from './converge.ts'
import { readCatalogue, readMirror } from './mirror.queries.ts'
import type { Mirror } from './mirror.ts'
import { readStripe } from './read-stripe.ts'
import { syncPlans } from './sync-plans.ts'

/* Whatever happens at Stripe, and in whatever order Earshot hears of it: both end in the same state. */

let stripe: TestStripe
let server: TestServer
let database: Database
let locks: NamedLocks

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  stripe.double.webhooks.switches.drop = () => true
  server = await startTestServer(stripe.env)
  const log = createLog({ level: 'silent' })
  database = openDatabase({ url: server.databaseUrl, log, maxConnections: 8 })
  locks = openNamedLocks({ url: server.databaseUrl, log })
  await syncPlans({ stripe: stripe.sdk, database, locks })
})
afterAll(async () => {
  await locks?.close()
  await database?.close()
  await server?.stop()
  await stripe?.stop()
})

/** A life at Stripe: what could be read of the customer after each step. */
async function recordLife(customer: string): Promise<Mirror[]> {
  const { sdk } = stripe
  const catalogue = await database.asSystem('a test reads the plans', readCatalogue)
  const states: Mirror[] = []
  const note = async () => {
    const state = await readStripe(sdk, customer, catalogue)
    if (state) states.push(state)
  }
  await note()
  const { id, items } = await subscribeAtStripe(stripe, customer, 'starter')
  await note()
  const item = { id: items.data[0]?.id ?? '', price: await findPrice(stripe, 'growth', 'year') }
  await sdk.subscriptions.update(id, { items: [item] })
  await note()
  await sdk.subscriptions.update(id, { cancel_at_period_end: true })
  await note()
  await sdk.subscriptions.update(id, { cancel_at_period_end: false })
  await note()
  await sdk.refunds.create({ charge: (await sdk.charges.list({ customer })).data[0]?.id ?? '', amount: 100 })
  await note()
  await sdk.subscriptions.cancel(id)
  await note()
  await subscribeAtStripe(stripe, customer, 'business')
  await note()
  return states
}

describe('the mirror', () => {
  it('is equal to Stripe after 1,000 histories of events that are lost, repeated, late or in parallel', async () => {
    const tracks = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const organizationId = (await createUser(server.client)).organizationId ?? ''
        return { organizationId, states: await recordLife(await openCustomer(stripe, server, organizationId)) }
      }),
    )
    let histories = 0
    const runHistory = async ({ organizationId, states }: (typeof tracks)[number], steps: readonly number[]) => {
      let position = 0
      // Each event makes Earshot read the state that Stripe has by then, which moves on during the read.
      const read = async () => {
        const state = states[position]
        await Promise.resolve()
        return state
      }
      const parts = { read, database, locks }
      const pending: Promise<unknown>[] = []
      for (const step of steps) {
        position = Math.min(position + step, states.length - 1)
        const convergence = converge(parts, organizationId)
        pending.push(convergence)
        // An odd step's event is worked on beside the next one.
        if (step % 2 === 0) await convergence
      }
      await Promise.all(pending)
      await converge(parts, organizationId)
      const stored = await database.asSystem('a test compares', (tx) => readMirror(tx, organizationId))
      expect(stored).toEqual(states[position])
      expect(await converge(parts, organizationId)).toBe('unchanged')
      histories += 1
    }
    const steps = fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 })
    await Promise.all(
      tracks.map((track, index) =>
        fc.assert(
          fc.asyncProperty(steps, (drawn) => runHistory(track, drawn)),
          { numRuns: 200, seed: 20_260 + index, endOnFailure: true },
        ),
      ),
    )
    expect(histories).toBe(1000)
  }, 180_000)
})

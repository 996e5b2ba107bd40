import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { addMember, createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import {
  cardForm,
  openCustomer,
  startTestStripe,
  submitPage,
  subscribeAtStripe,
  type TestStripe,
} from '#server/testing/stripe.ts'

/* A plan's whole life, by Stripe's test clock, as its owners read it in their mailboxes. */

const daySeconds = 86_400

let stripe: TestStripe
let server: TestServer

beforeAll(async () => {
  stripe = await startTestStripe({ port: await findFreePort() })
  server = await startTestServer({ SERVICES: 'web,worker', ...stripe.env })
  await server.client.query(`select graphile_worker.add_job('sync_plans')`)
  await vi.waitFor(async () => {
    expect((await server.client.query('select 1 from plans where stripe_yearly_price_id is null')).rowCount).toBe(0)
  }, 10_000)
})
afterAll(async () => {
  await server?.stop()
  await stripe?.stop()
})

it('is told to every owner, each part once, and to no one else', async () => {
  const { sdk, double } = stripe
  const owner = await createUser(server.client, { organizationName: 'Northwind' })
  const organizationId = owner.organizationId ?? ''
  const second = await createUser(server.client)
  await addMember(server.client, { organizationId, userId: second.id, role: 'owner' })
  const member = await createMember(server.client, { organizationId, role: 'admin' })
  // Money can't be muted.
  await server.client.query(
    `insert into notification_settings (organization_id, user_id, muted_mails) values ($1, $2, '{personal}')
     on conflict (organization_id, user_id) do update set muted_mails = '{personal}'`,
    [organizationId, second.id],
  )
  let now = Math.floor(Date.now() / 1000)
  const clock = await sdk.testHelpers.testClocks.create({ frozen_time: now })
  const advance = async (days: number) => {
    now += days * daySeconds
    await sdk.testHelpers.testClocks.advance(clock.id, { frozen_time: now })
  }
  const customer = await openCustomer(stripe, server, organizationId, { testClock: clock.id })
  const setCard = async (card: string) => {
    const { id } = await sdk.paymentMethods.attach(card, { customer })
    await sdk.customers.update(customer, { invoice_settings: { default_payment_method: id } })
  }
  // Sent emails lose their text: it is kept as soon as it is seen.
  const seen = new Map<string, { to: string; subject: string; text: string; html: string }>()
  const listSubjects = async (to: string) => {
    const { rows } = await server.client.query<{ id: string; to: string; subject: string; text: string; html: string }>(
      `select id, to_address as "to", subject, text, html from app.emails
       where kind in ('subscription_news', 'payment_news') order by created_at, id`,
    )
    for (const row of rows) if (!seen.has(row.id)) seen.set(row.id, row)
    return [...seen.values()].filter((mail) => mail.to === to).map(({ subject }) => subject.replace(/^Northwind: /, ''))
  }
  const told: string[] = []
  const expectNext = async (subject: string | RegExp) => {
    told.push(expect.stringMatching(subject))
    await expect.poll(() => listSubjects(owner.email)).toEqual(told)
    await expect.poll(() => listSubjects(second.email)).toEqual(told)
    return [...seen.values()].findLast(({ to }) => to === owner.email)
  }

  const { id } = await subscribeAtStripe(stripe, customer, 'growth')
  const started = await expectNext(/^your plan Growth is active$/)
  expect(started?.text).toMatch(/\$49\.00 a month.*The next invoice follows on \d+ \w+ \d{4}\./s)
  expect(started?.text).toContain(`${server.url}/dashboard/settings/billing`)
  expect(started?.html).toContain('$49.00')

  await advance(32)
  expect((await expectNext(/^payment received$/))?.text).toMatch(/We received \$49\.00 for the plan Growth.*http.*pdf/s)

  await setCard('pm_card_chargeCustomerFail')
  await advance(31)
  const failed = await expectNext(/^payment failed$/)
  expect(failed?.text).toMatch(/The bank says: Your card was declined\..*We try again on \d+ \w+ \d{4}\./s)
  expect(failed?.text).toContain(stripe.double.url)
  await advance(4)
  await expectNext(/^payment failed again$/)

  await setCard('pm_card_authenticationRequired')
  await advance(6)
  const asked = await expectNext(/^confirm your payment$/)
  const [page = ''] = asked?.text.match(new RegExp(`${double.url}/\\S+`)) ?? []
  const { location } = await submitPage(page, cardForm('4000 0027 6000 3184'))
  await submitPage(double.url + location, { authentication: 'complete' })
  await expectNext(/^payment received, your plan continues$/)

  await sdk.subscriptions.update(id, { cancel_at_period_end: true })
  expect((await expectNext(/^your plan ends on \d+ \w+ \d{4}$/))?.text).toContain('nothing is charged any more')
  await sdk.subscriptions.update(id, { cancel_at_period_end: false })
  await expectNext(/^your plan Growth continues$/)
  await sdk.subscriptions.update(id, { cancel_at_period_end: true })
  await expectNext(/^your plan ends on/)
  await advance(32)
  expect((await expectNext(/^your plan has ended$/))?.text).toContain('Nothing is lost.')

  const { data } = await sdk.charges.list({ customer })
  await sdk.refunds.create({ charge: data.find(({ paid }) => paid)?.id ?? '', amount: 1250 })
  expect((await expectNext(/^payment refunded$/))?.text).toContain('We refunded $12.50 for the plan Growth')

  // Everything again: events, and the jobs of each.
  for (const { id: event } of (await sdk.events.list({ limit: 100 })).data) double.replayEvent(event)
  await double.webhooks.whenIdle()
  await server.client.query(
    `select graphile_worker.add_job('event:mail_billing', json_build_object('events', json_agg(json_build_object('organizationId', organization_id, 'id', id))))
     from app.events where organization_id = $1 and name ~ '^(subscription|payment)'`,
    [organizationId],
  )
  await expect
    .poll(
      async () =>
        (
          await server.client.query(
            `select 1 from graphile_worker.jobs where task_identifier ~ 'mail_billing|converge'`,
          )
        ).rowCount,
    )
    .toBe(0)
  expect(await listSubjects(owner.email)).toEqual(told)
  expect(await listSubjects(second.email)).toEqual(told)
  expect(await listSubjects(member.email)).toEqual([])
})

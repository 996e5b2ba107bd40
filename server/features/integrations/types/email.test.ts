import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Delivery, DeliveryDetail } from '#contract/deliveries.ts'
import type { Integration } from '#contract/integrations.ts'
import { type BuiltUser, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startReceiver } from '#server/testing/receiver.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let server: TestServer
let owner: BuiltUser
let member: BuiltUser
let token: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(() => server.stop())

beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  token = await server.signIn(owner)
  member = await createMember(server.client, { organizationId, role: 'viewer' })
  project = await createProject(server.client, { organizationId })
})

const path = (rest = '') => `/api/v1/organizations/${organizationId}/integrations${rest}`

async function call<T>(rest: string, options: { method?: string; body?: unknown } = {}): Promise<T> {
  const reply = await server.call(path(rest), { token, ...options })
  if (!reply.ok) throw new Error(`${rest}: ${reply.status} ${await reply.text()}`)
  // Our own server's answer, by its contract.
  return (await reply.json()) as T
}

const connect = (addresses: string) =>
  call<Integration>('', { body: { type: 'email', config: { addresses }, events: ['feedback.created'] } })

const send = (message = 'The basket empties itself.') =>
  submit(server, project.widgetKey, makeSubmission({ type: 'bug', message, rating: 1 }))

const mailsTo = async (user: BuiltUser) =>
  (await server.mails()).filter(({ kind, to }) => kind === 'delivered_item' && to === user.email.toLowerCase())

async function waitForDelivery(id: string, state: Delivery['state'], count = 1): Promise<Delivery> {
  return vi.waitFor(
    async () => {
      const { items } = await call<{ items: Delivery[] }>(`/${id}/deliveries`)
      expect(items.filter((each) => each.state === state)).toHaveLength(count)
      const [latest] = items
      if (!latest) throw new Error('no delivery')
      return latest
    },
    { timeout: 10_000, interval: 50 },
  )
}

describe('an email integration', () => {
  it('emails each member once, also when the delivery is retried, and logs it', async () => {
    const { id, account } = await connect(`${owner.email}\n${member.email}, ${owner.email.toUpperCase()}`)
    expect(account).toBe('2 members')
    await send()
    const delivery = await waitForDelivery(id, 'delivered')
    for (const each of [owner, member]) {
      const [mail, second] = await mailsTo(each)
      expect(mail?.subject).toMatch(/: A visitor sent #1$/)
      expect(mail?.text).toContain('> The basket empties itself.')
      expect(mail?.text).toContain(`${server.url}/dashboard/feedback?item=${delivery.feedbackId}`)
      expect(second).toBeUndefined()
    }
    await call(`/${id}/deliveries/${delivery.id}/retry`, { method: 'POST' })
    await vi.waitFor(async () => {
      const { log } = await call<DeliveryDetail>(`/${id}/deliveries/${delivery.id}`)
      expect(log).toHaveLength(2)
      expect(log[0]).toMatchObject({ response: 'Queued for 2 members.', failure: null })
    })
    expect(await mailsTo(member)).toHaveLength(1)
    const { rows } = await server.client.query(
      'select from app.emails where organization_id = $1 and feedback_id = $2',
      [organizationId, delivery.feedbackId],
    )
    expect(rows).toHaveLength(2)
  })

  it('contains no words of visitors where emails of the organisation contain none', async () => {
    await server.client.query('update organizations set mails_hold_words = false where id = $1', [organizationId])
    const { id } = await connect(member.email)
    await send()
    await waitForDelivery(id, 'delivered')
    const [mail] = await mailsTo(member)
    expect(mail?.text).toContain('Rating: 1 star')
    expect(mail?.text).not.toContain('basket')
  })

  it('goes to members with a confirmed account only', async () => {
    const stranger = await createUser(server.client)
    const unconfirmed = await createMember(server.client, { organizationId, role: 'viewer', isConfirmed: false })
    for (const { email } of [stranger, unconfirmed]) {
      const reply = await server.call(path(), { token, body: { type: 'email', config: { addresses: email } } })
      expect(await reply.json()).toMatchObject({
        code: 'integration_refused',
        detail: `Emails go to members only. Invite first, or remove: ${email}`,
      })
    }
    const { id } = await connect(`${owner.email}\n${member.email}`)
    await server.client.query('delete from memberships where user_id = $1', [member.id])
    expect(await call<Delivery>(`/${id}/test`, { method: 'POST' })).toMatchObject({ state: 'delivered' })
    expect(await mailsTo(owner)).toHaveLength(1)
    expect(await mailsTo(member)).toHaveLength(0)
  })

  it('is sent at most 60 times an hour to one address', async () => {
    const { id } = await connect(`${owner.email}\n${member.email}`)
    await server.client.query(
      `insert into app.emails (id, kind, to_address, subject, html, text, organization_id, sent_at)
       select gen_random_uuid(), 'delivered_item', $1, 'x', '', '', $2, now() from generate_series(1, 60)`,
      [member.email.toLowerCase(), organizationId],
    )
    expect(await call<Delivery>(`/${id}/test`, { method: 'POST' })).toMatchObject({
      state: 'failed',
      failure: 'An address got 60 emails within an hour. Later ones wait.',
    })
    expect(await mailsTo(owner)).toHaveLength(1)
    expect(await mailsTo(member)).toHaveLength(60)
  })
})

describe('a chat integration', () => {
  it('posts a new item to its address, which neither its settings nor its log show', async () => {
    const receiver = await startReceiver()
    const url = `${receiver.url}/services/T0/B0/very-secret-word`
    const { id } = await call<Integration>('', { body: { type: 'slack', config: { url } } })
    await send('<!channel> The basket empties itself.')
    const [got] = await receiver.waitFor(1)
    expect(got?.body).toContain('&lt;!channel&gt; The basket empties itself.')
    const { id: deliveryId } = await waitForDelivery(id, 'delivered')
    const shown = [await call('', {}), await call(`/${id}/deliveries/${deliveryId}`), await call(`/${id}/deliveries`)]
    expect(JSON.stringify(shown)).not.toContain('very-secret-word')
    await receiver.stop()
  })
})

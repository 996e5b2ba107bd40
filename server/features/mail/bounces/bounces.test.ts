import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Suppression } from '#contract/email-suppressions.ts'
import type { OutboxEmail } from '#contract/superadmin-emails.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* Reports of mail providers, and the suppressed addresses that they make, over HTTP. */

const secret = 'bounce-secret-of-at-least-32-characters'
let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ EMAIL_BOUNCE_SECRET: secret, API_RATE_PER_MINUTE: '100000' })
  token = await server.signIn(await createUser(server.client))
})
afterAll(() => server?.stop())

const post = (body: unknown, headers: Record<string, string> = { authorization: `Bearer ${secret}` }) =>
  fetch(`${server.url}/api/v1/email-bounces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/superadmin/email-suppressions${path}`, { token, ...options })
const list = async (query: string) =>
  (await (await call(`?${query}`)).json()) as { items: Suppression[]; nextCursor: string | null }
const reasonOf = async (address: string) => (await list(`search=${encodeURIComponent(address)}`)).items[0]?.reason

async function addSent(to: string): Promise<string> {
  const id = randomUUID()
  await server.client.query(
    `insert into app.emails (id, kind, to_address, subject, html, text, attempts, sent_at)
     values ($1, 'notifications', $2, 'x', '', '', 1, now())`,
    [id, to],
  )
  return id
}
async function readEmail(id: string): Promise<OutboxEmail> {
  return (await (await server.call(`/api/v1/superadmin/emails/${id}`, { token })).json()) as OutboxEmail
}

describe('POST /api/v1/email-bounces', () => {
  it('refuses a missing or wrong secret before it reads the body, and takes it as bearer token or password', async () => {
    const body = { email: 'auth@plain.example', kind: 'soft' }
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: `Bearer ${secret}x` },
      { authorization: `Bearer ${secret.slice(0, -1)}` },
      { authorization: secret },
      basic(secret),
      basic(`${secret}:`),
    ]) {
      const reply = await post(body, headers)
      expect([reply.status, await reply.json()]).toEqual([
        401,
        expect.objectContaining({ code: 'hook_signature_invalid' }),
      ])
    }
    expect((await post('{', {})).status).toBe(401)
    expect((await post(body)).status).toBe(202)
    expect((await post(body, basic(`earshot:${secret}`))).status).toBe(202)
  })

  it('suppresses a hard bounce, marks its email and changes nothing when it is repeated', async () => {
    const [older, newer] = [await addSent('Gone@plain.example'), await addSent('gone@plain.example')]
    const report = {
      email: 'gone@plain.example',
      kind: 'hard',
      reason: '550 <gone@plain.example> unknown',
      messageId: `<${older}@x.example>`,
    }
    expect(await (await post(report)).json()).toEqual({ taken: 1 })
    const first = await readEmail(older)
    expect(first).toMatchObject({ status: 'bounced', lastError: '550 <[email]> unknown', canRetry: false })
    const before = await list('search=gone@plain.example')
    expect(before.items).toMatchObject([{ address: 'gone@plain.example', reason: 'hard_bounce' }])
    expect((await post(report)).status).toBe(202)
    expect(await readEmail(older)).toEqual(first)
    expect(await readEmail(newer)).toMatchObject({ status: 'sent' })
    expect(await list('search=gone@plain.example')).toEqual(before)
  })

  it('marks a soft bounce only, and suppresses a complaint only', async () => {
    const soft = await addSent('full@plain.example')
    await post({ email: 'full@plain.example', kind: 'soft', reason: 'mailbox full' })
    expect(await readEmail(soft)).toMatchObject({ status: 'bounced', lastError: 'mailbox full' })
    expect(await reasonOf('full@plain.example')).toBeUndefined()
    const read = await addSent('cross@plain.example')
    await post({ email: 'cross@plain.example', kind: 'complaint' })
    expect(await readEmail(read)).toMatchObject({ status: 'sent' })
    expect(await reasonOf('cross@plain.example')).toBe('complaint')
    await post({ email: 'cross@plain.example', kind: 'hard' })
    expect(await reasonOf('cross@plain.example')).toBe('hard_bounce')
    await post({ email: 'cross@plain.example', kind: 'complaint' })
    expect(await reasonOf('cross@plain.example')).toBe('hard_bounce')
  })

  const ses = (message: object) => ({ Type: 'Notification', Message: JSON.stringify(message) })
  it.each([
    [
      'Postmark',
      'hard_bounce',
      (email: string) => ({ RecordType: 'Bounce', Type: 'HardBounce', Email: email, MessageID: randomUUID() }),
    ],
    ['Postmark', undefined, (email: string) => ({ RecordType: 'Bounce', Type: 'Transient', Email: email })],
    [
      'Postmark',
      'complaint',
      (email: string) => ({ RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: email }),
    ],
    [
      'SES',
      'hard_bounce',
      (email: string) =>
        ses({
          notificationType: 'Bounce',
          bounce: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: email }] },
          mail: {},
        }),
    ],
    [
      'SES',
      undefined,
      (email: string) =>
        ses({ eventType: 'Bounce', bounce: { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: email }] } }),
    ],
    [
      'SES',
      'complaint',
      (email: string) =>
        ses({ notificationType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: email }] } }),
    ],
    [
      'SendGrid',
      'hard_bounce',
      (email: string) => [
        { event: 'delivered', email: 'x@ok.example' },
        { event: 'bounce', type: 'bounce', email },
      ],
    ],
    ['SendGrid', undefined, (email: string) => [{ event: 'bounce', type: 'blocked', email }]],
    ['SendGrid', 'complaint', (email: string) => [{ event: 'spamreport', email }]],
    [
      'Mailgun',
      'hard_bounce',
      (email: string) => ({ 'event-data': { event: 'failed', severity: 'permanent', recipient: email } }),
    ],
    [
      'Mailgun',
      undefined,
      (email: string) => ({ 'event-data': { event: 'failed', severity: 'temporary', recipient: email } }),
    ],
    ['Mailgun', 'complaint', (email: string) => ({ 'event-data': { event: 'complained', recipient: email } })],
  ])('reads a report of %s as %s', async (_provider, reason, write) => {
    const email = `${randomUUID()}@provider.example`
    const reply = await post(write(email), { authorization: `Bearer ${secret}`, 'content-type': 'text/plain' })
    expect([reply.status, await reply.json()]).toEqual([202, { taken: 1 }])
    expect(await reasonOf(email)).toBe(reason)
  })

  it('answers other events of providers without a change', async () => {
    for (const body of [
      { RecordType: 'Open', Email: 'a@b.example' },
      [],
      [{ event: 'open', email: 'a@b.example' }],
      { notificationType: 'Delivery' },
    ]) {
      expect(await (await post(body)).json()).toEqual({ taken: 0 })
    }
  })

  it.each([
    ['no JSON', '{', 400],
    ['null', null, 400],
    ['a number', 1, 400],
    ['no kind', { email: 'a@b.example' }, 400],
    ['an unknown kind', { email: 'a@b.example', kind: 'lost' }, 400],
    ['an encoded address', { email: '=?utf-8?q?x?=@ex.com', kind: 'hard' }, 400],
    ['two addresses', { email: 'a@b.example,c@d.example', kind: 'hard' }, 400],
    ['a reason that is no text', { email: 'a@b.example', kind: 'hard', reason: {} }, 400],
    ['a message that is no JSON', { Type: 'Notification', Message: '{' }, 400],
    ['a reason with NUL', { email: 'nul@b.example', kind: 'soft', reason: 'x\0y' }, 202],
    ['more than a megabyte', { email: 'a@b.example', kind: 'hard', reason: 'x'.repeat(1_100_000) }, 413],
  ])('answers %s', async (_name, body, status) => {
    expect((await post(body)).status).toBe(status)
  })

  it('refuses everything where no secret is set', async () => {
    const other = await startTestServer()
    try {
      const reply = await fetch(`${other.url}/api/v1/email-bounces`, {
        method: 'POST',
        headers: { authorization: 'Bearer ' },
        body: '{"email":"a@b.example","kind":"hard"}',
      })
      expect(reply.status).toBe(401)
    } finally {
      await other.stop()
    }
  })
})

describe('/api/v1/superadmin/email-suppressions', () => {
  it('adds an address once, finds it, removes it and records both', async () => {
    const add = async () => (await (await call('', { body: { address: 'Added@List.example' } })).json()) as Suppression
    const added = await add()
    expect(added).toMatchObject({ address: 'added@list.example', reason: 'manual' })
    expect(await add()).toEqual(added)
    expect((await list('search=DED@list')).items).toEqual([added])
    expect((await call(`/${added.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await call(`/${added.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await list('search=added@list')).items).toEqual([])
    const { rows } = await server.client.query(
      `select action, actor_kind, target_name from audit_log where action like 'email_suppression.%' order by id`,
    )
    expect(rows.map(({ action }) => action).sort()).toEqual(['email_suppression.added', 'email_suppression.removed'])
    expect(rows).toMatchObject([{ actor_kind: 'superadmin', target_name: 'added@list.example' }, {}])
    expect((await call('', { body: { address: 'a@b.example\r\nBcc: c@d.example' } })).status).toBe(400)
  })

  it('pages and exports what a search matches', async () => {
    for (const name of ['a', 'b', 'c']) await call('', { body: { address: `${name}@pages.example` } })
    const first = await list('search=pages.example&limit=2')
    const second = await list(`search=pages.example&limit=2&cursor=${first.nextCursor}`)
    const names = [...first.items, ...second.items].map(({ address }) => address[0])
    expect([names, second.nextCursor]).toEqual([['c', 'b', 'a'], null])
    const oldest = await list('search=pages.example&order=oldest&limit=2')
    const latest = await list(`search=pages.example&order=oldest&limit=2&cursor=${oldest.nextCursor}`)
    expect([...oldest.items, ...latest.items].map(({ address }) => address[0])).toEqual(['a', 'b', 'c'])
    expect((await call('?cursor=abc')).status).toBe(400)
    const csv = await (await call('/exports', { body: { search: 'pages.example' } })).text()
    expect(
      csv
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').slice(0, 2).join()),
    ).toEqual(['c', 'b', 'a'].map((name) => `${name}@pages.example,manual`))
  })

  it('is refused to everyone who is no superadmin', async () => {
    const other = await server.signIn(await createUser(server.client))
    expect((await call('', { token: other })).status).toBe(403)
    expect((await call('', { token: other, body: { address: 'a@b.example' } })).status).toBe(403)
  })
})

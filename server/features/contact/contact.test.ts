import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const operator = 'operator@earshot.example'
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ CONTACT_EMAIL: operator, TRUST_PROXY: '127.0.0.1' })
})
afterAll(() => server.stop())

const write = (change: object = {}) => ({
  id: randomUUID(),
  topic: 'problem',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  message: 'The button is not shown.\nSee https://evil.example/login',
  ...change,
})

let senders = 0
function takeAddress(): string {
  senders += 1
  return `203.0.113.${senders}`
}

/** Each from an address of its own, unless one is given. */
async function send(body: object, ip = takeAddress()) {
  const reply = await fetch(`${server.url}/api/v1/contact`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify(body),
  })
  // Problems and receipts alike.
  return { status: reply.status, headers: reply.headers, json: (await reply.json()) as Record<string, unknown> }
}

const stored = async (id: string) =>
  (await server.client.query('select * from contact_messages where id = $1', [id])).rows as Record<string, unknown>[]
const mailed = async (name: string) => (await server.mails()).filter(({ subject }) => subject.includes(name))

describe('POST /api/v1/contact', () => {
  it('stores a message and mails it to the operator alone, once, however often it is sent', async () => {
    const message = write({ name: 'Grace Hopper' })
    const replies = await Promise.all([send(message), send(message), send(message)])
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202])
    expect(replies[0]?.json).toEqual({ id: message.id })
    expect(await stored(message.id)).toMatchObject([{ topic: 'problem', email: 'ada@example.com', is_spam: false }])
    const mails = await mailed('Grace Hopper')
    expect(mails.map(({ to }) => to)).toEqual([operator])
    expect(mails[0]?.text).toContain('ada@example.com')
    expect(mails[0]?.text, 'no link of a stranger can be pressed').not.toContain('https://evil.example')
  })

  it('has answers go to who wrote, while the email is sent to the operator alone', async () => {
    const message = write({ name: 'Reply Person', email: 'reply@sender.example' })
    await send(message)
    const { rows } = await server.client.query(
      "select to_address, reply_to from app.emails where subject like '%Reply Person%'",
    )
    expect(rows).toEqual([{ to_address: operator, reply_to: 'reply@sender.example' }])
  })

  it('stores what a program filled in, mails nothing and answers the same', async () => {
    const message = write({ name: 'Robot', website: 'https://spam.example' })
    expect((await send(message)).status).toBe(202)
    expect(await stored(message.id)).toMatchObject([{ is_spam: true }])
    expect(await mailed('Robot')).toEqual([])
  })

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['name', 'Ada\r\nBcc: all@example.com'],
    ['email', 'not an address'],
    ['email', 'a@b.example\nBcc: all@example.com'],
    ['email', 'a@b.example, c@d.example'],
    ['email', '=?utf-8?q?x?=@ex.com'],
    ['email', `${'x'.repeat(250)}@example.com`],
    ['message', ''],
    ['message', 'x'.repeat(5001)],
    ['message', 'NUL\u0000'],
    ['topic', 'free money'],
    ['id', '1'],
  ])('names the field %s that is wrong: %j', async (field, value) => {
    const message = write({ [field]: value })
    const { status, json } = await send(message)
    expect([status, JSON.stringify(json.fields)]).toEqual([400, expect.stringContaining(field)])
  })

  it('refuses what is too large', async () => {
    expect((await send(write({ message: 'x'.repeat(300_000) }))).status).toBe(413)
  })

  it('lets one address write ten times an hour, and says when it may again', async () => {
    const replies = []
    for (let index = 0; index < 11; index += 1) replies.push(await send(write(), '198.51.100.7'))
    expect(replies.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 202), 429])
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(60)
  })

  it('is no way to send mail: at most 100 a day reach the operator, and all messages are stored', async () => {
    const ids: string[] = []
    for (let index = 0; index < 110; index += 1) {
      const message = write({ name: 'Flood' })
      ids.push(message.id)
      expect((await send(message, `192.0.2.${index}`)).status).toBe(202)
    }
    const { rows } = await server.client.query('select id from contact_messages where id = any($1)', [ids])
    expect(rows).toHaveLength(110)
    expect((await mailed('Flood')).length).toBeLessThanOrEqual(100)
    expect((await mailed('Flood')).length).toBeGreaterThan(50)
  })
})

it('stores 1,000 messages a day, from however many addresses', async () => {
  const other = await startTestServer({ TRUST_PROXY: '127.0.0.1' })
  const statuses: number[] = []
  try {
    for (let index = 0; index < 1005; index += 1) {
      const reply = await fetch(`${other.url}/api/v1/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.1.${index >> 8}.${index & 255}` },
        body: JSON.stringify(write()),
      })
      statuses.push(reply.status)
      await reply.arrayBuffer()
    }
    expect(statuses.slice(0, 1000).every((status) => status === 202)).toBe(true)
    expect(statuses.at(-1)).toBe(429)
    const { rows } = await other.client.query<{ count: string }>('select count(*) from contact_messages')
    expect(Number(rows[0]?.count)).toBeLessThan(1005)
  } finally {
    await other.stop()
  }
})

it('reaches the first superadmin where no setting names an address', async () => {
  const other = await startTestServer()
  try {
    const { rows } = await other.client.query(
      `with made as (
         insert into auth.users (id, instance_id, aud, role, email, email_confirmed_at, created_at, updated_at)
         values (gen_random_uuid(), '00000000-0000-0000-0000-000000000000', 'authenticated', 'authenticated',
           'root@earshot.example', now(), now() - interval '1 day', now()) returning id)
       insert into app.superadmins (user_id) select id from made on conflict do nothing returning user_id`,
    )
    expect(rows.length).toBeLessThanOrEqual(1)
    const reply = await fetch(`${other.url}/api/v1/contact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(write({ name: 'Linus' })),
    })
    expect(reply.status).toBe(202)
    const mails = (await other.mails()).filter(({ subject }) => subject.includes('Linus'))
    expect(mails.map(({ to }) => to)).toEqual(['root@earshot.example'])
  } finally {
    await other.stop()
  }
})

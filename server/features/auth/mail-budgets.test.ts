import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'
import { networkOf } from './mail-budgets.ts'

const perHour = 20
let server: TestAuthServer
let member: string
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_RATE_LIMIT_EMAIL_SENT: String(perHour), TRUST_PROXY: '127.0.0.1/32' })
  member = createAddress()
  await server.signUpConfirmed(member)
})
afterAll(() => server?.stop())

let sender = 0
let origin: string

/** Sends the request from a public network that no other has used, by default. */
function ask(path: string, body: object, ip?: string) {
  sender += 1
  const headers = { 'x-forwarded-for': ip ?? `11.${sender >> 8}.${sender & 255}.7` }
  return server.send('POST', `${origin}/auth/v1${path}`, { body, headers })
}

const signUp = (ip?: string) => ask('/signup', { email: createAddress(), password }, ip)

/** A process that remembers no refusal, on full budgets. */
async function fillBudgets(): Promise<void> {
  await server.sql.query(`delete from app.rate_limits where name like 'auth_mail%'`)
  origin = await server.startAnother()
}

async function countMails(email: string): Promise<number> {
  return (await server.sql.query('select from app.emails where to_address = $1', [email])).rowCount ?? 0
}

/** Requests for new addresses from ever new networks, until half of the hour's emails are gone. */
async function drainNew(): Promise<void> {
  await fillBudgets()
  const answers = await Promise.all(Array.from({ length: perHour / 2 }, () => signUp()))
  for (const { status } of answers) expect(status).toBe(200)
  expect(await signUp()).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
}

describe('emails to new addresses', () => {
  it('leave members their sign-in links and resets', async () => {
    await drainNew()
    const before = await countMails(member)
    expect((await ask('/otp', { email: member })).status).toBe(200)
    expect((await ask('/recover', { email: member })).status).toBe(200)
    expect(await countMails(member)).toBe(before + 2)
  })

  it('beyond their limit get the answers of known addresses, and no account', async () => {
    const waiting = createAddress()
    await fillBudgets()
    await ask('/signup', { email: waiting, password })
    const waitingMails = await countMails(waiting)
    await drainNew()
    for (const email of [createAddress(), waiting]) {
      const before = await countMails(email)
      for (const path of ['/otp', '/recover']) expect((await ask(path, { email })).status).toBe(200)
      expect(await countMails(email)).toBe(before)
    }
    expect(await countMails(waiting)).toBe(waitingMails)
    for (const email of [createAddress(), waiting, member]) {
      expect((await ask('/signup', { email, password })).status).toBe(429)
      expect((await ask('/resend', { type: 'signup', email })).status).toBe(429)
    }
  })
})

describe('emails to members', () => {
  it('leave new addresses their sign-ups, and answer known and unknown addresses alike beyond the limit', async () => {
    await fillBudgets()
    for (let index = 0; index < perHour / 2; index += 1) {
      expect((await ask('/recover', { email: member })).status).toBe(200)
    }
    for (const path of ['/recover', '/otp']) {
      for (const email of [member, createAddress()]) {
        expect(await ask(path, { email })).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
      }
    }
    expect((await signUp()).status).toBe(200)
  })
})

describe('a network', () => {
  it.each([
    ['IPv4 /24', (n: number) => `12.1.1.${n + 1}`, '12.1.2.1'],
    ['IPv6 /56', (n: number) => `2a01:db8:0:aa${n}${n}::${n + 1}`, '2a01:db8:0:ab00::1'],
  ])(
    '%s may request a tenth of the hour’s emails in each flow, with or without accounts',
    async (_name, addressOf, other) => {
      await fillBudgets()
      for (let index = 0; index < perHour / 10; index += 1) {
        const email = index % 2 === 0 ? member : createAddress()
        expect((await ask('/recover', { email }, addressOf(index))).status).toBe(200)
      }
      for (const email of [member, createAddress()]) {
        const refused = await ask('/recover', { email }, addressOf(9))
        expect(refused).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
      }
      expect((await ask('/otp', { email: member }, addressOf(9))).status).toBe(200)
      expect((await ask('/recover', { email: member }, other)).status).toBe(200)
    },
  )
})

describe('networkOf', () => {
  it.each([
    ['203.0.113.77', '203.0.113'],
    ['::ffff:203.0.113.77', '203.0.113'],
    ['2001:db8:1:22ff::1', '20010db8000122'],
    ['2001:db8::', '20010db8000000'],
    ['127.0.0.1', undefined],
    ['10.1.2.3', undefined],
    ['::1', undefined],
    ['fd00::1', undefined],
    ['', undefined],
  ])('of %s is %s', (ip, network) => {
    expect(networkOf(ip)).toBe(network)
  })
})

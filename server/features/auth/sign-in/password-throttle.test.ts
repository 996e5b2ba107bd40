import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  // The proxy's header, so that each request can come from a network of its own.
  server = await startAuthServer({ TRUST_PROXY: '127.0.0.1/32' })
})
afterAll(() => server?.stop())

let network = 0

function signIn(email: string, tried: string, cookie = '') {
  network += 1
  return server.send('POST', '/auth/v1/token?grant_type=password', {
    body: { email, password: tried },
    headers: { ...(cookie !== '' && { cookie }), 'x-forwarded-for': `198.18.${network >> 8}.${network & 255}` },
  })
}

/** The statuses of so many sign-ins with a wrong password, at once. */
async function guess(email: string, count: number, cookie = ''): Promise<Record<number, number>> {
  const answers = await Promise.all(Array.from({ length: count }, () => signIn(email, 'a wrong guess', cookie)))
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

async function takeDevice(email: string): Promise<string> {
  const { status, headers } = await signIn(email, password)
  expect(status).toBe(200)
  return headers.get('set-cookie')?.split(';')[0] ?? ''
}

describe('wrong passwords for one account', () => {
  it('are refused after 20 from any number of networks, and the correct one with them', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    expect(await guess(email, 30)).toEqual({ 400: 20, 429: 10 })
    const refused = await signIn(email, password)
    expect(refused).toMatchObject({ status: 429, body: { code: 'over_request_rate_limit' } })
    // One guess comes back every 12 minutes.
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(600)
    expect(seconds).toBeLessThanOrEqual(720)
  })

  it('never lock out a device in which the owner has signed in', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const device = await takeDevice(email)
    expect(await guess(email, 25)).toEqual({ 400: 20, 429: 5 })
    expect((await signIn(email, password, device)).status).toBe(200)
    expect((await signIn(email, 'mistyped', device)).status).toBe(400)
    expect((await signIn(email, password, device)).status).toBe(200)
  })

  it('are limited on such a device, too', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const [device, other] = [await takeDevice(email), await takeDevice(email)]
    expect(await guess(email, 22, device)).toEqual({ 400: 20, 429: 2 })
    expect((await signIn(email, password, other)).status).toBe(200)
  })

  it('get no limit of their own by the cookie of another account, or a made-up one', async () => {
    const [email, own] = [createAddress(), createAddress()]
    await Promise.all([server.signUpConfirmed(email), server.signUpConfirmed(own)])
    const device = await takeDevice(own)
    await guess(email, 20)
    for (const cookie of [device, `earshot-device=${'a'.repeat(43)}`, 'earshot-device=x']) {
      expect((await signIn(email, password, cookie)).status).toBe(429)
    }
  })

  it('are limited in the same way for an address without an account', async () => {
    const email = createAddress()
    expect(await guess(email, 22)).toEqual({ 400: 20, 429: 2 })
  })

  it('are not counted when the password is correct', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    for (let index = 0; index < 22; index += 1) expect((await signIn(email, password)).status).toBe(200)
  })
})

describe('the device cookie', () => {
  it('is unreadable for scripts, stays, and is stored only as a hash', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const { headers } = await signIn(email, password)
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^earshot-device=[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    const pair = cookie.split(';')[0] ?? ''
    const again = await signIn(email, password, pair)
    expect(again.headers.get('set-cookie')).toBe(cookie)
    const { rows } = await server.sql.query(
      'select d::text as row from app.known_devices d join auth.users u on u.id = d.user_id where u.email = $1',
      [email],
    )
    // The sign-up's own browser, and this one.
    expect(rows).toHaveLength(2)
    for (const { row } of rows) expect(row).not.toContain(pair.split('=')[1])
  })

  it('is forgotten with the account, and beyond 50 devices', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const { rows } = await server.sql.query('select id from auth.users where email = $1', [email])
    await server.sql.query(
      `insert into app.known_devices (user_id, token_hash, seen_at)
       select $1, sha256(n::text::bytea), now() - make_interval(days => n) from generate_series(1, 60) n`,
      [rows[0].id],
    )
    await takeDevice(email)
    const count = async () =>
      (await server.sql.query('select from app.known_devices where user_id = $1', [rows[0].id])).rowCount
    expect(await count()).toBe(50)
    await server.sql.query('delete from auth.users where id = $1', [rows[0].id])
    expect(await count()).toBe(0)
  })
})

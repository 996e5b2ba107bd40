import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
/** A second process on the same database. */
let otherUrl: string
beforeAll(async () => {
  server = await startAuthServer({
    GOTRUE_RATE_LIMIT_VERIFY: '30',
    GOTRUE_RATE_LIMIT_TOKEN_REFRESH: '6',
  })
  otherUrl = await server.startAnother()
})
afterAll(async () => {
  await server?.stop()
})

const tooMany: object = {
  status: 429,
  body: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
}

describe('limits of one address over two servers', () => {
  it('share one budget for sign-ins, and return when to retry', async () => {
    const attempt = (origin: string) =>
      server.send('POST', `${origin}/auth/v1/token?grant_type=password`, {
        body: { email: 'unknown@example.com', password },
      })
    for (let index = 0; index < 6; index += 1) {
      expect((await attempt(index % 2 === 0 ? server.url : otherUrl)).status).toBe(400)
    }
    for (const origin of [server.url, otherUrl]) {
      const refused = await attempt(origin)
      expect(refused).toMatchObject(tooMany)
      // One token comes back every 300 / 6 seconds.
      const seconds = Number(refused.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(40)
      expect(seconds).toBeLessThanOrEqual(50)
    }
    // Fifty seconds later:
    await server.sql.query("update app.rate_limits set full_at = full_at - interval '51 seconds' where name = 'token'")
    const thirdUrl = await server.startAnother()
    expect((await attempt(thirdUrl)).status).toBe(400)
    expect(await attempt(thirdUrl)).toMatchObject(tooMany)
  })

  it('grant 30 of 50 simultaneous requests, even invalid ones', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const origin = index % 2 === 0 ? server.url : otherUrl
        const body = { type: 'signup', email: `unknown-${index}@example.com`, token: '123456' }
        return (await server.send('POST', `${origin}/auth/v1/verify`, { body })).status
      }),
    )
    expect(statuses.filter((status) => status !== 429)).toHaveLength(30)
    const { rows } = await server.sql.query("select name from app.rate_limits where name = 'verify'")
    expect(rows).toHaveLength(1)
  })

  it('count each kind of call separately', async () => {
    const generous = await startAuthServer({ GOTRUE_RATE_LIMIT_OTP: '4' })
    try {
      const browser = await generous.signUpConfirmed(createAddress())
      const { data } = await browser.auth.getSession()
      const authorization = `Bearer ${data.session?.access_token}`
      const calls: Record<string, () => Promise<{ status: number }>> = {
        otp: () => generous.send('POST', '/auth/v1/otp', { body: { email: createAddress() } }),
        recover: () => generous.send('POST', '/auth/v1/recover', { body: { email: createAddress() } }),
        resend: () => generous.send('POST', '/auth/v1/resend', { body: { type: 'signup', email: createAddress() } }),
        user: () =>
          generous.send('PUT', '/auth/v1/user', { body: { data: { color: 'green' } }, headers: { authorization } }),
      }
      for (const [name, call] of Object.entries(calls)) {
        for (let index = 0; index < 4; index += 1) expect([name, (await call()).status]).toEqual([name, 200])
        expect(await call()).toMatchObject(tooMany)
      }
      const signUp = () => generous.send('POST', '/auth/v1/signup', { body: { email: createAddress(), password } })
      for (let index = 0; index < 3; index += 1) expect((await signUp()).status).toBe(200)
      expect(await signUp()).toMatchObject(tooMany)
    } finally {
      await generous.stop()
    }
  })

  it('store no address', async () => {
    const { rows } = await server.sql.query<{ row: string }>('select r::text as row from app.rate_limits r')
    expect(rows.length).toBeGreaterThan(1)
    for (const { row } of rows) expect(row).not.toMatch(/127\.0\.0\.1|example\.com/)
  })
})

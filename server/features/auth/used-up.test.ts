import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAddress, password, startAuthServer, type TestAuthServer } from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer()
})
afterAll(() => server?.stop())

describe('limits that strangers can use up', () => {
  it('do not keep a person from changing their password', async () => {
    const browser = await server.signUpConfirmed(createAddress())
    const { data } = await browser.auth.getUser()
    for (let index = 0; index < 11; index += 1) {
      const body = { type: 'email', email: `password ${data.user?.id}`, token: '000000' }
      expect((await server.send('POST', '/auth/v1/verify', { body })).body.code).toBe('validation_failed')
    }
    expect((await browser.auth.updateUser({ password: 'another horse', current_password: password })).error).toBe(null)
  })

  it.each([
    ['/recover', {}],
    ['/otp', { create_user: false }],
    ['/resend', { type: 'signup' }],
    ['/resend', { type: 'email_change' }],
  ])('%s gives all addresses the same answer when the instance’s emails are used up: %o', async (path, extra) => {
    const other = await startAuthServer({ GOTRUE_RATE_LIMIT_EMAIL_SENT: '4' })
    try {
      const [known, waiting] = [createAddress(), createAddress()]
      await other.signUpConfirmed(known)
      await other.openBrowser().auth.signUp({ email: waiting, password })
      await other.sql.query(
        `update auth.users set email_change = 'new@example.com', email_change_confirm_status = 0 where email = $1`,
        [known],
      )
      // The two sign-ups have used up the half for new addresses; this is the half for members.
      await other.sql.query(
        `insert into app.rate_limits values ('auth_mail_member', sha256('all'), now() + interval '1 hour')`,
      )
      const ask = (email: string) => other.send('POST', `/auth/v1${path}`, { body: { email, ...extra } })
      for (const email of [known, waiting, createAddress()]) {
        expect(await ask(email)).toMatchObject({ status: 429, body: { code: 'over_email_send_rate_limit' } })
      }
      // A refused request uses no budget: with room for one email, the next request gets it.
      await other.sql.query(
        `update app.rate_limits set full_at = full_at - interval '31 minutes' where name like 'auth_mail_%'`,
      )
      const restarted = await other.startAnother()
      const probe = (email: string) => other.send('POST', `${restarted}/auth/v1${path}`, { body: { email, ...extra } })
      for (let index = 0; index < 3; index += 1) expect((await probe(createAddress())).status).toBe(200)
    } finally {
      await other.stop()
    }
  })
})

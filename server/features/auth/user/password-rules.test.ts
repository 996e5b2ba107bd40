import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  createAddress,
  openLink,
  password,
  readCode,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'on' })
})
afterAll(() => server?.stop())

const next = 'another battery'

async function signIn(email: string, secret = password): Promise<Browser> {
  const browser = server.openBrowser()
  const { error } = await browser.auth.signInWithPassword({ email, password: secret })
  if (error) throw error
  return browser
}

/** Moves the session's start back by some hours, in its next token. */
async function ageSession(browser: Browser, hours: number): Promise<void> {
  const { data } = await browser.auth.getUser()
  await server.sql.query(
    `update auth.mfa_amr_claims set created_at = created_at - make_interval(hours => $2)
     where session_id in (select id from auth.sessions where user_id = $1)`,
    [data.user?.id, hours],
  )
  await browser.auth.refreshSession()
}

describe('a password with accents', () => {
  const [composed, decomposed] = ['caf\u00e9 cr\u00e8me', 'cafe\u0301 cre\u0300me']

  it.each([
    [composed, decomposed],
    [decomposed, composed],
  ])('is one in both Unicode forms', async (chosen, typed) => {
    const email = createAddress()
    await server.signUpConfirmed(email, chosen)
    for (const each of [typed, chosen]) {
      const browser = await signIn(email, each)
      const { error } = await browser.auth.updateUser({ password: each, current_password: typed })
      expect(error).toMatchObject({ code: 'same_password' })
    }
    const { error } = await server.openBrowser().auth.signInWithPassword({ email, password: 'cafe creme' })
    expect(error).toMatchObject({ code: 'invalid_credentials' })
  })

  it('works with a hash of either form from before', async () => {
    for (const stored of [composed, decomposed]) {
      const email = createAddress()
      await server.signUpConfirmed(email)
      await server.sql.query('update auth.users set encrypted_password = $2 where email = $1', [
        email,
        await hash(stored),
      ])
      for (const typed of [composed, decomposed]) await signIn(email, typed)
    }
  })
})

describe('a new password', () => {
  it('requires the current one, except within an hour of a recovery', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = server.openBrowser()
    const before = await server.mails.waitForMail(email)
    await browser.auth.resetPasswordForEmail(email)
    const mail = await server.mails.waitForMail(email, { after: before })
    await browser.auth.verifyOtp({ email, token: readCode(mail.text), type: 'recovery' })
    expect((await browser.auth.updateUser({ password: next })).error).toBeNull()
    await ageSession(browser, 1)
    const late = await browser.auth.updateUser({ password: 'a third battery' })
    expect(late.error).toMatchObject({ code: 'current_password_required', status: 400 })
    await signIn(email, next)
  })

  it('invalidates links emailed before it, and its owner gets an email', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = await signIn(email)
    const before = await server.mails.waitForMail(email)
    await server.openBrowser().auth.signInWithOtp({ email })
    const link = readLink((await server.mails.waitForMail(email, { after: before })).text)
    expect((await browser.auth.updateUser({ password: next, current_password: password })).error).toBeNull()
    const opened = await openLink(link)
    expect(opened.headers.get('location')).toContain('otp_expired')
    const notice = await server.mails.waitForMail(email, { subject: 'Your Earshot password was changed' })
    expect(notice.text).toContain(`${server.url}/forgot-password`)
  })

  it('allows ten guesses of the current one an hour per account', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = await signIn(email)
    const codes: (string | undefined)[] = []
    for (let round = 0; round < 11; round += 1) {
      const { error } = await browser.auth.updateUser({ password: next, current_password: `guess ${round}` })
      codes.push(error?.code)
    }
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'current_password_invalid'))
    expect(codes[10]).toBe('over_request_rate_limit')
  })

  it('requires an emailed code in a session older than a day, once', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = await signIn(email)
    await ageSession(browser, 25)
    const change = (nonce?: string) =>
      browser.auth.updateUser({ password: next, current_password: password, ...(nonce !== undefined && { nonce }) })
    expect((await change()).error).toMatchObject({ code: 'reauthentication_needed', status: 400 })
    expect((await change('000000')).error).toMatchObject({ code: 'reauthentication_not_valid', status: 422 })
    expect((await browser.auth.reauthenticate()).error).toBeNull()
    const mail = await server.mails.waitForMail(email, { subject: 'Your Earshot confirmation code' })
    const nonce = readCode(mail.text)
    await server.sql.query(
      `update auth.users set reauthentication_sent_at = reauthentication_sent_at - interval '11 minutes' where email = $1`,
      [email],
    )
    expect((await change(nonce)).error).toMatchObject({ code: 'reauthentication_not_valid' })
    await server.sql.query('update auth.users set reauthentication_sent_at = now() where email = $1', [email])
    expect((await change(nonce)).error).toBeNull()
    await signIn(email, next)
  })

  it('is exactly one of two that are set at the same moment', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const [one, two] = [await signIn(email), await signIn(email)]
    const change = (browser: Browser, chosen: string) =>
      browser.auth.updateUser({ password: chosen, current_password: password })
    const answers = await Promise.all([change(one, 'first battery'), change(two, 'second battery')])
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    const winner = answers[0]?.error === null ? 'first battery' : 'second battery'
    await signIn(email, winner)
  })
})

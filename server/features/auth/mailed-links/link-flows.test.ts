import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Browser,
  createAddress,
  openLink,
  password,
  readClaims,
  readCode,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
beforeAll(async () => {
  server = await startAuthServer({ GOTRUE_URI_ALLOW_LIST: 'https://other.example/**' })
})
afterAll(() => server?.stop())

type Flow = 'recovery' | 'magiclink'

/** Requests the email as the app does, and returns it. */
async function ask(browser: Browser, flow: Flow, email: string, redirectTo = `${server.url}/auth/callback?type=x`) {
  const before = (await server.mails.listMails(email)).at(-1)
  const { error } =
    flow === 'recovery'
      ? await browser.auth.resetPasswordForEmail(email, { redirectTo })
      : await browser.auth.signInWithOtp({ email, options: { emailRedirectTo: redirectTo } })
  if (error) throw error
  return server.mails.waitForMail(email, before ? { after: before } : {})
}

/** Opens a link and returns its redirect. */
async function open(link: string): Promise<URL> {
  const { headers, status } = await openLink(link)
  expect(status).toBe(303)
  return new URL(headers.get('location') ?? '')
}

async function moveClock(email: string, column: string, hours: number): Promise<void> {
  await server.sql.query(`update auth.users set ${column} = ${column} - make_interval(hours => $2) where email = $1`, [
    email,
    hours,
  ])
}

describe.each([
  ['recovery', 'recovery'],
  ['magiclink', 'magiclink'],
] as const)('a %s link', (flow, method) => {
  it('signs in the requesting browser, once, and names the method', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const browser = server.openBrowser()
    const link = readLink((await ask(browser, flow, email)).text)
    expect(new URL(link).searchParams.get('type')).toBe(flow)
    // Email scanners request the link first.
    expect((await server.send('HEAD', link, { key: null })).status).toBe(204)
    const target = await open(link)
    expect(`${target.origin}${target.pathname}`).toBe(`${server.url}/auth/callback`)
    expect([...target.searchParams.keys()]).toEqual(['code', 'type'])
    const code = target.searchParams.get('code') ?? ''

    expect((await server.openBrowser().auth.exchangeCodeForSession(code)).error).not.toBeNull()
    const { data, error } = await browser.auth.exchangeCodeForSession(code)
    expect(error).toBeNull()
    const claims = readClaims(data.session?.access_token ?? '')
    expect(claims).toMatchObject({ email, amr: [{ method }] })

    const again = await open(link)
    expect(again.searchParams.get('error_code')).toBe('otp_expired')
    expect(new URLSearchParams(again.hash.slice(1)).get('error')).toBe('access_denied')
  })

  it('hands a session to an app without PKCE', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const link = readLink((await ask(server.openBrowser({ flowType: 'implicit' }), flow, email)).text)
    const fragment = new URLSearchParams((await open(link)).hash.slice(1))
    expect([...fragment.keys()]).toEqual([
      'access_token',
      'expires_at',
      'expires_in',
      'refresh_token',
      'sb',
      'token_type',
      'type',
    ])
    expect(readClaims(fragment.get('access_token') ?? '')).toMatchObject({ email, amr: [{ method: 'otp' }] })
  })

  it('works for an hour, by link and by code', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const type = flow === 'recovery' ? 'recovery' : 'email'
    const mail = await ask(server.openBrowser(), flow, email)
    await moveClock(email, 'recovery_sent_at', 1)
    expect((await open(readLink(mail.text))).searchParams.get('error_code')).toBe('otp_expired')
    const browser = server.openBrowser()
    const late = await browser.auth.verifyOtp({ email, token: readCode(mail.text), type })
    expect(late.error).toMatchObject({ code: 'otp_expired', status: 403 })
    const fresh = await ask(browser, flow, email)
    const { data } = await browser.auth.verifyOtp({ email, token: readCode(fresh.text), type })
    expect(data.user?.email).toBe(email)
  })

  it('refuses a banned person', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const mail = await ask(server.openBrowser(), flow, email)
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 hour' where email = $1`, [email])
    expect((await open(readLink(mail.text))).searchParams.get('error_code')).toBe('user_banned')
    const { error } = await server.openBrowser().auth.verifyOtp({
      email,
      token: readCode(mail.text),
      type: flow === 'recovery' ? 'recovery' : 'email',
    })
    expect(error).toMatchObject({ code: 'user_banned', status: 403 })
  })

  it('redirects to allowed URLs only', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    for (const [wanted, origin] of [
      ['https://other.example/back', 'https://other.example'],
      ['https://evil.example/back', server.url],
      ['javascript:alert(1)', server.url],
    ] as const) {
      const mail = await ask(server.openBrowser(), flow, email, wanted)
      expect((await open(readLink(mail.text))).origin).toBe(origin)
    }
  })
})

describe('POST /otp', () => {
  it('creates an account without a password, and none where the caller or the operator disabled it', async () => {
    const [wanted, unwanted] = [createAddress(), createAddress()]
    const mail = await ask(server.openBrowser(), 'magiclink', wanted)
    expect(mail.subject).toBe('Confirm your email address for Earshot')
    const { data } = await server
      .openBrowser()
      .auth.verifyOtp({ email: wanted, token: readCode(mail.text), type: 'email' })
    expect(data.user).toMatchObject({ email: wanted, app_metadata: { provider: 'email' } })

    const { error } = await server.openBrowser().auth.signInWithOtp({
      email: unwanted,
      options: { shouldCreateUser: false },
    })
    // The same answer as for a known address, which hides who has an account.
    expect(error).toBeNull()
    const closed = await startAuthServer({ GOTRUE_DISABLE_SIGNUP: 'on' })
    try {
      expect((await closed.openBrowser().auth.signInWithOtp({ email: unwanted })).error).toBeNull()
      expect((await closed.sql.query('select from auth.users')).rowCount).toBe(0)
      expect((await server.sql.query('select from auth.users where email = $1', [unwanted])).rowCount).toBe(0)
    } finally {
      await closed.stop()
    }
  })

  it('signs in directly by the email where addresses need no confirmation', async () => {
    const open = await startAuthServer({ GOTRUE_MAILER_AUTOCONFIRM: 'on' })
    try {
      const email = createAddress()
      const browser = open.openBrowser()
      await browser.auth.signInWithOtp({ email })
      const mail = await open.mails.waitForMail(email)
      expect(mail.subject).toBe('Your sign-in link for Earshot')
      expect((await browser.auth.verifyOtp({ email, token: readCode(mail.text), type: 'email' })).error).toBeNull()
    } finally {
      await open.stop()
    }
  })

  it('refuses phone numbers', async () => {
    const { error } = await server.openBrowser().auth.signInWithOtp({ phone: '+491234567' })
    expect(error).toMatchObject({ code: 'phone_provider_disabled', status: 400 })
  })
})

describe('a secret for one purpose', () => {
  it('is invalid for another', async () => {
    const email = createAddress()
    const browser = server.openBrowser()
    await browser.auth.signUp({ email, password })
    const mail = await server.mails.waitForMail(email)
    for (const type of ['recovery', 'email_change'] as const) {
      const { error } = await browser.auth.verifyOtp({ email, token: readCode(mail.text), type })
      expect(error).toMatchObject({ code: 'otp_expired' })
    }
    const wrong = readLink(mail.text).replace('type=signup', 'type=recovery')
    expect((await open(wrong)).searchParams.get('error_code')).toBe('otp_expired')
    expect((await open(readLink(mail.text))).searchParams.get('code')).toBeTruthy()
  })

  it('is invalid as a sign-up’s, if it was sent for a recovery', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    const mail = await ask(server.openBrowser(), 'recovery', email)
    const link = readLink(mail.text).replace('type=recovery', 'type=signup')
    expect((await open(link)).searchParams.get('error_code')).toBe('otp_expired')
    const { error } = await server.openBrowser().auth.verifyOtp({ email, token: readCode(mail.text), type: 'signup' })
    expect(error).toMatchObject({ code: 'otp_expired' })
    expect((await open(readLink(mail.text))).searchParams.get('code')).toBeTruthy()
  })

  it('is valid for a day for a sign-up', async () => {
    const email = createAddress()
    await server.openBrowser().auth.signUp({ email, password })
    const link = readLink((await server.mails.waitForMail(email)).text)
    await moveClock(email, 'confirmation_sent_at', 24)
    expect((await open(link)).searchParams.get('error_code')).toBe('otp_expired')
    await moveClock(email, 'confirmation_sent_at', -1)
    expect((await open(link)).searchParams.get('code')).toBeTruthy()
  })
})

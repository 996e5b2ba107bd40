import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createAddress,
  openLink,
  password,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'
import { exchange, startGoogleSignIn, type TestGoogle } from '#server/testing/google-sign-in.ts'

let google: TestGoogle
let server: TestAuthServer
beforeAll(async () => {
  google = await startGoogleSignIn()
  server = google.server
}, 60_000)
afterAll(() => google?.stop())

const strangersPassword = 'a stranger’s own'

async function openLatestLink(email: string): Promise<URL> {
  const link = readLink((await server.mails.waitForMail(email)).text)
  const response = await openLink(link)
  return new URL(response.headers.get('location') ?? '')
}

async function tryPassword(email: string, tried: string) {
  return (await server.openBrowser().auth.signInWithPassword({ email, password: tried })).error?.code
}

async function findProviders(email: string): Promise<string[]> {
  const { rows } = await server.sql.query(
    `select i.provider from auth.identities i join auth.users u on u.id = i.user_id where u.email = $1`,
    [email],
  )
  return rows.map(({ provider }) => provider)
}

describe('an account that a stranger created for another person’s address', () => {
  it('is not the stranger’s once its owner has signed up, too, and opened the email', async () => {
    const email = createAddress()
    await server.openBrowser().auth.signUp({ email, password: strangersPassword })
    const first = await server.mails.waitForMail(email)
    const owner = server.openBrowser()
    await owner.auth.signUp({ email, password })
    const { text } = await server.mails.waitForMail(email, { after: first })
    const { headers } = await openLink(readLink(text))
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect((await owner.auth.exchangeCodeForSession(code)).error).toBe(null)
    expect(await tryPassword(email, strangersPassword)).toBe('invalid_credentials')
  })

  it('is not the stranger’s while the owner’s email is refused and the stranger’s is opened', async () => {
    const paused = await startAuthServer({ GOTRUE_SMTP_MAX_FREQUENCY: '60' })
    try {
      const email = createAddress()
      await paused.openBrowser().auth.signUp({ email, password: strangersPassword })
      const { error } = await paused.openBrowser().auth.signUp({ email, password })
      expect(error?.code).toBe('over_email_send_rate_limit')
      await openLink(readLink((await paused.mails.waitForMail(email)).text))
      const stranger = await paused.openBrowser().auth.signInWithPassword({ email, password: strangersPassword })
      expect(stranger.error?.code).toBe('invalid_credentials')
    } finally {
      await paused.stop()
    }
  })

  it('keeps its password for the same person who signs up twice', async () => {
    const email = createAddress()
    await server.openBrowser().auth.signUp({ email, password })
    const first = await server.mails.waitForMail(email)
    await server.openBrowser().auth.signUp({ email, password })
    const { text } = await server.mails.waitForMail(email, { after: first })
    await openLink(readLink(text))
    expect(await tryPassword(email, password)).toBe(undefined)
  })

  it.each(['magic link', 'recovery', 'sign-up'])('loses the stranger’s unverified Google by a %s', async (way) => {
    const { email } = google.takeAccount({ isVerified: false })
    const refused = await google.signIn(email)
    expect(refused.target.searchParams.get('error_code')).toBe('provider_email_needs_verification')
    const first = await server.mails.waitForMail(email)
    const { auth } = server.openBrowser()
    if (way === 'magic link') await auth.signInWithOtp({ email })
    else if (way === 'recovery') await auth.resetPasswordForEmail(email)
    else await auth.signUp({ email, password })
    const { text } = await server.mails.waitForMail(email, { after: first })
    await openLink(readLink(text))
    expect(await findProviders(email)).toEqual(['email'])
    const again = await google.signIn(email)
    expect(again.target.searchParams.get('error_code')).toBe('provider_email_needs_verification')
  })

  it('keeps Google when the email of the Google sign-in itself is opened', async () => {
    const { email } = google.takeAccount({ isVerified: false })
    await google.signIn(email)
    await openLatestLink(email)
    expect((await exchange(await google.signIn(email))).user.email).toBe(email)
  })

  it('gets the password of a program’s sign-up link', async () => {
    const email = createAddress()
    await server.openBrowser().auth.signUp({ email, password: strangersPassword })
    const { secretKey } = server.auth.server?.parts.keys ?? {}
    const { body } = await server.send('POST', '/auth/v1/admin/generate_link', {
      key: secretKey ?? '',
      body: { type: 'signup', email, password },
    })
    await openLink(body.action_link)
    expect(await tryPassword(email, strangersPassword)).toBe('invalid_credentials')
    expect(await tryPassword(email, password)).toBe(undefined)
  })
})
describe('an unexchanged code', () => {
  it('signs no one in once the password has changed', async () => {
    const email = createAddress()
    const owner = await server.signUpConfirmed(email)
    const first = await server.mails.waitForMail(email)
    const stranger = server.openBrowser()
    await stranger.auth.signInWithOtp({ email })
    const { text } = await server.mails.waitForMail(email, { after: first })
    const { headers } = await openLink(readLink(text))
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect((await owner.auth.updateUser({ password: 'another horse', current_password: password })).error).toBe(null)
    expect((await stranger.auth.exchangeCodeForSession(code)).error?.code).toBe('flow_state_not_found')
  })
})

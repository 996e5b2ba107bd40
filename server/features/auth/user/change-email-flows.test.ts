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
  server = await startAuthServer()
})
afterAll(() => server?.stop())

/** A signed-in person who requests a new address. */
async function beginChange(
  on: TestAuthServer = server,
): Promise<{ browser: Browser; email: string; newEmail: string }> {
  const [email, newEmail] = [createAddress(), createAddress()]
  const browser = await on.signUpConfirmed(email)
  const { data, error } = await browser.auth.updateUser({ email: newEmail })
  if (error) throw error
  if (on === server) expect(data.user).toMatchObject({ email, new_email: newEmail })
  return { browser, email, newEmail }
}

const toOld = (email: string, on = server) => on.mails.waitForMail(email, { subject: /^Confirm the change/ })
const toNew = (email: string, on = server) => on.mails.waitForMail(email, { subject: /^Confirm your new/ })

async function hasAccount(email: string, on = server): Promise<boolean> {
  return (await on.sql.query('select from auth.users where email = $1', [email])).rowCount === 1
}

async function open(link: string): Promise<URL> {
  const { headers } = await openLink(link)
  return new URL(headers.get('location') ?? '')
}

describe('an email change', () => {
  it('reports the missing confirmation after the first link, in either order, and applies everywhere', async () => {
    const { browser, email, newEmail } = await beginChange()
    const half = await open(readLink((await toNew(newEmail)).text))
    const message = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'
    expect(half.searchParams.get('message')).toBe(message)
    expect(new URLSearchParams(half.hash.slice(1)).get('message')).toBe(message)
    expect(half.searchParams.get('code')).toBeNull()
    expect((await browser.auth.getUser()).data.user?.email).toBe(email)

    const whole = await open(readLink((await toOld(email)).text))
    const { data, error } = await browser.auth.exchangeCodeForSession(whole.searchParams.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email: newEmail, user_metadata: { email: newEmail, email_verified: true } })
    expect(data.user?.new_email).toBeUndefined()
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email: newEmail })
    const { rows } = await server.sql.query('select email from profiles where user_id = $1', [data.user?.id])
    expect(rows).toEqual([{ email: newEmail }])
    const notice = await server.mails.waitForMail(email, { subject: 'Your Earshot email address was changed' })
    expect(notice.text).toContain(newEmail)
  })

  it('accepts the codes of both emails', async () => {
    const { email, newEmail } = await beginChange()
    const verify = async (address: string, text: string) =>
      server.send('POST', '/auth/v1/verify', { body: { type: 'email_change', email: address, token: readCode(text) } })
    const oldMail = (await toOld(email)).text
    expect(await verify(email, oldMail)).toMatchObject({
      status: 200,
      body: { code: '200', msg: expect.stringContaining('other email') },
    })
    // One mailbox is not enough.
    expect(await verify(email, oldMail)).toMatchObject({ status: 403, body: { code: 'otp_expired' } })
    const last = await verify(newEmail, (await toNew(newEmail)).text)
    expect(last).toMatchObject({ status: 200, body: { user: { email: newEmail } } })
  })

  it('starts over when its emails are requested again', async () => {
    const { browser, email, newEmail } = await beginChange()
    const [oldMail, newMail] = [await toOld(email), await toNew(newEmail)]
    await open(readLink(oldMail.text))
    expect((await browser.auth.resend({ type: 'email_change', email })).error).toBeNull()
    const again = await server.mails.waitForMail(newEmail, { after: newMail })
    expect((await open(readLink(newMail.text))).searchParams.get('error_code')).toBe('otp_expired')
    expect((await open(readLink(again.text))).hash).toContain('message=')
    const last = await server.mails.waitForMail(email, { after: oldMail, subject: /^Confirm the change/ })
    await open(readLink(last.text))
    expect(await hasAccount(newEmail)).toBe(true)
  })

  it('signs out every device, and signs in the browser that confirms it', async () => {
    const { browser, email, newEmail } = await beginChange()
    const phone = server.openBrowser()
    await phone.auth.signInWithPassword({ email, password })
    await open(readLink((await toNew(newEmail)).text))
    expect((await phone.auth.getUser()).error).toBeNull()
    const whole = await open(readLink((await toOld(email)).text))
    expect((await phone.auth.getUser()).error?.name).toBe('AuthSessionMissingError')
    const { rowCount } = await server.sql.query(
      'select from auth.sessions s join auth.users u on u.id = s.user_id where u.email = $1',
      [newEmail],
    )
    expect(rowCount).toBe(0)
    const entered = await browser.auth.exchangeCodeForSession(whole.searchParams.get('code') ?? '')
    expect(entered.data.user?.email).toBe(newEmail)
    expect((await browser.auth.getUser()).data.user?.email).toBe(newEmail)
  })

  it.each([
    ['the new address only, where the operator configured it', { GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: 'off' }],
    ['no address, where addresses need no confirmation', { GOTRUE_MAILER_AUTOCONFIRM: 'on' }],
  ])('requires a confirmation from %s', async (_what, env) => {
    const other = await startAuthServer(env)
    try {
      const isConfirmed = 'GOTRUE_MAILER_AUTOCONFIRM' in env
      const [email, newEmail] = [createAddress(), createAddress()]
      const browser = isConfirmed ? other.openBrowser() : await other.signUpConfirmed(email)
      if (isConfirmed) await browser.auth.signUp({ email, password: 'correct horse' })
      await browser.auth.updateUser({ email: newEmail })
      if (!isConfirmed) {
        await openLink(readLink((await toNew(newEmail, other)).text))
        expect(
          (await other.mails.listMails(email)).some(({ subject }) => subject.startsWith('Confirm the change')),
        ).toBe(false)
      }
      expect(await hasAccount(newEmail, other)).toBe(true)
      // Without a confirmation, the session that moved the account stays.
      if (isConfirmed) expect((await browser.auth.getUser()).data.user?.email).toBe(newEmail)
    } finally {
      await other.stop()
    }
  })
})

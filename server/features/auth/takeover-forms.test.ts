import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailReader } from '#doubles/read-mails.ts'
import {
  type Browser,
  openLink,
  password,
  readCode,
  readLink,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'
import { startGoogleSignIn, type TestGoogle } from '#server/testing/google-sign-in.ts'

type Mail = Awaited<ReturnType<MailReader['waitForMail']>>

let google: TestGoogle
let server: TestAuthServer
beforeAll(async () => {
  google = await startGoogleSignIn()
  server = google.server
}, 60_000)
afterAll(() => google?.stop())

const strangersPassword = 'a stranger’s own'

/** What a stranger does first with an address that is not theirs. @returns nothing; each causes one email */
const beginnings: Record<string, (email: string) => Promise<unknown>> = {
  'sign-up with a password': (email) => server.openBrowser().auth.signUp({ email, password: strangersPassword }),
  'unverified Google sign-in': (email) => google.signIn(email),
}

interface Owner {
  readonly browser: Browser
  readonly email: string
}

const asProgram = (path: string, body: object) =>
  server.send('POST', `/auth/v1${path}`, { key: server.auth.server?.parts.keys.secretKey ?? '', body })

/** Whatever else causes a secret to be emailed to the address. */
const requests: Record<string, (owner: Owner) => Promise<unknown>> = {
  'sign-in link': ({ browser, email }) => browser.auth.signInWithOtp({ email }),
  'sign-in link for members only': ({ browser, email }) =>
    browser.auth.signInWithOtp({ email, options: { shouldCreateUser: false } }),
  'password reset': ({ browser, email }) => browser.auth.resetPasswordForEmail(email),
  'sign-up of their own': ({ browser, email }) => browser.auth.signUp({ email, password }),
  'Google sign-in, unverified': ({ browser, email }) => google.signIn(email, browser),
  'operator’s invitation': ({ email }) => asProgram('/invite', { email }),
  'program’s recovery link': ({ email }) => asProgram('/admin/generate_link', { type: 'recovery', email }),
  'program’s sign-in link': ({ email }) => asProgram('/admin/generate_link', { type: 'magiclink', email }),
  'team’s invitation': ({ email }) =>
    server.sql.query(
      `insert into public.invitations (organization_id, id, email, role, token_hash, invited_by)
       select o.id, gen_random_uuid(), $1, 'member', $2, gen_random_uuid() from public.organizations o limit 1`,
      [email, randomBytes(32)],
    ),
}

/** How the owner then reads their mailbox. */
const readings: Record<string, (mails: readonly Mail[], email: string) => Promise<unknown>> = {
  'the older code': async ([older], email) => enterCode(email, older),
  'the newer link, then the older': async (mails) => {
    await openLink(readLink(mails.at(-1)?.text ?? ''))
    await openLink(readLink(mails[0]?.text ?? ''))
  },
  'the older link, then the newer': async (mails) => {
    await openLink(readLink(mails[0]?.text ?? ''))
    await openLink(readLink(mails.at(-1)?.text ?? ''))
  },
}

async function enterCode(email: string, mail: Mail | undefined): Promise<void> {
  for (const type of ['signup', 'email', 'recovery']) {
    await server.send('POST', '/auth/v1/verify', { body: { type, email, token: readCode(mail?.text ?? '') } })
  }
}

/** Whatever the stranger can try with what they know and have. */
async function tryAsStranger(email: string): Promise<string[]> {
  const entries: string[] = []
  const byPassword = await server.openBrowser().auth.signInWithPassword({ email, password: strangersPassword })
  if (byPassword.error?.code !== 'invalid_credentials')
    entries.push(`password: ${byPassword.error?.code ?? 'signed in'}`)
  const again = await google.signIn(email)
  if (again.target.searchParams.has('code')) entries.push('Google')
  const { rows } = await server.sql.query(
    `select i.provider from auth.identities i join auth.users u on u.id = i.user_id where u.email = $1 and i.provider <> 'email'`,
    [email],
  )
  return [...entries, ...rows.map(({ provider }) => `identity: ${provider}`)]
}

describe.each(Object.keys(beginnings))('a stranger’s %s', (beginning) => {
  // Both would be one person's: Google has one account with an address.
  const others = Object.keys(requests).filter((each) => !(beginning.includes('Google') && each.includes('Google')))
  it.each(others)('is worthless after the owner’s %s, whichever email is opened', async (request) => {
    const tryReading = async (reading: string) => {
      const { email } = google.takeAccount({ isVerified: false })
      await beginnings[beginning]?.(email)
      const older = await server.mails.waitForMail(email)
      await requests[request]?.({ browser: server.openBrowser(), email })
      const sendsMail = !/program|team/.test(request)
      const newer = sendsMail ? [await server.mails.waitForMail(email, { after: older })] : []
      await readings[reading]?.([older, ...newer], email)
      return [reading, await tryAsStranger(email)]
    }
    const found = await Promise.all(Object.keys(readings).map(tryReading))
    expect(found).toEqual(Object.keys(readings).map((reading) => [reading, []]))
  })
})

describe('an owner whose address a stranger has used', () => {
  it.each(['sign-in link', 'password reset'])(
    'gets in by a %s, and reads that the sign-up was cancelled',
    async (request) => {
      const { email } = google.takeAccount({ isVerified: false })
      await server.openBrowser().auth.signUp({ email, password: strangersPassword })
      const older = await server.mails.waitForMail(email)
      const browser = server.openBrowser()
      await requests[request]?.({ browser, email })
      const newer = await server.mails.waitForMail(email, { after: older })
      expect(newer.text).toContain('This cancels an earlier sign-up with this address')
      expect(newer.text).toMatch(/Requested on \d+ \w+ \d{4} at \d\d:\d\d UTC, in .+, from the network 127\.0\.0\.x\./)
      expect(older.text).toMatch(/Requested on .* UTC/)
      const { headers } = await openLink(readLink(newer.text))
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
      const { data } = await browser.auth.exchangeCodeForSession(code)
      expect(data.session?.user.email).toBe(email)
      expect((await browser.auth.updateUser({ password })).error).toBe(null)
      expect((await server.openBrowser().auth.signInWithPassword({ email, password })).error).toBe(null)
    },
  )

  it('keeps a password of their own when no one else asks', async () => {
    const { email } = google.takeAccount({ isVerified: false })
    await server.openBrowser().auth.signUp({ email, password })
    const first = await server.mails.waitForMail(email)
    await server.openBrowser().auth.resend({ type: 'signup', email })
    await openLink(readLink((await server.mails.waitForMail(email, { after: first })).text))
    expect((await server.openBrowser().auth.signInWithPassword({ email, password })).error).toBe(null)
  })

  it('keeps their account when they open a stranger’s email change', async () => {
    const { email } = google.takeAccount({ isVerified: false })
    const strangersEmail = `stranger-${email}`
    const stranger = await server.signUpConfirmed(strangersEmail, strangersPassword)
    const signUp = await server.mails.waitForMail(strangersEmail)
    await stranger.auth.updateUser({ email })
    const change = await server.mails.waitForMail(email)
    await openLink(readLink((await server.mails.waitForMail(strangersEmail, { after: signUp })).text))
    await server.openBrowser().auth.signInWithOtp({ email })
    const own = await server.mails.waitForMail(email, { after: change })
    await openLink(readLink(change.text))
    await openLink(readLink(own.text))
    expect(await tryAsStranger(email)).toEqual([])
    const { data } = await stranger.auth.getUser()
    expect(data.user?.email).toBe(strangersEmail)
  })
})

describe('an unverified Google sign-in', () => {
  it.each([true, false])(
    'sends the email that it announces to an address with an account (confirmed: %s)',
    async (isConfirmed) => {
      const { email } = google.takeAccount({ isVerified: false })
      if (isConfirmed) await server.signUpConfirmed(email)
      else await server.openBrowser().auth.signUp({ email, password })
      const before = await server.mails.waitForMail(email)
      const { browser, target } = await google.signIn(email)
      expect(target.searchParams.get('error_description')).toContain('A confirmation email has been sent')
      const { text } = await server.mails.waitForMail(email, { after: before })
      const { headers } = await openLink(readLink(text))
      const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? ''
      expect((await browser.auth.exchangeCodeForSession(code)).data.session?.user.email).toBe(email)
    },
  )
})

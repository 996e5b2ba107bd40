import { GoTrueAdminApi } from '@supabase/auth-js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getAuthServer } from '#server/features/auth/auth.service.ts'
import {
  createAddress,
  openLink,
  password,
  readCode,
  readLink,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'

let server: TestAuthServer
let admin: GoTrueAdminApi
beforeAll(async () => {
  server = await startAuthServer()
  const key = getAuthServer(server.auth).parts.keys.secretKey
  admin = new GoTrueAdminApi({
    url: `${server.url}/auth/v1`,
    headers: { apikey: key, Authorization: `Bearer ${key}` },
  })
})
afterAll(() => server?.stop())

async function createUser(isConfirmed = true): Promise<{ id: string; email: string }> {
  const { data, error } = await admin.createUser({ email: createAddress(), password, email_confirm: isConfirmed })
  if (error) throw error
  return { id: data.user.id, email: data.user.email ?? '' }
}

/** The redirect of a link, and its session. */
async function open(link: string) {
  const response = await openLink(link)
  const target = new URL(response.headers.get('location') ?? 'http://nowhere')
  return { status: response.status, target, outcome: new URLSearchParams(target.hash.slice(1)) }
}

async function findOrganizations(userId: string): Promise<unknown[]> {
  const { rows } = await server.sql.query('select organization_id from public.memberships where user_id = $1', [userId])
  return rows
}

describe('POST /invite', () => {
  it('emails a link that signs the invited person in, to an account without an organisation of its own', async () => {
    const email = createAddress()
    const { data, error } = await admin.inviteUserByEmail(email.toUpperCase(), {
      data: { full_name: 'Ada' },
      redirectTo: `${server.url}/reset-password`,
    })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email,
      user_metadata: { full_name: 'Ada' },
      identities: [{ provider: 'email' }],
      invited_at: expect.any(String),
      confirmation_sent_at: expect.any(String),
    })
    expect(data.user).not.toHaveProperty('email_confirmed_at')
    expect(await findOrganizations(data.user?.id ?? '')).toEqual([])
    const mail = await server.mails.waitForMail(email)
    const link = readLink(mail.text)
    expect(link).toContain('type=invite')
    const { target, outcome } = await open(link)
    expect(target.pathname).toBe('/reset-password')
    expect(outcome.get('type')).toBe('invite')
    const browser = server.openBrowser({ flowType: 'implicit' })
    const session = await browser.auth.setSession({
      access_token: outcome.get('access_token') ?? '',
      refresh_token: outcome.get('refresh_token') ?? '',
    })
    expect(session.error).toBeNull()
    expect((await open(link)).outcome.get('error_code')).toBe('otp_expired')
    expect((await admin.inviteUserByEmail(email)).error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('invites an unconfirmed person again, and only the latest email works', async () => {
    const email = createAddress()
    const first = await admin.inviteUserByEmail(email)
    const old = readLink((await server.mails.waitForMail(email)).text)
    await server.mails.clearMails()
    const again = await admin.inviteUserByEmail(email)
    expect(again.data.user?.id).toBe(first.data.user?.id)
    const mail = await server.mails.waitForMail(email)
    expect((await open(old)).outcome.get('error_code')).toBe('otp_expired')
    const browser = server.openBrowser()
    const { error } = await browser.auth.verifyOtp({ email, token: readCode(mail.text), type: 'invite' })
    expect(error).toBeNull()
  })

  it('creates one account from many invitations at a time', async () => {
    const email = createAddress()
    const all = await Promise.all([1, 2, 3, 4].map(() => admin.inviteUserByEmail(email)))
    expect(all.map(({ error }) => error)).toEqual([null, null, null, null])
    expect(new Set(all.map(({ data }) => data.user?.id)).size).toBe(1)
  })

  it('removes the password of an account that a stranger may have created', async () => {
    const email = createAddress()
    await server.openBrowser().auth.signUp({ email, password: 'stranger’s' })
    await server.mails.waitForMail(email)
    await server.mails.clearMails()
    await admin.inviteUserByEmail(email)
    await open(readLink((await server.mails.waitForMail(email)).text))
    const { error } = await server.openBrowser().auth.signInWithPassword({ email, password: 'stranger’s' })
    expect(error?.code).toBe('invalid_credentials')
  })

  it('refuses an invalid address', async () => {
    expect((await admin.inviteUserByEmail('no-address')).error?.code).toBe('validation_failed')
    expect((await admin.inviteUserByEmail('')).error?.code).toBe('validation_failed')
  })
})

describe('POST /admin/generate_link', () => {
  it('makes a sign-up link with an account, and sends nothing', async () => {
    const email = createAddress()
    const { data, error } = await admin.generateLink({
      type: 'signup',
      email,
      password,
      options: { data: { full_name: 'Ada' }, redirectTo: `${server.url}/dashboard` },
    })
    expect(error).toBeNull()
    expect(data.properties).toMatchObject({
      verification_type: 'signup',
      redirect_to: `${server.url}/dashboard`,
      email_otp: expect.stringMatching(/^\d{6}$/),
      hashed_token: expect.stringMatching(/^[0-9a-f]{56}$/),
    })
    expect(data.user).toMatchObject({ email, user_metadata: { full_name: 'Ada' } })
    const link = new URL(data.properties?.action_link ?? '')
    expect(link.origin + link.pathname).toBe(`${server.url}/auth/v1/verify`)
    expect(link.searchParams.get('token')).toBe(data.properties?.hashed_token)
    const { outcome } = await open(link.href)
    expect(outcome.get('access_token')).toBeTruthy()
    const browser = server.openBrowser()
    expect((await browser.auth.signInWithPassword({ email, password })).error).toBeNull()
    expect(await findOrganizations(data.user?.id ?? '')).toHaveLength(1)
    expect(await server.mails.listMails(email)).toEqual([])
    const again = await admin.generateLink({ type: 'signup', email, password })
    expect(again.error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it.each(['magiclink', 'recovery'] as const)('makes a %s link, whose code and token work as well', async (type) => {
    const { email } = await createUser()
    const link = await admin.generateLink({ type, email })
    expect(link.data.properties?.verification_type).toBe(type)
    expect((await open(link.data.properties?.action_link ?? '')).outcome.get('access_token')).toBeTruthy()
    const code = await admin.generateLink({ type, email })
    const token = code.data.properties?.email_otp ?? ''
    expect((await server.openBrowser().auth.verifyOtp({ email, token, type })).error).toBeNull()
    const hash = await admin.generateLink({ type, email })
    const token_hash = hash.data.properties?.hashed_token ?? ''
    expect((await server.openBrowser().auth.verifyOtp({ token_hash, type })).error).toBeNull()
    expect((await server.openBrowser().auth.verifyOtp({ token_hash, type })).error?.code).toBe('otp_expired')
  })

  it('turns a magic link to an unknown address into a sign-up', async () => {
    const email = createAddress()
    const { data } = await admin.generateLink({ type: 'magiclink', email })
    expect(data.properties?.verification_type).toBe('signup')
    expect((await open(data.properties?.action_link ?? '')).outcome.get('access_token')).toBeTruthy()
  })

  it('makes an invitation', async () => {
    const email = createAddress()
    const { data } = await admin.generateLink({ type: 'invite', email })
    expect(data.user?.invited_at).toBeTruthy()
    expect(await findOrganizations(data.user?.id ?? '')).toEqual([])
    expect((await open(data.properties?.action_link ?? '')).outcome.get('type')).toBe('invite')
    expect((await admin.generateLink({ type: 'invite', email })).error?.code).toBe('email_exists')
  })

  it('changes an address once both have confirmed it', async () => {
    const [{ id, email }, newEmail, taken] = [await createUser(), createAddress(), await createUser()]
    const current = await admin.generateLink({ type: 'email_change_current', email, newEmail })
    const fresh = await admin.generateLink({ type: 'email_change_new', email, newEmail })
    expect(fresh.data.properties?.verification_type).toBe('email_change_new')
    expect(fresh.data.user?.new_email).toBe(newEmail)
    await open(current.data.properties?.action_link ?? '')
    expect((await admin.getUserById(id)).data.user?.email).toBe(email)
    await open(fresh.data.properties?.action_link ?? '')
    expect((await admin.getUserById(id)).data.user?.email).toBe(newEmail)
    const refused = await admin.generateLink({ type: 'email_change_new', email: newEmail, newEmail: taken.email })
    expect(refused.error).toMatchObject({ status: 422, code: 'email_exists' })
  })

  it('finds no account at an unknown address', async () => {
    const [email, newEmail] = [createAddress(), createAddress()]
    for (const { error } of [
      await admin.generateLink({ type: 'recovery', email }),
      await admin.generateLink({ type: 'email_change_new', email, newEmail }),
    ]) {
      expect(error).toMatchObject({ status: 404, code: 'user_not_found', message: 'User with this email not found' })
    }
  })

  it('redirects to allowed URLs only, and refuses invalid input', async () => {
    const { email } = await createUser()
    const { data } = await admin.generateLink({
      type: 'recovery',
      email,
      options: { redirectTo: 'https://evil.example/' },
    })
    expect(new URL(data.properties?.redirect_to ?? '').origin).toBe(server.url)
    for (const body of [
      { type: 'x', email },
      { email },
      { type: 'recovery' },
      { type: 'recovery', email: 'x' },
      { type: 'signup', email: createAddress() },
      { type: 'email_change_new', email },
    ]) {
      const { error } = await admin.generateLink(body as never)
      expect(error, JSON.stringify(body)).toMatchObject({ status: 400, code: 'validation_failed' })
    }
    const weak = await admin.generateLink({ type: 'signup', email: createAddress(), password: '12345' })
    expect(weak.error?.code).toBe('weak_password')
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
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
  server = await startAuthServer()
})
afterAll(() => server?.stop())

describe('the complete flow with the real client library', () => {
  it('covers sign-up, email, link, code exchange, session and sign-out', async () => {
    const email = createAddress()
    const browser = server.openBrowser()
    const signedUp = await browser.auth.signUp({
      email: email.toUpperCase(),
      password,
      options: {
        emailRedirectTo: `${server.url}/auth/callback?next=%2Fdashboard`,
        data: { organization_name: 'Acme & Söhne', full_name: 'Ada Lovelace' },
      },
    })
    expect(signedUp.error).toBeNull()
    expect(signedUp.data.session).toBeNull()
    expect(signedUp.data.user).toMatchObject({
      email,
      aud: 'authenticated',
      role: 'authenticated',
      phone: '',
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { organization_name: 'Acme & Söhne', full_name: 'Ada Lovelace', email, email_verified: false },
      is_anonymous: false,
    })
    expect(signedUp.data.user?.identities).toHaveLength(1)
    expect(signedUp.data.user?.confirmation_sent_at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(signedUp.data.user).not.toHaveProperty('email_confirmed_at')

    const early = await browser.auth.signInWithPassword({ email, password })
    expect(early.error).toMatchObject({ status: 400, code: 'email_not_confirmed', message: 'Email not confirmed' })

    const mail = await server.mails.waitForMail(email)
    expect(mail.subject).toBe('Confirm your email address for Earshot')
    expect(readCode(mail.text)).toMatch(/^\d{6}$/)
    const link = readLink(mail.text)
    expect(mail.links).toContain(link)
    expect(link).toMatch(/\/auth\/v1\/verify\?token=pkce_[0-9a-f]{56}&type=signup&redirect_to=http/)
    expect(new URL(link).origin).toBe(server.url)

    const opened = await openLink(link)
    expect(opened.status).toBe(303)
    const target = new URL(opened.headers.get('location') ?? '')
    expect(target.origin + target.pathname).toBe(`${server.url}/auth/callback`)
    expect([...target.searchParams.keys()]).toEqual(['code', 'next'])

    const stranger = await server.openBrowser().auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(stranger.error?.code).toBe('pkce_code_verifier_not_found')
    const exchanged = await browser.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(exchanged.error).toBeNull()
    expect(exchanged.data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
    expect(exchanged.data.user).toMatchObject({ email, user_metadata: { email_verified: true } })
    expect(exchanged.data.user?.email_confirmed_at).toBeTruthy()
    expect(exchanged.data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true })

    const userId = exchanged.data.user?.id ?? ''
    expect(readClaims(exchanged.data.session?.access_token ?? '')).toMatchObject({
      iss: `${server.url}/auth/v1`,
      sub: userId,
      aud: 'authenticated',
      role: 'authenticated',
      email,
      phone: '',
      aal: 'aal1',
      amr: [{ method: 'email/signup', timestamp: expect.any(Number) }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
    })
    const claims = await browser.auth.getClaims()
    expect(claims.error).toBeNull()
    expect(claims.data?.claims.sub).toBe(userId)

    const refreshed = await browser.auth.refreshSession()
    expect(refreshed.error).toBeNull()
    expect(refreshed.data.session?.refresh_token).not.toBe(exchanged.data.session?.refresh_token)
    expect(readClaims(refreshed.data.session?.access_token ?? '').session_id).toBe(
      readClaims(exchanged.data.session?.access_token ?? '').session_id,
    )
    const user = await browser.auth.getUser()
    expect(user.data.user).toMatchObject({ id: userId, email })

    const rest = await browser.rest()
    const organization = await rest.rpc('get_user_current_organization', { p_user_id: userId })
    expect(organization.error).toBeNull()
    expect(organization.data).toEqual([
      expect.objectContaining({
        organization_name: 'Acme & Söhne',
        membership_user_id: userId,
        membership_role: 'owner',
      }),
    ])
    const superadmin = await rest.rpc('is_superadmin', { user_id: userId })
    expect(superadmin).toMatchObject({ error: null, data: true })

    const token = refreshed.data.session?.access_token ?? ''
    expect((await browser.auth.signOut({ scope: 'local' })).error).toBeNull()
    expect((await browser.auth.getSession()).data.session).toBeNull()
    const after = await server.send('GET', '/auth/v1/user', { headers: { authorization: `Bearer ${token}` } })
    expect(after).toMatchObject({ status: 403, body: { code: 'session_not_found' } })

    const again = await browser.auth.signInWithPassword({ email, password })
    expect(again.error).toBeNull()
    expect(readClaims(again.data.session?.access_token ?? '').amr).toEqual([
      { method: 'password', timestamp: expect.any(Number) },
    ])
  })

  it('answers a second sign-up of a confirmed address without identities and sends no email', async () => {
    const email = createAddress()
    await server.signUpConfirmed(email)
    await server.mails.clearMails()
    const { data, error } = await server.openBrowser().auth.signUp({ email, password: 'another one' })
    expect(error).toBeNull()
    expect(data.user).toMatchObject({ email, role: '', identities: [] })
    expect(data.session).toBeNull()
    const stillOld = await server.openBrowser().auth.signInWithPassword({ email, password: 'another one' })
    expect(stillOld.error?.code).toBe('invalid_credentials')
    expect(await server.mails.listMails(email)).toEqual([])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createAddress,
  openLink,
  password,
  readClaims,
  readLink,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'
import {
  chooseAccount,
  exchange,
  open,
  readError,
  startGoogleSignIn,
  type TestGoogle,
} from '#server/testing/google-sign-in.ts'

let google: TestGoogle
let server: TestAuthServer

beforeAll(async () => {
  google = await startGoogleSignIn()
  server = google.server
}, 60_000)
afterAll(() => google.stop())

const findUser = async (email: string) =>
  (await server.sql.query('select * from auth.users where email = $1', [email])).rows[0]
const findProviders = async (userId: string): Promise<string[]> =>
  (
    await server.sql.query('select provider from auth.identities where user_id = $1 order by created_at', [userId])
  ).rows.map((row) => row.provider)

describe('GET /callback', () => {
  it('signs up a new person: account, organisation, names, and the provider’s own tokens once', async () => {
    const account = google.takeAccount()
    const session = await exchange(await google.signIn(account.email))
    expect(session).toMatchObject({
      provider_token: expect.stringMatching(/^google_/),
      provider_refresh_token: expect.stringMatching(/^google_refresh_/),
      user: {
        email: account.email,
        email_confirmed_at: expect.any(String),
        app_metadata: { provider: 'google', providers: ['google'] },
        user_metadata: {
          name: account.name,
          full_name: account.name,
          picture: account.picture,
          avatar_url: account.picture,
          email: account.email,
          email_verified: true,
          phone_verified: false,
          iss: google.double.issuer,
          sub: expect.any(String),
          provider_id: expect.any(String),
        },
      },
    })
    expect(readClaims(session.access_token)).toMatchObject({ amr: [{ method: 'oauth' }], email: account.email })
    const { rows } = await server.sql.query(
      `select m.role, p.full_name from public.memberships m join public.profiles p using (user_id) where user_id = $1`,
      [session.user.id],
    )
    expect(rows).toEqual([{ role: 'owner', full_name: account.name }])
    expect((await findUser(account.email)).encrypted_password).toBe(null)
  })

  it('creates no organisation for an invited person, and stores nothing of the invitation’s token', async () => {
    const { email } = google.takeAccount()
    const inviter = await server.signUpConfirmed(createAddress())
    const token = 'an-invitation-token'
    await server.sql.query(
      `insert into public.invitations (organization_id, id, email, role, token_hash, invited_by, expires_at)
       select organization_id, gen_random_uuid(), $1, 'member', sha256($2::bytea), user_id, now() + interval '1 day'
       from public.memberships where user_id = $3`,
      [email, Buffer.from(token), (await inviter.auth.getUser()).data.user?.id],
    )
    const browser = server.openBrowser()
    const { data } = await browser.auth.signInWithOAuth({
      provider: 'google',
      options: { skipBrowserRedirect: true, redirectTo: google.app, queryParams: { invite_token: token } },
    })
    const callback = await chooseAccount((await open(data.url ?? '')).location, email)
    expect(callback.href).not.toContain(token)
    const { user } = await exchange({ browser, target: (await open(callback.href)).location })
    expect(user.user_metadata).not.toHaveProperty('invitation_token')
    const { rows } = await server.sql.query('select 1 from public.memberships where user_id = $1', [user.id])
    expect(rows).toEqual([])
  })

  it('signs the same person in again, into the same account', async () => {
    const account = google.takeAccount()
    const first = await exchange(await google.signIn(account.email))
    const second = await exchange(await google.signIn(account.email))
    expect(second.user.id).toBe(first.user.id)
    expect(await findProviders(first.user.id)).toEqual(['google'])
    // A refresh has no provider tokens.
    const refreshed = await server.send('POST', '/auth/v1/token?grant_type=refresh_token', {
      body: { refresh_token: second.refresh_token },
    })
    expect(refreshed.body).not.toHaveProperty('provider_token')
    const { rows } = await server.sql.query('select 1 from auth.flow_state where user_id = $1', [first.user.id])
    expect(rows).toEqual([])
  })

  it('keeps a name and picture that were changed here, and follows the provider’s otherwise', async () => {
    const account = google.takeAccount()
    const { user } = await exchange(await google.signIn(account.email))
    await server.sql.query(
      `update auth.users set raw_user_meta_data = (raw_user_meta_data - 'avatar_url') || '{"full_name": "My Choice"}'
       where id = $1`,
      [user.id],
    )
    await server.sql.query(
      `update auth.users set raw_user_meta_data = raw_user_meta_data || '{"name": "Before"}' where id = $1`,
      [user.id],
    )
    await server.sql.query(
      `update auth.identities set identity_data = identity_data || '{"name": "Before"}' where user_id = $1`,
      [user.id],
    )
    const again = await exchange(await google.signIn(account.email))
    expect(again.user.user_metadata).toMatchObject({ full_name: 'My Choice', name: account.name })
    expect(again.user.user_metadata).not.toHaveProperty('avatar_url')
  })

  it('links a confirmed account by its address, which keeps its password and sessions', async () => {
    const account = google.takeAccount()
    const owner = await server.signUpConfirmed(account.email)
    const session = await exchange(await google.signIn(account.email))
    expect(session.user).toMatchObject({
      id: (await owner.auth.getUser()).data.user?.id,
      app_metadata: { provider: 'email', providers: ['email', 'google'] },
      user_metadata: { full_name: account.name },
    })
    expect(session.user.identities?.map((identity) => identity.provider)).toEqual(['email', 'google'])
    const { error } = await server.openBrowser().auth.signInWithPassword({ email: account.email, password })
    expect(error).toBe(null)
    const { rows } = await server.sql.query(
      `select payload, actor_kind, host(ip) as ip from app.events
       where name = 'account.identity_linked' and actor_user_id = $1`,
      [session.user.id],
    )
    expect(rows).toEqual([{ payload: { provider: 'google' }, actor_kind: 'user', ip: expect.any(String) }])
  })

  it('takes an unconfirmed account from the stranger who created it with the owner’s address', async () => {
    const account = google.takeAccount()
    const attacker = server.openBrowser()
    const { data } = await attacker.auth.signUp({
      email: account.email,
      password,
      options: { data: { full_name: 'Attacker', avatar_url: 'https://evil.example/x.png' } },
    })
    const link = readLink((await server.mails.waitForMail(account.email)).text)
    await server.sql.query(
      `insert into auth.sessions (id, user_id, created_at, updated_at, aal)
       values (gen_random_uuid(), $1, now(), now(), 'aal1')`,
      [data.user?.id],
    )
    const session = await exchange(await google.signIn(account.email))
    expect(session.user).toMatchObject({
      id: data.user?.id,
      email_confirmed_at: expect.any(String),
      app_metadata: { provider: 'google', providers: ['google'] },
      user_metadata: { full_name: account.name, avatar_url: account.picture },
    })
    expect(await findProviders(session.user.id)).toEqual(['google'])
    const user = await findUser(account.email)
    expect(user).toMatchObject({ encrypted_password: null, confirmation_token: '' })
    expect(await attacker.auth.signInWithPassword({ email: account.email, password })).toMatchObject({
      error: { code: 'invalid_credentials' },
    })
    expect((await openLink(link)).headers.get('location')).toContain('otp_expired')
    const { rows } = await server.sql.query('select id from auth.sessions where user_id = $1', [user.id])
    expect(rows).toEqual([{ id: readClaims(session.access_token).session_id }])
    const tokens = await server.sql.query('select 1 from auth.one_time_tokens where user_id = $1', [user.id])
    expect(tokens.rows).toEqual([])
  })

  it('requires a confirmation where Google has not verified the address, and signs in after it', async () => {
    const account = google.takeAccount({ isVerified: false })
    const signedIn = await google.signIn(account.email)
    expect(readError(signedIn.target)).toEqual({
      error: 'access_denied',
      error_code: 'provider_email_needs_verification',
      error_description: 'Unverified email with google. A confirmation email has been sent to your google email',
    })
    expect((await findUser(account.email)).email_confirmed_at).toBe(null)
    const link = readLink((await server.mails.waitForMail(account.email)).text)
    const confirmed = await exchange({
      browser: signedIn.browser,
      target: new URL((await openLink(link)).headers.get('location') ?? ''),
    })
    expect(confirmed.user.email_confirmed_at).toEqual(expect.any(String))
    expect((await exchange(await google.signIn(account.email))).user.id).toBe(confirmed.user.id)
  })

  it('links no account by an unverified address, and does not reveal that it is taken', async () => {
    const account = google.takeAccount({ isVerified: false })
    const owner = await server.signUpConfirmed(account.email)
    const userId = (await owner.auth.getUser()).data.user?.id ?? ''
    const { target } = await google.signIn(account.email)
    const fresh = await google.signIn(google.takeAccount({ isVerified: false }).email)
    expect(readError(target)).toEqual(readError(fresh.target))
    expect(await findProviders(userId)).toEqual(['email'])
  })

  it('creates one account for one person in several tabs at once', async () => {
    const account = google.takeAccount()
    const sessions = await Promise.all([1, 2, 3, 4].map(async () => exchange(await google.signIn(account.email))))
    expect(new Set(sessions.map((session) => session.user.id)).size).toBe(1)
    expect(await findProviders(sessions[0]?.user.id ?? '')).toEqual(['google'])
  })

  it('refuses a banned person, and changes nothing', async () => {
    const account = google.takeAccount()
    await server.signUpConfirmed(account.email)
    await server.sql.query(`update auth.users set banned_until = now() + interval '1 day' where email = $1`, [
      account.email,
    ])
    expect(readError((await google.signIn(account.email)).target)).toEqual({
      error: 'access_denied',
      error_code: 'user_banned',
      error_description: 'User is banned',
    })
    expect(await findProviders((await findUser(account.email)).id)).toEqual(['email'])
  })
})

describe('an instance that takes no new accounts', () => {
  it('signs in and links existing accounts, and refuses others', async () => {
    const [known, stranger] = [google.takeAccount(), google.takeAccount()]
    await server.signUpConfirmed(known.email)
    const settings = server.auth.server?.parts.settings as { disableSignup: boolean }
    settings.disableSignup = true
    try {
      expect((await exchange(await google.signIn(known.email))).user.email).toBe(known.email)
      for (const { email } of [stranger, google.takeAccount({ isVerified: false })]) {
        expect(readError((await google.signIn(email)).target)).toEqual({
          error: 'access_denied',
          error_code: 'signup_disabled',
          error_description: 'Signups not allowed for this instance',
        })
        expect(await findUser(email)).toBe(undefined)
      }
    } finally {
      settings.disableSignup = false
    }
  })
})

import { PostgrestClient } from '@supabase/postgrest-js'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import {
  type Browser,
  createAddress,
  password,
  startAuthServer,
  type TestAuthServer,
} from '#server/testing/auth-server.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { type SupabaseDatabase, startSupabaseDatabase } from '#server/testing/supabase-database.ts'

/*
 * The product beside a Supabase project: a second auth server of ours plays the project, with logins, owners and grants
 * as a real one has them. The product is told nothing but address, key and database.
 */
let database: SupabaseDatabase
let project: TestAuthServer
let product: TestServer
let platform: pg.Client

beforeAll(async () => {
  database = await startSupabaseDatabase()
  await migrate({ url: database.ownerUrl, log: { info: () => {}, warn: () => {} }, skipAuth: true })
  project = await startAuthServer({}, { url: database.platformUrl })
  product = await startProduct()
  platform = new pg.Client({ connectionString: database.platformUrl })
  await platform.connect()
}, 60_000)
afterAll(async () => {
  await platform?.end()
  await product?.stop()
  await project?.stop()
  await database?.stop()
})

function startProduct(env: Record<string, string> = {}): Promise<TestServer> {
  return startTestServer(
    {
      SUPABASE_URL: project.url,
      SUPABASE_ANON_KEY: project.auth.publishableKey,
      SERVICES: 'web,worker',
      // The part of the project is played by a server whose mails stand in the same queue.
      SMTP_URL: project.mails.smtpUrl,
      ...env,
    },
    { url: database.ownerUrl },
  )
}

interface Person {
  readonly browser: Browser
  readonly email: string
  readonly token: string
  readonly userId: string
  readonly organizationId: string
}

async function signUp(): Promise<Person> {
  const email = createAddress()
  const browser = await project.signUpConfirmed(email)
  const { data } = await browser.auth.getSession()
  const userId = data.session?.user.id ?? ''
  const organization = await (await browser.rest()).rpc('get_user_current_organization', { p_user_id: userId }).single()
  if (organization.error) throw organization.error
  const { organization_id: organizationId } = organization.data as { organization_id: string }
  return { browser, email, token: data.session?.access_token ?? '', userId, organizationId }
}

const listOf = (person: Person) => `/api/v1/organizations/${person.organizationId}/projects`
async function problemOf(reply: Response): Promise<[number, string]> {
  return [reply.status, ((await reply.json()) as { code: string }).code]
}

describe('with a Supabase project', () => {
  it('leaves sign-in to it: nothing of ours is mounted, pages are told where it is and may call it', async () => {
    for (const path of ['/auth/v1/health', '/auth/v1/settings', '/auth/v1/.well-known/jwks.json']) {
      expect((await product.call(path)).status).toBe(404)
    }
    expect((await product.call('/auth/v1/token?grant_type=password', { body: {} })).status).toBe(404)
    expect((await product.call('/rest/v1/rpc/is_superadmin', { body: {} })).status).toBe(404)
    const reply = await product.call('/api/v1/config')
    expect(await reply.json()).toMatchObject({
      supabaseUrl: project.url,
      supabaseAnonKey: project.auth.publishableKey,
      appUrl: product.url,
    })
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(/connect-src ([^;]*)/.exec(policy)?.[1]?.split(' ')).toContain(project.url)
  })

  it('works from sign-up there to a project here, for everyone their own', async () => {
    const [ada, bob] = [await signUp(), await signUp()]
    const made = await product.call(listOf(ada), { token: ada.token, body: { name: 'Shop', domain: 'shop.example' } })
    expect(made.status).toBe(201)
    const listed = (await (await product.call(listOf(ada), { token: ada.token })).json()) as { items: Project[] }
    expect(listed.items).toMatchObject([{ name: 'Shop', domain: 'shop.example' }])
    expect(await problemOf(await product.call(listOf(ada), { token: bob.token }))).toEqual([
      404,
      'organization_not_found',
    ])
    expect(await (await product.call(listOf(bob), { token: bob.token })).json()).toEqual({ items: [] })
  })

  it('impersonates a user here, with a token that the project refuses, and leaves password resets to it', async () => {
    const [grace, ada] = [await signUp(), await signUp()]
    await platform.query('insert into app.superadmins (user_id) values ($1) on conflict do nothing', [grace.userId])
    const ofAda = `/api/v1/superadmin/users/${ada.userId}`
    const begun = await product.call(`${ofAda}/impersonations`, {
      token: grace.token,
      body: { id: crypto.randomUUID(), reason: 'Support', mode: 'read_only', minutes: 15 },
    })
    expect(begun.status).toBe(201)
    const { token } = (await begun.json()) as { token: string }
    expect((await product.call(listOf(ada), { token })).status).toBe(200)
    const body = { name: 'Shop', domain: 'shop.example' }
    expect(await problemOf(await product.call(listOf(ada), { token, body }))).toEqual([403, 'impersonation_read_only'])
    const headers = { apikey: project.auth.publishableKey, authorization: `Bearer ${token}` }
    expect((await fetch(`${project.url}/auth/v1/user`, { headers })).status).toBe(403)
    await platform.query('delete from auth.sessions where user_id = $1', [grace.userId])
    expect(await problemOf(await product.call(listOf(ada), { token }))).toEqual([401, 'impersonation_ended'])

    await grace.browser.auth.signInWithPassword({ email: grace.email, password })
    const { data } = await grace.browser.auth.getSession()
    const own = data.session?.access_token ?? ''
    expect(await (await product.call(ofAda, { token: own })).json()).toMatchObject({ passwordReset: 'elsewhere' })
    const reset = await product.call(`${ofAda}/password-reset`, { token: own, method: 'POST' })
    expect(await problemOf(reset)).toEqual([409, 'sign_in_elsewhere'])
    await platform.query('delete from app.superadmins where user_id = $1', [grace.userId])
  })

  it('takes feedback and does its jobs on that database', async () => {
    const ada = await signUp()
    const made = await product.call(listOf(ada), { token: ada.token, body: { name: 'Blog', domain: 'blog.example' } })
    const { widgetKey } = (await made.json()) as Project
    const loaded = await fetch(`${product.url}/e/${widgetKey}.js`)
    expect(loaded.status).toBe(200)
    expect((await product.call('/ready')).status).toBe(200)
  })

  it('follows a refresh and a sign-out there at once', async () => {
    const ada = await signUp()
    const { data } = await ada.browser.auth.refreshSession()
    const token = data.session?.access_token ?? ''
    expect((await product.call(listOf(ada), { token })).status).toBe(200)
    await ada.browser.auth.signOut({ scope: 'global' })
    expect(await problemOf(await product.call(listOf(ada), { token }))).toEqual([401, 'unauthenticated'])
  })

  it('gives nothing to the banned, the unverified and the deleted', async () => {
    const ada = await signUp()
    const withUser = (change: string) => platform.query(`update auth.users set ${change} where id = $1`, [ada.userId])
    await withUser(`banned_until = now() + interval '1 hour'`)
    expect(await problemOf(await product.call(listOf(ada), { token: ada.token }))).toEqual([403, 'user_banned'])
    await withUser('banned_until = null, email_confirmed_at = null')
    expect(await problemOf(await product.call(listOf(ada), { token: ada.token }))).toEqual([403, 'email_not_verified'])
    await withUser('email_confirmed_at = now(), deleted_at = now()')
    expect(await problemOf(await product.call(listOf(ada), { token: ada.token }))).toEqual([401, 'unauthenticated'])
    await platform.query('delete from auth.users where id = $1', [ada.userId])
    expect(await problemOf(await product.call(listOf(ada), { token: ada.token }))).toEqual([401, 'unauthenticated'])
  })

  it('shows people their account and devices, and signs single ones out', async () => {
    const ada = await signUp()
    const email = (await ada.browser.auth.getUser()).data.user?.email ?? ''
    const second = project.openBrowser()
    await second.auth.signInWithPassword({ email, password })
    const otherToken = (await second.auth.getSession()).data.session?.access_token ?? ''
    expect(await (await product.call('/api/v1/account', { token: ada.token })).json()).toMatchObject({ email })
    const listed = await product.call('/api/v1/account/sessions', { token: ada.token })
    const { sessions } = (await listed.json()) as { sessions: { id: string; isCurrent: boolean }[] }
    expect(sessions.map(({ isCurrent }) => isCurrent).sort()).toEqual([false, true])
    const other = sessions.find(({ isCurrent }) => !isCurrent)?.id ?? ''
    const ended = await product.call(`/api/v1/account/sessions/${other}`, { method: 'DELETE', token: ada.token })
    expect(ended.status).toBe(204)
    expect((await product.call('/api/v1/account', { token: otherToken })).status).toBe(401)
    expect((await second.auth.refreshSession()).error?.code).toBe('refresh_token_not_found')
    expect((await product.call('/api/v1/account', { token: ada.token })).status).toBe(200)
  })

  it('lets someone join an organisation who signs up there from the invitation’s link', async () => {
    const ada = await signUp()
    const email = createAddress()
    const invitations = `/api/v1/organizations/${ada.organizationId}/invitations`
    const sent = await product.call(invitations, { token: ada.token, body: { email, role: 'member' } })
    expect(sent.status).toBe(201)
    const mail = await project.mails.waitForMail(email)
    const invitation = /\/accept-invitation\/([\w-]+)/.exec(mail.text)?.[1] ?? ''
    const browser = project.openBrowser()
    const data = { invitation_token: invitation, full_name: 'Bob' }
    expect((await browser.auth.signUp({ email, password, options: { data } })).error).toBeNull()
    await platform.query('update auth.users set email_confirmed_at = now() where email = $1', [email])
    const signedIn = await browser.auth.signInWithPassword({ email, password })
    const token = signedIn.data.session?.access_token ?? ''
    expect(signedIn.data.user?.user_metadata).not.toHaveProperty('invitation_token')
    const accepted = await product.call(`/api/v1/invitations/${invitation}/accept`, { method: 'POST', token })
    expect(await accepted.json()).toEqual({ organizationId: ada.organizationId })
    const userId = signedIn.data.user?.id
    const mine = await (await browser.rest()).rpc('get_user_current_organization', { p_user_id: userId })
    expect(mine.data).toMatchObject([{ organization_id: ada.organizationId, membership_role: 'member' }])
  })

  it('deletes an account for whom it belongs to', async () => {
    const ada = await signUp()
    const email = (await ada.browser.auth.getUser()).data.user?.email
    const gone = await product.call('/api/v1/account', { method: 'DELETE', token: ada.token, body: { email } })
    expect(gone.status).toBe(204)
    expect((await platform.query('select from auth.users where id = $1', [ada.userId])).rowCount).toBe(0)
    expect((await product.call(listOf(ada), { token: ada.token })).status).toBe(401)
  })

  it('refuses tokens that are not the project’s', async () => {
    const ada = await signUp()
    const other = await startAuthServer()
    try {
      const stranger = (await (await other.signUpConfirmed(createAddress())).auth.getSession()).data.session
      const tokens = [
        stranger?.access_token ?? '',
        ada.token.slice(0, -4),
        `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${ada.token.split('.')[1]}.`,
        project.auth.publishableKey,
        'a.b.c',
      ]
      for (const token of tokens) {
        expect(await problemOf(await product.call(listOf(ada), { token }))).toEqual([401, 'unauthenticated'])
      }
    } finally {
      await other.stop()
    }
  })

  it('refuses writes past the product through the project’s own API', async () => {
    const ada = await signUp()
    const client = new pg.Client({ connectionString: database.ownerUrl, options: '-c role=authenticator' })
    await client.connect()
    try {
      for (const statement of [
        `update public.organizations set subscription_status = 'active'`,
        `update public.organizations set trial_ends_at = null`,
        'delete from public.audit_log',
        'truncate public.feedback',
        `insert into public.memberships (organization_id, user_id, role) select organization_id, user_id, 'owner' from public.memberships`,
        'select * from auth.users',
        'select * from app.emails',
      ]) {
        await client.query('begin')
        await client.query(
          "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
          [JSON.stringify({ sub: ada.userId, role: 'authenticated' })],
        )
        await expect(client.query(statement), statement).rejects.toThrow(/permission denied/)
        await client.query('rollback')
      }
    } finally {
      await client.end()
    }
    const anonymous = new PostgrestClient(`${project.url}/rest/v1`, {
      headers: { apikey: project.auth.publishableKey },
    })
    const answer = await anonymous.rpc('is_superadmin', { user_id: ada.userId })
    expect(answer).toMatchObject({ status: 401, error: { code: '42501' } })
  })

  it('refuses the project’s own tokens under another address than it calls itself by', async () => {
    const ada = await signUp()
    const elsewhere = await startProduct({ SUPABASE_URL: project.url.replace('127.0.0.1', 'localhost') })
    try {
      expect(await problemOf(await elsewhere.call(listOf(ada), { token: ada.token }))).toEqual([401, 'unauthenticated'])
    } finally {
      await elsewhere.stop()
    }
  })

  it('says that it is unavailable, not that its users are strangers, while the project does not answer', async () => {
    const ada = await signUp()
    // Another one, which has not seen the project's keys yet.
    const cold = await startProduct({ SUPABASE_URL: 'http://127.0.0.1:9' })
    try {
      expect(await problemOf(await cold.call(listOf(ada), { token: ada.token }))).toEqual([503, 'unavailable'])
      expect((await cold.call('/health')).status).toBe(200)
    } finally {
      await cold.stop()
    }
  })
})

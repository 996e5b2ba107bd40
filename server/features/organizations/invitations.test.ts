import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltUser, createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let token: string
let path: string

beforeAll(async () => {
  server = await startTestServer()
  // The first account runs the instance, and may do everything.
  await createUser(server.client)
  owner = await createUser(server.client, { organizationName: 'Analytical Engines', fullName: 'Ada <b>Lovelace</b>' })
  token = await server.signIn(owner)
  path = `/api/v1/organizations/${owner.organizationId}/invitations`
})

afterAll(() => server?.stop())

const newAddress = () => `invited-${crypto.randomUUID()}@example.com`

async function invite(email: string, role = 'member'): Promise<string> {
  const reply = await server.call(path, { token, body: { email, role } })
  expect(reply.status, await reply.clone().text()).toBe(201)
  return readToken(email)
}

/** The token of the latest mail to the address. */
async function readToken(email: string): Promise<string> {
  const mail = (await server.mails()).findLast(({ to }) => to === email.toLowerCase())
  return /\/accept-invitation\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

const accept = (secret: string, bearer: string) =>
  server.call(`/api/v1/invitations/${secret}/accept`, { method: 'POST', token: bearer })

async function listRoles(userId: string): Promise<unknown[]> {
  const { rows } = await server.client.query(
    'select organization_id as "organizationId", role from memberships where user_id = $1',
    [userId],
  )
  return rows
}

async function age(email: string, interval: string): Promise<void> {
  await server.client.query(
    'update invitations set sent_at = sent_at - $2::interval, expires_at = expires_at - $2::interval where email = $1',
    [email, interval],
  )
}

describe('POST /api/v1/organizations/{organizationId}/invitations', () => {
  it('mails a link that says who invites, where to and as what', async () => {
    const email = newAddress()
    const secret = await invite(email.toUpperCase(), 'admin')
    const mail = (await server.mails()).findLast(({ to }) => to === email)
    expect(mail?.kind).toBe('organization_invitation')
    expect(mail?.text).toContain(`${server.url}/accept-invitation/${secret}`)
    expect(mail?.text).toContain('Analytical Engines')
    expect(mail?.html).not.toContain('<b>Lovelace')
    const reply = await server.call(`/api/v1/invitations/${secret}`)
    expect(await reply.json()).toMatchObject({
      organizationName: 'Analytical Engines',
      inviterName: 'Ada <b>Lovelace</b>',
      email,
      role: 'admin',
      state: 'open',
    })
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const { rows } = await server.client.query('select * from invitations where email = $1', [email])
    expect(JSON.stringify(rows)).not.toContain(secret)
  })

  it('sends one mail for the same wish twice, and renews the link when asked again later', async () => {
    const email = newAddress()
    const first = await invite(email)
    expect(await invite(email)).toBe(first)
    await age(email, '2 minutes')
    const second = await invite(email)
    expect(second).not.toBe(first)
    expect((await server.call(`/api/v1/invitations/${first}`)).status).toBe(404)
    const { items } = (await (await server.call(path, { token })).json()) as { items: { email: string }[] }
    expect(items.filter((item) => item.email === email)).toHaveLength(1)
  })

  it('refuses the address of a member', async () => {
    const member = await createMember(server.client, { organizationId: owner.organizationId ?? '', role: 'viewer' })
    const reply = await server.call(path, { token, body: { email: member.email, role: 'admin' } })
    expect([reply.status, await reply.json()]).toMatchObject([409, { code: 'already_member' }])
  })

  it.each(['admin', 'member', 'viewer'] as const)('is not for an organisation’s %s', async (role) => {
    const member = await createMember(server.client, { organizationId: owner.organizationId ?? '', role })
    const reply = await server.call(path, {
      token: await server.signIn(member),
      body: { email: newAddress(), role: 'viewer' },
    })
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'permission_denied' }])
  })
})

describe('POST /api/v1/invitations/{token}/accept', () => {
  it('gives one membership for many clicks, and the same answer to each', async () => {
    const user = await createUser(server.client, { isInvited: true })
    const secret = await invite(user.email)
    const bearer = await server.signIn(user)
    const replies = await Promise.all(Array.from({ length: 6 }, () => accept(secret, bearer)))
    for (const reply of replies) {
      expect([reply.status, await reply.json()]).toEqual([200, { organizationId: owner.organizationId }])
    }
    expect(await listRoles(user.id)).toEqual([{ organizationId: owner.organizationId, role: 'member' }])
    expect(await (await server.call(`/api/v1/invitations/${secret}`)).json()).toMatchObject({ state: 'accepted' })
  })

  it('does not bring back a member who was removed', async () => {
    const user = await createUser(server.client, { isInvited: true })
    const secret = await invite(user.email)
    const bearer = await server.signIn(user)
    expect((await accept(secret, bearer)).status).toBe(200)
    await server.client.query('delete from memberships where user_id = $1', [user.id])
    const reply = await accept(secret, bearer)
    expect([reply.status, await reply.json()]).toMatchObject([410, { code: 'invitation_ended' }])
    expect(await listRoles(user.id)).toEqual([])
  })

  it('is for the invited address alone', async () => {
    const stranger = await createUser(server.client, { isInvited: true })
    const reply = await accept(await invite(newAddress()), await server.signIn(stranger))
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'invitation_for_other_address' }])
    expect(await listRoles(stranger.id)).toEqual([])
  })

  it('ends after seven days', async () => {
    const user = await createUser(server.client, { isInvited: true })
    const secret = await invite(user.email)
    await age(user.email, '7 days')
    const reply = await accept(secret, await server.signIn(user))
    expect([reply.status, await reply.json()]).toMatchObject([410, { code: 'invitation_ended' }])
    expect(await (await server.call(`/api/v1/invitations/${secret}`)).json()).toMatchObject({ state: 'expired' })
  })

  it('ends when it is withdrawn, however often', async () => {
    const user = await createUser(server.client, { isInvited: true })
    const secret = await invite(user.email)
    const { rows } = await server.client.query<{ id: string }>('select id from invitations where email = $1', [
      user.email,
    ])
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await server.call(`${path}/${rows[0]?.id}`, { method: 'DELETE', token })).status).toBe(204)
    }
    expect((await accept(secret, await server.signIn(user))).status).toBe(410)
  })

  it('knows no forged token', async () => {
    const reply = await accept('a'.repeat(43), token)
    expect([reply.status, await reply.json()]).toMatchObject([404, { code: 'invitation_not_found' }])
  })
})

describe('sign-up through an invitation', () => {
  async function signUp(email: string, invitationToken: string) {
    const body = { email, password: 'correct horse battery staple', data: { invitation_token: invitationToken } }
    const reply = await server.call('/auth/v1/signup', { body })
    expect(reply.status, await reply.clone().text()).toBe(200)
    const { rows } = await server.client.query<{ kept: string; memberships: number }>(
      `select u.raw_user_meta_data::text || p::text as kept,
         (select count(*)::int from memberships m where m.user_id = u.id) as memberships
       from auth.users u join profiles p on p.user_id = u.id where u.email = $1`,
      [email],
    )
    expect(rows[0]?.kept).not.toContain('invitation_token')
    return rows[0]?.memberships
  }

  it('makes no organisation for whoever holds the link of an open invitation', async () => {
    const email = newAddress()
    expect(await signUp(email, await invite(email))).toBe(0)
  })

  it('makes one for whoever brings a forged token, another’s or one too late', async () => {
    expect(await signUp(newAddress(), 'forged')).toBe(1)
    expect(await signUp(newAddress(), await invite(newAddress()))).toBe(1)
    const late = newAddress()
    const secret = await invite(late)
    await age(late, '8 days')
    expect(await signUp(late, secret)).toBe(1)
  })
})

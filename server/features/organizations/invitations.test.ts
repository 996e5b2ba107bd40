import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Problem } from '#contract/errors.ts'
import type { Invitation, SentInvitation } from '#contract/invitations.ts'
import { addMember, type BuiltUser, builtPassword, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let owner: BuiltUser
let ownerToken: string
let people = 0

beforeAll(async () => {
  server = await startTestServer()
  // The first confirmed user becomes superadmin; the owner here must be an ordinary user.
  await createUser(server.client)
  owner = await createUser(server.client, { fullName: 'Ada\u202e <b>Owner</b>', organizationName: 'Acme' })
  ownerToken = await server.signIn(owner)
})
afterAll(() => server?.stop())

function createAddress(): string {
  people += 1
  return `guest-${people}@example.com`
}

const path = () => `/api/v1/organizations/${owner.organizationId}/invitations`

async function invite(email: string, role = 'member'): Promise<{ reply: SentInvitation & Problem; status: number }> {
  const response = await server.call(path(), { token: ownerToken, body: { email, role } })
  return { status: response.status, reply: (await response.json()) as SentInvitation & Problem }
}

async function inviteMany(
  recipients: string[],
  role = 'member',
  organizationId = owner.organizationId,
  token = ownerToken,
): Promise<{ reply: { items?: SentInvitation[] } & Problem; status: number }> {
  const body = { recipients, role }
  const response = await server.call(`/api/v1/organizations/${organizationId}/invitations/batch`, { token, body })
  return { status: response.status, reply: (await response.json()) as { items?: SentInvitation[] } & Problem }
}

async function readTokens(email: string): Promise<string[]> {
  const mails = (await server.mails()).filter((mail) => mail.to === email.toLowerCase())
  return mails.map(({ text }) => /\/accept-invitation\/([\w-]{43})$/m.exec(text)?.[1] ?? '')
}

/** Invites a person and returns the token from the email. */
async function inviteForToken(email: string, role = 'member'): Promise<string> {
  await invite(email, role)
  return (await readTokens(email)).at(-1) ?? ''
}

async function look(token: string): Promise<Invitation & Problem> {
  return (await (await server.call(`/api/v1/invitations/${token}`)).json()) as Invitation & Problem
}

async function accept(token: string, as: string): Promise<{ status: number; code?: string; organizationId?: string }> {
  const response = await server.call(`/api/v1/invitations/${token}/accept`, { method: 'POST', token: as })
  return { status: response.status, ...((await response.json()) as { code?: string; organizationId?: string }) }
}

async function findRole(userId: string): Promise<string | undefined> {
  const { rows } = await server.client.query(
    'select role from memberships where organization_id = $1 and user_id = $2',
    [owner.organizationId, userId],
  )
  return rows[0]?.role
}

describe('POST …/invitations', () => {
  it('mails a link to the address, and says nothing of its secret', async () => {
    const email = createAddress()
    const { status, reply } = await invite(email.toUpperCase(), 'viewer')
    expect(status).toBe(201)
    expect(reply).toMatchObject({ email, role: 'viewer', state: 'open' })
    expect(Date.parse(reply.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    const [mail] = (await server.mails()).filter(({ to }) => to === email)
    expect(mail?.text).toContain(`${server.url}/accept-invitation/`)
    expect(mail?.html).not.toContain('<b>Owner')
    const [token = ''] = await readTokens(email)
    expect(JSON.stringify(reply)).not.toContain(token)
    expect(server.logLines.join('\n')).not.toContain(token)
    expect(await look(token)).toMatchObject({ organizationName: 'Acme', email, role: 'viewer', state: 'open' })
  })

  it('sends one email when the same request is repeated, and another for another role or a minute later', async () => {
    const email = createAddress()
    const first = await invite(email)
    const second = await invite(email)
    expect(second.reply.id).toBe(first.reply.id)
    expect(await readTokens(email)).toHaveLength(1)
    expect((await invite(email, 'admin')).reply).toMatchObject({ id: first.reply.id, role: 'admin' })
    await server.client.query(`update invitations set sent_at = sent_at - interval '61 seconds' where email = $1`, [
      email,
    ])
    await invite(email, 'admin')
    const tokens = await readTokens(email)
    expect(tokens).toHaveLength(3)
    expect((await look(tokens[0] ?? '')).code).toBe('invitation_not_found')
    expect((await look(tokens[1] ?? '')).code).toBe('invitation_not_found')
    expect((await look(tokens[2] ?? '')).state).toBe('open')
  })

  it('makes one invitation of many at once', async () => {
    const email = createAddress()
    const all = await Promise.all(Array.from({ length: 8 }, () => invite(email)))
    expect(new Set(all.map(({ reply }) => reply.id)).size).toBe(1)
    expect(await readTokens(email)).toHaveLength(1)
  })

  it('refuses who is a member, and what is no address', async () => {
    expect(await invite(owner.email)).toMatchObject({ status: 409, reply: { code: 'already_member' } })
    for (const email of ['no-at-sign', 'a@b@c.example', 'a..b@example.com', 'x@-.example']) {
      const { status, reply } = await invite(email)
      expect([status, reply.code, reply.fields?.[0]?.path]).toEqual([400, 'validation_failed', 'body.email'])
    }
  })

  it('V-39: sends at most five invitations an hour to one address, for all organisations together', async () => {
    const email = createAddress()
    const others = [await createUser(server.client), await createUser(server.client)]
    const answers: { status: number; retryAfter: number }[] = []
    for (const who of [others[0], others[0], others[1], others[0], others[1], others[1], others[0]]) {
      if (!who) continue
      await server.client.query(`update invitations set sent_at = sent_at - interval '61 seconds' where email = $1`, [
        email,
      ])
      const reply = await server.call(`/api/v1/organizations/${who.organizationId}/invitations`, {
        token: await server.signIn(who),
        body: { email, role: 'member' },
      })
      answers.push({ status: reply.status, retryAfter: Number(reply.headers.get('retry-after')) })
    }
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429, 429])
    expect(answers[5]?.retryAfter).toBeGreaterThan(600)
    expect(await readTokens(email)).toHaveLength(5)
  })

  it.each(['a@x.example\r\nBcc: b@x.example', 'a@x.example,b@x.example', '"a@b x"@c.example'])(
    'V-39: refuses %j, which is more than an address',
    async (email) => {
      const single = await invite(email)
      expect([single.status, single.reply.fields?.[0]?.path]).toEqual([400, 'body.email'])
      const many = await inviteMany([email])
      expect([many.status, many.reply.fields?.[0]?.path]).toEqual([400, 'body.recipients.0'])
    },
  )
})

describe('POST …/invitations/batch', () => {
  it('invites a list of people, each once, with one event', async () => {
    const [one, two] = [createAddress(), createAddress()]
    const { status, reply } = await inviteMany([`Ada Lovelace <${one}>`, two.toUpperCase()], 'viewer')
    expect(status).toBe(201)
    expect(reply.items?.map(({ email, role, state }) => [email, role, state])).toEqual([
      [one, 'viewer', 'open'],
      [two, 'viewer', 'open'],
    ])
    expect(await readTokens(one)).toHaveLength(1)
    expect(await readTokens(two)).toHaveLength(1)
    const { rows } = await server.client.query(
      `select ids from app.events where organization_id = $1 and name = 'member.invited' order by id desc limit 1`,
      [owner.organizationId],
    )
    expect(rows[0].ids.sort()).toEqual(reply.items?.map(({ id }) => id).sort())
    // The same request again, because its answer was lost.
    const again = await inviteMany([one, two], 'viewer')
    expect(again.reply.items?.map(({ id }) => id)).toEqual(reply.items?.map(({ id }) => id))
    expect(await readTokens(one)).toHaveLength(1)
  })

  it('names each recipient who can’t be invited, and then invites no one', async () => {
    const [good, invited] = [createAddress(), createAddress()]
    await invite(invited)
    await server.client.query(`update invitations set sent_at = sent_at - interval '61 seconds' where email = $1`, [
      invited,
    ])
    const bad = await inviteMany([good, 'no-one', `Twice <${good}>`, 'аda@example.com', 'x@exаmple.com'])
    expect([bad.status, bad.reply.code]).toEqual([400, 'validation_failed'])
    expect(bad.reply.fields).toEqual([
      { path: 'body.recipients.1', message: 'is not an email address' },
      { path: 'body.recipients.2', message: 'is in this list more than once' },
      {
        path: 'body.recipients.3',
        message: 'contains the Cyrillic letter “а” (U+0430); addresses have Latin letters only',
      },
      expect.objectContaining({ path: 'body.recipients.4' }),
    ])
    const known = await inviteMany([good, `Boss <${owner.email.toUpperCase()}>`, invited])
    expect(known.reply.fields).toEqual([
      { path: 'body.recipients.1', message: 'is already a member' },
      { path: 'body.recipients.2', message: 'already has an open invitation' },
    ])
    expect(await readTokens(good)).toEqual([])
  })

  it('refuses 10,000 pasted lines with the name of the field', async () => {
    const { status, reply } = await inviteMany(Array.from({ length: 10_000 }, (_, n) => `guest${n}@example.com`))
    expect([status, reply.fields]).toEqual([400, [{ path: 'body.recipients', message: 'must hold at most 100' }]])
  })

  it('V-39: sends at most 200 invitations a day for an organisation, and 20 in the first week of a trial', async () => {
    const lists = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}@example.com`)
    const team = await createUser(server.client)
    const token = await server.signIn(team)
    await server.client.query(`update organizations set subscription_status = 'active' where id = $1`, [
      team.organizationId,
    ])
    expect((await inviteMany(lists('a', 100), 'member', team.organizationId, token)).status).toBe(201)
    expect((await inviteMany(lists('b', 99), 'member', team.organizationId, token)).status).toBe(201)
    const beyond = await inviteMany(lists('c', 5), 'member', team.organizationId, token)
    expect([beyond.status, beyond.reply.detail]).toEqual([
      429,
      'Your organisation can send 200 invitations a day. Invite fewer people, or try again later.',
    ])
    const { rows } = await server.client.query(`select from invitations where email like 'c-%'`)
    expect(rows).toEqual([])
    // Nothing of the refused list was counted.
    expect((await inviteMany(lists('d', 1), 'member', team.organizationId, token)).status).toBe(201)

    const young = await createUser(server.client)
    const youngToken = await server.signIn(young)
    expect((await inviteMany(lists('e', 21), 'member', young.organizationId, youngToken)).status).toBe(429)
    expect((await inviteMany(lists('e', 20), 'member', young.organizationId, youngToken)).status).toBe(201)
  })
})

describe('POST …/invitations/{invitationId}/resend and link', () => {
  const act = async (id: string, what: 'resend' | 'link') => {
    const reply = await server.call(`${path()}/${id}/${what}`, { method: 'POST', token: ownerToken })
    return {
      status: reply.status,
      retryAfter: Number(reply.headers.get('retry-after')),
      reply: (await reply.json()) as SentInvitation & Problem & { url: string },
    }
  }

  it('sends one email a minute, however many ask at once, and each replaces the link before', async () => {
    const email = createAddress()
    const { reply } = await invite(email, 'viewer')
    const early = await act(reply.id, 'resend')
    expect([early.status, early.reply.detail]).toEqual([
      429,
      `You can resend this invitation in ${early.retryAfter} s.`,
    ])
    await server.client.query(
      `update invitations set sent_at = now() - interval '61 seconds', expires_at = now() where email = $1`,
      [email],
    )
    const all = await Promise.all(Array.from({ length: 40 }, () => act(reply.id, 'resend')))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 429)).toHaveLength(39)
    const tokens = await readTokens(email)
    expect(tokens).toHaveLength(2)
    expect((await look(tokens[0] ?? '')).code).toBe('invitation_not_found')
    expect(await look(tokens[1] ?? '')).toMatchObject({ state: 'open', role: 'viewer' })
    await server.call(`${path()}/${reply.id}`, { method: 'DELETE', token: ownerToken })
    expect((await act(reply.id, 'resend')).reply.code).toBe('invitation_not_found')
    expect((await act(reply.id, 'link')).reply.code).toBe('invitation_not_found')
  })

  it('makes a link to hand over, which replaces the one of the email and is told once', async () => {
    const email = createAddress()
    const emailed = await inviteForToken(email)
    const { items } = (await (await server.call(path(), { token: ownerToken })).json()) as { items: SentInvitation[] }
    const id = items.find((item) => item.email === email)?.id ?? ''
    const made = await act(id, 'link')
    expect(made.reply.url).toMatch(new RegExp(`^${server.url}/accept-invitation/[\\w-]{43}$`))
    const token = made.reply.url.split('/').at(-1) ?? ''
    expect((await look(emailed)).code).toBe('invitation_not_found')
    expect(server.logLines.join('\n')).not.toContain(token)
    expect(await (await server.call(path(), { token: ownerToken })).text()).not.toContain(token)
    // No email was sent.
    expect(await readTokens(email)).toHaveLength(1)
    const guest = await createUser(server.client, { email })
    expect((await accept(token, await server.signIn(guest))).status).toBe(200)
  })

  it('V-06: the account of an invited address keeps its password, sessions and identities', async () => {
    const email = createAddress()
    const guest = await createUser(server.client, { email })
    const guestToken = await server.signIn(guest)
    const token = await inviteForToken(email)
    const readAccount = async () =>
      (
        await server.client.query(
          `select u.encrypted_password, (select array_agg(s.id) from auth.sessions s where s.user_id = u.id) as sessions,
             (select array_agg(i.id) from auth.identities i where i.user_id = u.id) as identities
           from auth.users u where u.id = $1`,
          [guest.id],
        )
      ).rows
    const before = await readAccount()
    const body = { email, password: 'another password', data: { invitation_token: token } }
    await server.call('/auth/v1/signup', { body })
    expect(await readAccount()).toEqual(before)
    expect(await findRole(guest.id)).toBeUndefined()
    expect((await accept(token, guestToken)).status).toBe(200)
  })
})

describe('GET and DELETE …/invitations', () => {
  it('pages through them, newest first, each once', async () => {
    const team = await createUser(server.client)
    const token = await server.signIn(team)
    const recipients = Array.from({ length: 7 }, () => createAddress())
    await inviteMany(recipients, 'member', team.organizationId, token)
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const query: string = `?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`
      const reply = await server.call(`/api/v1/organizations/${team.organizationId}/invitations${query}`, { token })
      const page = (await reply.json()) as { items: SentInvitation[]; nextCursor: string | null; total: number }
      expect(page.total).toBe(7)
      seen.push(...page.items.map(({ email }) => email))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(seen.sort()).toEqual(recipients.sort())
  })

  it('lists open invitations, and revokes one permanently', async () => {
    const email = createAddress()
    const token = await inviteForToken(email)
    const list = async () =>
      ((await (await server.call(path(), { token: ownerToken })).json()) as { items: SentInvitation[] }).items
    const [found] = (await list()).filter((item) => item.email === email)
    const revoke = () => server.call(`${path()}/${found?.id}`, { method: 'DELETE', token: ownerToken })
    expect((await revoke()).status).toBe(204)
    expect((await revoke()).status).toBe(204)
    expect((await list()).some((item) => item.email === email)).toBe(false)
    expect((await look(token)).state).toBe('revoked')
    const guest = await createUser(server.client, { email })
    expect(await accept(token, await server.signIn(guest))).toMatchObject({ status: 410, code: 'invitation_ended' })
    expect(await findRole(guest.id)).toBeUndefined()
  })
})

describe('an owner who is one no longer', () => {
  it.each([
    ['removed', 'delete from memberships where user_id = $1'],
    ['made a member', `update memberships set role = 'member' where user_id = $1`],
  ])('and was %s leaves no way back in', async (_how, change) => {
    const leaver = await createUser(server.client)
    const organizationId = owner.organizationId ?? ''
    await addMember(server.client, { organizationId, userId: leaver.id, role: 'owner' })
    const email = createAddress()
    const body = { email, role: 'owner' }
    expect((await server.call(path(), { token: await server.signIn(leaver), body })).status).toBe(201)
    const [token = ''] = await readTokens(email)
    await server.client.query(`${change} and organization_id = $2`, [leaver.id, organizationId])
    expect((await look(token)).state).toBe('revoked')
    const second = await createUser(server.client, { email })
    expect((await accept(token, await server.signIn(second))).status).toBe(410)
  })
})

describe('POST /api/v1/invitations/{token}/accept', () => {
  it('makes the invited person a member once, however often and from wherever it is pressed', async () => {
    const email = createAddress()
    const token = await inviteForToken(email, 'admin')
    const guest = await createUser(server.client, { email })
    const guestToken = await server.signIn(guest)
    const all = await Promise.all(Array.from({ length: 6 }, () => accept(token, guestToken)))
    for (const answer of all) expect(answer).toEqual({ status: 200, organizationId: owner.organizationId })
    expect(await findRole(guest.id)).toBe('admin')
    expect((await look(token)).state).toBe('accepted')
    const { rows } = await server.client.query(
      `select count(*)::int as n from app.events where organization_id = $1 and actor_user_id = $2 and name = 'member.joined'`,
      [owner.organizationId, guest.id],
    )
    expect(rows[0].n).toBe(1)

    await server.client.query('delete from memberships where organization_id = $1 and user_id = $2', [
      owner.organizationId,
      guest.id,
    ])
    expect(await accept(token, guestToken)).toMatchObject({ status: 410 })
    expect(await findRole(guest.id)).toBeUndefined()
  })

  it('is for the invited address alone', async () => {
    const token = await inviteForToken(createAddress(), 'owner')
    const other = await createUser(server.client)
    const answer = await accept(token, await server.signIn(other))
    expect(answer).toMatchObject({ status: 403, code: 'invitation_for_other_address' })
    expect(await findRole(other.id)).toBeUndefined()
    expect((await look(token)).state).toBe('open')
  })

  it('refuses expired, invented and unknown tokens', async () => {
    const email = createAddress()
    const token = await inviteForToken(email)
    await server.client.query('update invitations set expires_at = now() where email = $1', [email])
    expect((await look(token)).state).toBe('expired')
    const guestToken = await server.signIn(await createUser(server.client, { email }))
    expect(await accept(token, guestToken)).toMatchObject({ status: 410 })
    for (const bad of ['x', 'a'.repeat(43), `${token}x`, '%00', '%F0%9F%98%80']) {
      expect((await accept(bad, guestToken)).status).toBe(404)
    }
    expect((await server.call(`/api/v1/invitations/${token}/accept`, { method: 'POST' })).status).toBe(401)
  })

  it('promotes no one who is a member already', async () => {
    const email = createAddress()
    const token = await inviteForToken(email, 'owner')
    const guest = await createUser(server.client, { email })
    await addMember(server.client, { organizationId: owner.organizationId ?? '', userId: guest.id, role: 'viewer' })
    expect((await accept(token, await server.signIn(guest))).status).toBe(200)
    expect(await findRole(guest.id)).toBe('viewer')
  })
})

describe('signing up with an invitation', () => {
  async function signUp(email: string, invitationToken: string): Promise<{ id: string; metadata: object }> {
    const data = { invitation_token: invitationToken, full_name: 'Grace' }
    const body = { email, password: builtPassword, data }
    expect((await server.call('/auth/v1/signup', { body })).status).toBe(200)
    const { rows } = await server.client.query('select id, raw_user_meta_data from auth.users where email = $1', [
      email,
    ])
    return { id: rows[0].id, metadata: rows[0].raw_user_meta_data }
  }
  const countOrganizations = async (userId: string) =>
    (await server.client.query('select from memberships where user_id = $1', [userId])).rowCount

  it('makes no organisation of one’s own, and keeps the token nowhere', async () => {
    const email = createAddress()
    const token = await inviteForToken(email)
    const { id, metadata } = await signUp(email, token)
    expect(await countOrganizations(id)).toBe(0)
    expect(metadata).toMatchObject({ full_name: 'Grace' })
    const { rows } = await server.client.query('select identity_data from auth.identities where user_id = $1', [id])
    expect(JSON.stringify([metadata, rows])).not.toContain(token)
  })

  it.each(['another address', 'a made-up token', 'an invitation that was withdrawn'])(
    'makes one all the same with %s',
    async (what) => {
      const invited = createAddress()
      const token = what === 'a made-up token' ? 'x'.repeat(43) : await inviteForToken(invited)
      if (what === 'an invitation that was withdrawn') {
        await server.client.query('update invitations set revoked_at = now() where email = $1', [invited])
      }
      const { id } = await signUp(what === 'another address' ? createAddress() : invited, token)
      expect(await countOrganizations(id)).toBe(1)
    },
  )
})

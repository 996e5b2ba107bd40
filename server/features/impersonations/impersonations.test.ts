import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import type { Impersonation } from '#contract/impersonations.ts'
import type { InstanceAuditEntry } from '#contract/superadmin-audit.ts'
import { type BuiltUser, createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { type EventStream, followEvents } from '#server/testing/event-stream.ts'
import { eventually } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import type { TestDatabase } from '#server/testing/template-database.ts'

/*
 * What an impersonation opens and when it ends, over HTTP, with two processes of one instance: whatever ends it in one
 * ends it in the other with the next call. impersonated-routes.test.ts tries every route.
 */
let database: TestDatabase
let server: TestServer
let other: TestServer
let grace: BuiltUser
let superadmin: string
let ada: BuiltUser
let organizationId: string
let projectId: string

beforeAll(async () => {
  database = await createTestDatabase()
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk = { ...(await exportJWK(privateKey)), kid: 'shared', alg: 'ES256', key_ops: ['sign', 'verify'] }
  const env = {
    GOTRUE_JWT_KEYS: JSON.stringify([jwk]),
    INSTANCE_SECRET: 'a secret of two processes of one instance',
    APP_URL: 'http://earshot.example',
    API_RATE_PER_MINUTE: '100000',
  }
  server = await startTestServer(env, database)
  other = await startTestServer({ ...env, SERVICES: 'web,worker' }, database)
  grace = await createUser(server.client, { email: 'grace@example.com', fullName: 'Grace' })
})
afterAll(async () => {
  await other?.stop()
  await server?.stop()
  await database?.drop()
})

beforeEach(async () => {
  await server.client.query('insert into app.superadmins (user_id) values ($1) on conflict do nothing', [grace.id])
  superadmin = await server.signIn(grace)
  ada = await createUser(server.client, { fullName: 'Ada Example', organizationName: 'Engines' })
  organizationId = ada.organizationId ?? ''
  projectId = (await createProject(server.client, { organizationId })).id
})

interface Begun {
  readonly id: string
  readonly token: string
  readonly expiresAt: string
}

const wish = (change: object = {}) => ({
  ...{ id: randomUUID(), reason: 'A support request', mode: 'read_only', minutes: 30 },
  ...change,
})
const begin = (body: object = {}, user: Pick<BuiltUser, 'id'> = ada, token = superadmin) =>
  server.call(`/api/v1/superadmin/users/${user.id}/impersonations`, { token, body: wish(body) })
async function impersonate(body: object = {}, user: Pick<BuiltUser, 'id'> = ada): Promise<Begun> {
  const answer = await begin(body, user)
  expect(answer.status).toBe(201)
  return (await answer.json()) as Begun
}
const own = (path: string) => `/api/v1/organizations/${organizationId}${path}`
async function codeOf(answer: Promise<Response>): Promise<[number, string | undefined]> {
  const response = await answer
  const text = await response.text()
  return [response.status, text === '' ? undefined : (JSON.parse(text) as { code?: string }).code]
}
const read = (token: string, at = other) => codeOf(at.call(own('/projects'), { token }))
const list = async (user = ada) =>
  (
    (await (await server.call(`/api/v1/superadmin/users/${user.id}/impersonations`, { token: superadmin })).json()) as {
      items: Impersonation[]
    }
  ).items
const end = (token: string) => server.call('/api/v1/impersonation/end', { method: 'POST', token })
const over = [401, 'impersonation_ended']
const open = [200, undefined]

describe('POST /api/v1/superadmin/users/{accountId}/impersonations', () => {
  it('gives a token that names the user and the superadmin, ends on time, and can’t be refreshed', async () => {
    const { token, expiresAt, id, ...rest } = await impersonate({ minutes: 15 })
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).toMatchObject({ sub: ada.id, act: { sub: grace.id }, jti: id })
    expect(claims.exp).toBe(Math.floor(Date.parse(expiresAt) / 1000))
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
    expect(rest).toEqual({})
    const present = await (await other.call('/api/v1/impersonation', { token })).json()
    expect(present).toMatchObject({
      organization: { organization_id: organizationId, membership_role: 'owner' },
      ...{ id, mode: 'read_only', expiresAt },
      user: { id: ada.id, email: ada.email, name: 'Ada Example' },
    })
  })

  it('shows what the user sees, and nothing that only the superadmin may', async () => {
    const { token } = await impersonate()
    expect(await read(token)).toEqual(open)
    const account = (await (await other.call('/api/v1/account', { token })).json()) as object
    expect(account).toMatchObject({ email: ada.email })
    const foreign = await createUser(server.client)
    const path = `/api/v1/organizations/${foreign.organizationId}/projects`
    expect((await server.call(path, { token: superadmin })).status).toBe(200)
    expect(await codeOf(other.call(path, { token }))).toEqual([404, 'organization_not_found'])
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    const asViewer = await impersonate({ mode: 'changes' }, viewer)
    expect(await codeOf(other.call(own('/audit'), { token: asViewer.token }))).toEqual([403, 'permission_denied'])
    expect(await codeOf(other.call('/api/v1/superadmin/users', { token }))).toEqual([403, 'impersonation_refused'])
  })

  it('is refused for oneself, superadmins, banned, unconfirmed and unknown accounts', async () => {
    expect(await codeOf(begin({}, grace))).toEqual([409, 'own_account'])
    const second = await createUser(server.client)
    await server.client.query('insert into app.superadmins (user_id) values ($1)', [second.id])
    expect(await codeOf(begin({}, second))).toEqual([409, 'superadmin_not_impersonable'])
    expect(await codeOf(begin({}, await createUser(server.client, { isBanned: true })))).toEqual([
      409,
      'account_banned',
    ])
    const unconfirmed = await createUser(server.client, { isConfirmed: false })
    expect(await codeOf(begin({}, unconfirmed))).toEqual([409, 'account_unconfirmed'])
    expect(await codeOf(begin({}, { id: randomUUID() }))).toEqual([404, 'user_not_found'])
    const { rows } = await server.client.query('select from app.impersonations where user_id = any ($1)', [
      [grace.id, second.id, unconfirmed.id],
    ])
    expect(rows).toEqual([])
  })

  it('needs a reason, a known mode and a known duration', async () => {
    for (const body of [{ reason: '' }, { mode: 'everything' }, { minutes: 61 }, { minutes: 1440 }, { id: 'x' }]) {
      expect(await codeOf(begin(body))).toEqual([400, 'validation_failed'])
    }
  })

  it('begins nothing new for a retry, and refuses another with the same id', async () => {
    const body = wish()
    const first = await impersonate(body)
    const again = await impersonate(body)
    expect([again.id, again.expiresAt]).toEqual([first.id, first.expiresAt])
    expect(await list()).toHaveLength(1)
    for (const change of [{ reason: 'Another' }, { mode: 'changes' }, { minutes: 60 }]) {
      expect(await codeOf(begin({ ...body, ...change }))).toEqual([409, 'impersonation_id_taken'])
    }
    expect(await codeOf(begin(body, await createUser(server.client)))).toEqual([409, 'impersonation_id_taken'])
    expect((await end(first.token)).status).toBe(204)
    expect(await codeOf(begin(body))).toEqual([409, 'impersonation_id_taken'])
  })

  it('is for superadmins in their own name alone', async () => {
    const { token } = await impersonate({ mode: 'changes' })
    const bob = await createUser(server.client)
    expect(await codeOf(begin({}, bob, token))).toEqual([403, 'impersonation_refused'])
    expect(await codeOf(begin({}, bob, await server.signIn(ada)))).toEqual([403, 'permission_denied'])
  })
})

describe('a token', () => {
  const parts = (token: string) => token.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

  it('opens nothing of the auth server, the database’s API, MCP or the API of keys', async () => {
    const { token } = await impersonate({ mode: 'changes' })
    const apikey = server.publishableKey
    const ask = (path: string, method = 'GET', body?: object) =>
      fetch(`${other.url}${path}`, {
        method,
        headers: { apikey, authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
    expect((await ask('/auth/v1/user')).status).toBe(403)
    expect((await ask('/auth/v1/user', 'PUT', { password: 'another battery staple' })).status).toBe(403)
    expect((await ask('/auth/v1/logout?scope=global', 'POST')).status).toBe(403)
    expect((await ask('/auth/v1/user/identities/authorize?provider=google')).status).toBe(403)
    const refresh = await ask('/auth/v1/token?grant_type=refresh_token', 'POST', { refresh_token: token })
    expect([refresh.status, (await refresh.json()) as object]).toEqual([
      400,
      expect.not.objectContaining({ access_token: expect.anything() }),
    ])
    const rpc = await ask('/rest/v1/rpc/get_user_current_organization', 'POST', { p_user_id: ada.id })
    expect(rpc.status).toBe(401)
    expect((await ask('/mcp', 'POST', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(401)
    expect((await ask('/api/v1/feedback')).status).toBe(401)
  })

  it('is refused when it was changed', async () => {
    const { token } = await impersonate()
    const [head = '', claims = ''] = parts(token)
    const signature = token.split('.')[2]
    const forge = (change: object) =>
      [encode(JSON.parse(head)), encode({ ...JSON.parse(claims), ...change }), signature].join('.')
    const unsigned = `${encode({ alg: 'none', typ: 'impersonation+jwt' })}.${token.split('.')[1]}.`
    for (const each of [
      forge({ mode: 'changes' }),
      forge({ sub: grace.id }),
      forge({ exp: 9_999_999_999 }),
      unsigned,
    ]) {
      expect(await read(each)).toEqual([401, 'unauthenticated'])
    }
  })

  it('works beside the superadmin’s own session and the user’s', async () => {
    const theirs = await server.signIn(ada)
    const { token } = await impersonate()
    await end(token)
    expect(await read(theirs)).toEqual(open)
    expect((await server.call('/api/v1/superadmin/users', { token: superadmin })).status).toBe(200)
  })
})

describe('an impersonation', () => {
  const closings: [string, string, (begun: Begun) => Promise<unknown>][] = [
    ['it is ended', 'ended', ({ token }) => end(token)],
    [
      'a superadmin ends it',
      'ended',
      ({ id }) => server.call(`/api/v1/superadmin/impersonations/${id}/end`, { method: 'POST', token: superadmin }),
    ],
    [
      'its time is over',
      'expired',
      ({ id }) =>
        server.client.query(
          `update app.impersonations set created_at = now() - interval '20 minutes', expires_at = now() where id = $1`,
          [id],
        ),
    ],
    [
      'the superadmin loses the right',
      'superadmin_lost_right',
      () => server.client.query('delete from app.superadmins where user_id = $1', [grace.id]),
    ],
    [
      'the superadmin is banned',
      'superadmin_lost_right',
      () =>
        server.client.query(`update auth.users set banned_until = now() + interval '1 hour' where id = $1`, [grace.id]),
    ],
    [
      'the superadmin signs out',
      'superadmin_signed_out',
      () => server.call('/auth/v1/logout?scope=local', { method: 'POST', token: superadmin }),
    ],
    [
      'the user becomes superadmin',
      'user_became_superadmin',
      () =>
        server.call(`/api/v1/superadmin/users/${ada.id}/superadmin`, {
          method: 'PUT',
          token: superadmin,
          body: { reason: 'Helps' },
        }),
    ],
    [
      'the user is banned',
      'user_unusable',
      () =>
        server.call(`/api/v1/superadmin/users/${ada.id}/ban`, {
          method: 'PUT',
          token: superadmin,
          body: { reason: 'Spam', until: null },
        }),
    ],
    [
      'the user is deleted',
      'user_unusable',
      async () => {
        await createMember(server.client, { organizationId, role: 'owner' })
        await server.client.query('delete from auth.users where id = $1', [ada.id])
      },
    ],
  ]

  it.each(closings)('ends in all processes when %s', async (_, reason, close) => {
    const begun = await impersonate({ mode: 'changes' })
    expect([await read(begun.token, server), await read(begun.token)]).toEqual([open, open])
    const stream = await followEvents(other, organizationId, begun.token)
    await close(begun)
    expect([await read(begun.token), await read(begun.token, server)]).toEqual([over, over])
    expect(await codeOf(other.call('/api/v1/impersonation', { token: begun.token }))).toEqual(over)
    expect(await codeOf(other.call('/api/v1/account', { token: begun.token }))).toEqual(over)
    expect(await nextUnless(stream)).toBeUndefined()
    await server.client.query('select app.end_finished_impersonations()')
    const { rows } = await server.client.query('select end_reason from app.impersonations where id = $1', [begun.id])
    expect(rows).toEqual([{ end_reason: reason }])
    const { rows: entries } = await server.client.query(
      `select after from audit_log where impersonation_id = $1 and action = 'user.impersonation_ended'`,
      [begun.id],
    )
    expect(entries).toEqual([{ after: { end: reason } }])
    await server.client.query('update auth.users set banned_until = null where id = $1', [grace.id])
  })

  /** Notices until the stream ends, which it does by itself. */
  async function nextUnless(stream: EventStream): Promise<unknown> {
    for (;;) if ((await stream.next()) === undefined) return undefined
  }

  it('stays ended: neither a second end nor a new right revives it', async () => {
    const { token } = await impersonate()
    await server.client.query('delete from app.superadmins where user_id = $1', [grace.id])
    await server.client.query('insert into app.superadmins (user_id) values ($1)', [grace.id])
    expect(await read(token)).toEqual(over)
    expect(await codeOf(end(token))).toEqual(over)
  })

  it('survives the end of another superadmin’s session and of the user’s', async () => {
    const { token } = await impersonate()
    const theirs = await server.signIn(ada)
    await server.call('/auth/v1/logout?scope=global', { method: 'POST', token: theirs })
    const elsewhere = await server.signIn(grace)
    await server.call('/auth/v1/logout?scope=local', { method: 'POST', token: elsewhere })
    expect(await read(token)).toEqual(open)
  })

  it('is no longer than its row, whatever another row says', async () => {
    const { token, id } = await impersonate()
    await impersonate()
    await server.client.query(
      `update app.impersonations set created_at = now() - interval '31 minutes', expires_at = now() - interval '1 minute'
       where id = $1`,
      [id],
    )
    expect(await read(token)).toEqual(over)
  })

  it('reaches no closed organisation and no organisation that the user has left', async () => {
    const { token } = await impersonate()
    await createMember(server.client, { organizationId, role: 'owner' })
    await server.client.query('delete from memberships where user_id = $1', [ada.id])
    expect(await read(token)).toEqual([404, 'organization_not_found'])
  })
})

describe('while reading only', () => {
  it('refuses a write with a code of its own, and the database refuses it too', async () => {
    const { token } = await impersonate()
    const rename = other.call(own(`/projects/${projectId}`), { method: 'PATCH', token, body: { name: 'Renamed' } })
    expect(await codeOf(rename)).toEqual([403, 'impersonation_read_only'])
    const { rows } = await server.client.query('select name from projects where id = $1', [projectId])
    expect(rows).not.toEqual([{ name: 'Renamed' }])
  })

  it('leaves no trace of the user: activity, presence, read items, notifications', async () => {
    const item = await createFeedback(server.client, { organizationId, projectId })
    const { token } = await impersonate()
    for (const path of [
      '/projects',
      '/feedback',
      `/feedback/${item.id}`,
      '/notifications',
      '/members',
      '/feedback/counts',
    ]) {
      expect([path, (await other.call(own(path), { token })).status]).toEqual([path, 200])
    }
    const body = { pageId: randomUUID(), feedbackId: item.id }
    expect(await codeOf(other.call(own('/presence'), { token, body }))).toEqual([403, 'impersonation_refused'])
    const marks = other.call(own('/notifications/marks'), { token, body: { read: true, all: true } })
    expect(await codeOf(marks)).toEqual([403, 'impersonation_refused'])
    const view = other.call(own(`/feedback/${item.id}`), { method: 'PATCH', token, body: { viewed: true } })
    expect(await codeOf(view)).toEqual([403, 'impersonation_read_only'])
    for (const table of ['member_activity', 'presence', 'feedback_reads', 'feedback_events']) {
      const { rows } = await server.client.query(`select from ${table} where organization_id = $1`, [organizationId])
      expect([table, rows.length]).toEqual([table, 0])
    }
    const { rows } = await server.client.query(
      'select last_sign_in_at, (select count(*)::integer from auth.sessions s where s.user_id = u.id) as sessions from auth.users u where id = $1',
      [ada.id],
    )
    expect(rows).toEqual([{ last_sign_in_at: null, sessions: 0 }])
  })
})

describe('the audit logs', () => {
  const readLog = async (search: string) =>
    (
      (await (await server.call(`/api/v1/superadmin/audit?${search}`, { token: superadmin })).json()) as {
        items: InstanceAuditEntry[]
      }
    ).items

  it('tell an impersonation from its beginning to its end, with both names', async () => {
    const { id, token } = await impersonate({ mode: 'changes', reason: 'Ticket 12', minutes: 60 })
    const rename = { method: 'PATCH', token, body: { name: 'Renamed' } }
    expect((await other.call(own(`/projects/${projectId}`), rename)).status).toBe(200)
    await other.call(own('/members'), { token })
    await end(token)
    const readEntries = async () => (await readLog(`impersonationId=${id}`)).map(({ summary }) => summary).toReversed()
    await eventually(readEntries).toEqual([
      `Grace (superadmin) began to impersonate ${ada.email}, with changes, for 60 minutes: Ticket 12`,
      'Grace (superadmin) used the organisation as Ada Example',
      expect.stringMatching(/^Ada Example, by superadmin Grace changed .*/),
      `Grace (superadmin) ended the impersonation of ${ada.email}`,
    ])
    const whole = await readLog(`targetId=${ada.id}`)
    expect(whole.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['user.impersonated', 'user.impersonation_ended']),
    )
    const theirs = (await (await server.call(own('/audit'), { token: await server.signIn(ada) })).json()) as {
      items: AuditEntry[]
    }
    expect(theirs.items.map(({ summary }) => summary)).toEqual(
      expect.arrayContaining([
        'Grace (superadmin) used the organisation as Ada Example',
        expect.stringMatching(/^Ada Example, by superadmin Grace changed/),
      ]),
    )
  })

  it('note that an organisation was looked at while reading only', async () => {
    const { token } = await impersonate()
    await other.call(own('/projects'), { token })
    await other.call(own('/members'), { token })
    const readRows = async () =>
      (
        await server.client.query(
          `select action, actor_kind, actor_user_id, target_id from audit_log
           where organization_id = $1 and category = 'superadmin'`,
          [organizationId],
        )
      ).rows
    await eventually(readRows).toEqual([
      { action: 'superadmin.entered', actor_kind: 'superadmin', actor_user_id: grace.id, target_id: ada.id },
    ])
  })

  it('keep what the user does meanwhile apart', async () => {
    await impersonate({ mode: 'changes' })
    const token = await server.signIn(ada)
    await server.call(own(`/projects/${projectId}`), { method: 'PATCH', token, body: { name: 'Renamed' } })
    const readRows = async () =>
      (
        await server.client.query(
          `select actor_name, impersonation_id from audit_log where organization_id = $1 and action = 'project.updated'`,
          [organizationId],
        )
      ).rows
    await eventually(readRows).toEqual([{ actor_name: 'Ada Example', impersonation_id: null }])
  })

  it('list impersonations on the user’s page with who, why and how they ended', async () => {
    const first = await impersonate({ reason: 'First' })
    await end(first.token)
    await impersonate({ reason: 'Second', mode: 'changes' })
    expect(await list()).toMatchObject([
      { reason: 'Second', mode: 'changes', endedAt: null, endReason: null, superadmin: { name: 'Grace' } },
      { reason: 'First', mode: 'read_only', endReason: 'ended' },
    ])
  })
})

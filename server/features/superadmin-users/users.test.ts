import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InstanceUser, InstanceUserDetail } from '#contract/superadmin-users.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* What superadmins read of accounts and do to them, over HTTP. */

let server: TestServer
let token: string
let rootId: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  const root = await createUser(server.client, { email: 'root@example.com' })
  rootId = root.id
  token = await server.signIn(root)
})
afterAll(() => server?.stop())

const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/superadmin/users${path}`, { token, ...options })
const list = async (query: string) =>
  (await (await call(`?${query}`)).json()) as { items: InstanceUser[]; nextCursor: string | null }
const find = async (query: string) => (await list(query)).items.map(({ email }) => email)
const get = async (id: string) => (await (await call(`/${id}`)).json()) as InstanceUserDetail
const codeOf = async (answer: Promise<Response>) => {
  const response = await answer
  return [response.status, ((await response.json()) as { code?: string }).code]
}
const ban = (id: string, body: object = { reason: 'Spam', until: null }) => call(`/${id}/ban`, { method: 'PUT', body })
const makeSuperadmin = (id: string, as = token) =>
  call(`/${id}/superadmin`, { method: 'PUT', body: { reason: 'Help' }, token: as })
const removeSuperadmin = (id: string, as = token) => call(`/${id}/superadmin`, { method: 'DELETE', token: as })

/** What the audit log of the instance says of an account, the latest first. */
async function readLog(id: string): Promise<{ action: string; after: Record<string, unknown> }[]> {
  const { rows } = await server.client.query(
    'select action, after from audit_log where target_id = $1 order by created_at desc, id desc',
    [id],
  )
  return rows
}

describe('GET /api/v1/superadmin/users', () => {
  it('finds accounts by part of the address and name, whatever the case, latest first', async () => {
    await createUser(server.client, { email: 'ada@find.example' })
    const bob = await createUser(server.client, { email: 'bob@find.example' })
    await server.client.query(
      `update auth.users set raw_user_meta_data = '{"full_name": "Bob 100%_Sure"}' where id = $1`,
      [bob.id],
    )
    expect(await find('search=FIND.example')).toEqual(['bob@find.example', 'ada@find.example'])
    expect(await find('search=find.example&order=oldest')).toEqual(['ada@find.example', 'bob@find.example'])
    expect(await find('search=100%25_sure')).toEqual(['bob@find.example'])
    expect(await find('search=100__sure')).toEqual([])
    expect((await list('search=bob@find')).items).toMatchObject([
      { name: 'Bob 100%_Sure', organizationCount: 1, isSuperadmin: false, bannedUntil: null },
    ])
  })

  it('finds those who are unconfirmed, banned or superadmin', async () => {
    const user = await createUser(server.client, { email: 'state@state.example' })
    expect(await find('search=state.example&state=banned')).toEqual([])
    await ban(user.id)
    expect(await find('search=state.example&state=banned')).toEqual(['state@state.example'])
    await server.client.query('update auth.users set email_confirmed_at = null where id = $1', [user.id])
    expect(await find('search=state.example&state=unconfirmed')).toEqual(['state@state.example'])
    expect(await find('state=superadmin')).toEqual(['root@example.com'])
  })

  it('pages without a gap or a repetition, and refuses a foreign cursor', async () => {
    const emails = Array.from({ length: 5 }, (_, n) => `page-${n}@pages.example`)
    for (const email of emails) await createUser(server.client, { email })
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `search=pages.example&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...page.items.map(({ email }) => email))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(emails.toReversed())
    expect(await codeOf(call('?cursor=bm8'))).toEqual([400, 'validation_failed'])
  })

  it('leaves deleted accounts out', async () => {
    const soft = await createUser(server.client, { email: 'soft@gone.example' })
    const hard = await createUser(server.client, { email: 'hard@gone.example' })
    await server.client.query('delete from organizations where id = any ($1)', [
      [soft.organizationId, hard.organizationId],
    ])
    await server.client.query('update auth.users set deleted_at = now() where id = $1', [soft.id])
    await server.client.query('delete from auth.users where id = $1', [hard.id])
    expect(await find('search=gone.example')).toEqual([])
    expect((await call(`/${soft.id}`)).status).toBe(404)
  })

  it('exports what is found as CSV', async () => {
    await createUser(server.client, { email: 'csv@export.example' })
    const answer = await call('/exports', { body: { search: 'export.example' } })
    expect(answer.headers.get('content-type')).toContain('text/csv')
    const [head, ...rows] = (await answer.text()).trim().split('\r\n')
    expect(head).toContain('id,email,name,created_at')
    expect(rows).toEqual([expect.stringContaining(',csv@export.example,')])
  })

  it('is for superadmins alone', async () => {
    const other = await server.signIn(await createUser(server.client))
    expect(await codeOf(call('', { token: other }))).toEqual([403, 'permission_denied'])
  })
})

describe('GET /api/v1/superadmin/users/{accountId}', () => {
  it('shows organisations with roles, and devices', async () => {
    const user = await createUser(server.client, { email: 'detail@example.com' })
    await server.signIn(user)
    const detail = await get(user.id)
    expect(detail).toMatchObject({ email: 'detail@example.com', sessionCount: 1, organizationCount: 1 })
    expect(detail.organizations).toMatchObject([{ id: user.organizationId, role: 'owner' }])
    expect(detail.sessions).toHaveLength(1)
    expect(await codeOf(call(`/${randomUUID()}`))).toEqual([404, 'user_not_found'])
  })
})

describe('a ban', () => {
  it('ends all sessions at once, refuses new ones, and is lifted', async () => {
    const user = await createUser(server.client, { email: 'banned@example.com' })
    const theirs = await server.signIn(user)
    const whoAmI = () => server.call('/api/v1/account', { token: theirs })
    expect((await whoAmI()).status).toBe(200)
    const until = new Date(Date.now() + 3_600_000).toISOString()
    expect(await (await ban(user.id, { reason: 'Spam', until })).json()).toMatchObject({
      bannedUntil: until,
      sessionCount: 0,
    })
    expect((await whoAmI()).status).toBe(401)
    const lifted = await call(`/${user.id}/ban`, { method: 'DELETE' })
    expect(await lifted.json()).toMatchObject({ bannedUntil: null })
    await server.signIn(user)
    // Again: nothing to lift, and nothing to note.
    await call(`/${user.id}/ban`, { method: 'DELETE' })
    expect(await readLog(user.id)).toEqual([
      { action: 'user.unbanned', after: {} },
      { action: 'user.banned', after: { reason: 'Spam', until } },
    ])
  })

  it('is refused for oneself, for superadmins, with an end in the past, and without a reason', async () => {
    expect(await codeOf(ban(rootId))).toEqual([409, 'own_account'])
    const other = await createUser(server.client)
    await makeSuperadmin(other.id)
    expect(await codeOf(ban(other.id))).toEqual([409, 'superadmin_not_bannable'])
    await removeSuperadmin(other.id)
    expect(await codeOf(ban(other.id, { reason: 'Spam', until: '2020-01-01T00:00:00Z' }))).toEqual([
      400,
      'validation_failed',
    ])
    expect(await codeOf(ban(other.id, { reason: '', until: null }))).toEqual([400, 'validation_failed'])
    expect((await get(other.id)).bannedUntil).toBeNull()
  })
})

describe('acts on an account', () => {
  it('confirm an address, once', async () => {
    const user = await createUser(server.client, { email: 'unconfirmed@example.com' })
    await server.client.query('update auth.users set email_confirmed_at = null where id = $1', [user.id])
    const confirm = () => call(`/${user.id}/confirm`, { method: 'POST' })
    expect(((await (await confirm()).json()) as InstanceUser).confirmedAt).not.toBeNull()
    await confirm()
    expect((await readLog(user.id)).map(({ action }) => action)).toEqual(['user.confirmed'])
  })

  it('sign it out on all devices', async () => {
    const user = await createUser(server.client)
    const theirs = [await server.signIn(user), await server.signIn(user)]
    const answer = await call(`/${user.id}/sign-out`, { method: 'POST' })
    expect(await answer.json()).toEqual({ endedSessions: 2 })
    for (const each of theirs) expect((await server.call('/api/v1/account', { token: each })).status).toBe(401)
    expect(await codeOf(call(`/${rootId}/sign-out`, { method: 'POST' }))).toEqual([409, 'own_account'])
  })

  it('send it the email that resets a password, as often as the person could', async () => {
    const user = await createUser(server.client, { email: 'forgot@example.com' })
    const send = () => call(`/${user.id}/password-reset`, { method: 'POST' })
    expect((await get(user.id)).passwordReset).toBe('possible')
    expect((await send()).status).toBe(204)
    expect((await server.mails()).filter(({ to }) => to === user.email)).toMatchObject([{ kind: 'recovery' }])
    const again = await send()
    expect(again.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await codeOf(Promise.resolve(again))).toEqual([429, 'rate_limited'])
    expect(await readLog(user.id)).toEqual([{ action: 'user.password_reset_sent', after: {} }])
  })

  it('say of someone without a password that a reset sets the first one', async () => {
    const user = await createUser(server.client)
    await server.client.query(`update auth.users set encrypted_password = '' where id = $1`, [user.id])
    expect((await get(user.id)).passwordReset).toBe('first')
  })

  it('send no password reset to a banned or unconfirmed account', async () => {
    for (const state of [{ isBanned: true }, { isConfirmed: false }]) {
      const user = await createUser(server.client, state)
      expect(await codeOf(call(`/${user.id}/password-reset`, { method: 'POST' }))).toEqual([409, 'account_unusable'])
      expect((await server.mails()).filter(({ to }) => to === user.email)).toEqual([])
    }
  })

  it('make it superadmin and take the right away', async () => {
    const user = await createUser(server.client)
    const theirs = await server.signIn(user)
    expect((await call('', { token: theirs })).status).toBe(403)
    expect(await (await makeSuperadmin(user.id)).json()).toMatchObject({ isSuperadmin: true })
    expect((await call('', { token: theirs })).status).toBe(200)
    expect(await codeOf(removeSuperadmin(user.id, theirs))).toEqual([409, 'own_account'])
    expect(await (await removeSuperadmin(user.id)).json()).toMatchObject({ isSuperadmin: false })
    expect((await call('', { token: theirs })).status).toBe(403)
    expect((await readLog(user.id)).map(({ action }) => action)).toEqual([
      'user.removed_superadmin',
      'user.made_superadmin',
    ])
  })

  it('make no superadmin of a banned or unconfirmed account', async () => {
    const banned = await createUser(server.client)
    await ban(banned.id)
    expect(await codeOf(makeSuperadmin(banned.id))).toEqual([409, 'account_unusable'])
    const unconfirmed = await createUser(server.client)
    await server.client.query('update auth.users set email_confirmed_at = null where id = $1', [unconfirmed.id])
    expect(await codeOf(makeSuperadmin(unconfirmed.id))).toEqual([409, 'account_unusable'])
  })
})

describe('requests at once', () => {
  it('leave one of two superadmins who remove each other', async () => {
    const other = await createUser(server.client)
    const theirs = await server.signIn(other)
    for (let round = 0; round < 5; round += 1) {
      await server.client.query('insert into app.superadmins (user_id) values ($1), ($2) on conflict do nothing', [
        rootId,
        other.id,
      ])
      await Promise.all([removeSuperadmin(other.id), removeSuperadmin(rootId, theirs)])
      const { rows } = await server.client.query('select count(*)::integer as left from app.superadmins')
      expect(rows).toEqual([{ left: 1 }])
    }
    await server.client.query('insert into app.superadmins (user_id) values ($1) on conflict do nothing', [rootId])
    await server.client.query('delete from app.superadmins where user_id = $1', [other.id])
  })

  it('never ban someone who becomes superadmin', async () => {
    for (let round = 0; round < 5; round += 1) {
      const user = await createUser(server.client)
      await Promise.all([ban(user.id), makeSuperadmin(user.id)])
      const { isSuperadmin, bannedUntil } = await get(user.id)
      expect([isSuperadmin, bannedUntil !== null]).toSatisfy(([is, banned]) => is !== banned)
    }
  })
})

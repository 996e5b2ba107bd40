import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from '#contract/audit.ts'
import {
  addMember,
  type BuiltUser,
  builtPassword,
  createMember,
  createProject,
  createUser,
} from '#server/testing/builders.ts'
import { eventually, type FilesFixture, openFilesFixture } from '#server/testing/files-fixture.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let fixture: FilesFixture
let owner: BuiltUser
let token: string
let organizationId: string

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000', AUDIT_RETENTION_DAYS: '100' })
})
afterAll(() => fixture.stop())

beforeEach(async () => {
  owner = await createUser(fixture.server.client, { fullName: 'Grace Hopper', organizationName: 'Compilers' })
  organizationId = owner.organizationId ?? ''
  token = await fixture.server.signIn(owner)
})

const query = async (text: string, values: unknown[] = []) => (await fixture.server.client.query(text, values)).rows
const call = (path: string, options: { method?: string; token?: string; body?: unknown } = {}) =>
  fixture.server.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options })

interface Page {
  items: AuditEntry[]
  nextCursor: string | null
}
async function list(search = ''): Promise<Page> {
  const reply = await call(`/audit${search}`)
  expect(reply.status).toBe(200)
  return (await reply.json()) as Page
}
const summaries = async (search = '') => (await list(search)).items.map(({ summary }) => summary)
const find = async (action: string) => (await list()).items.find((entry) => entry.action === action)

/** Entries of the past, as the system alone writes them. */
const insertEntries = (count: number, options: { days?: number; category?: string; actorId?: string } = {}) =>
  query(
    `insert into audit_log (organization_id, action, actor_kind, actor_user_id, category, created_at)
     select $1, 'project.created', 'user', $4, $3, now() - make_interval(days => $2) from generate_series(1, $5)`,
    [organizationId, options.days ?? 0, options.category ?? 'projects', options.actorId ?? null, count],
  )

describe('the audit log', () => {
  it('says who did what to whom, from where and by which request', async () => {
    const member = await createMember(fixture.server.client, { organizationId, role: 'member' })
    const { id } = await createProject(fixture.server.client, { organizationId, name: 'Shop' })
    const reply = await fetch(`${fixture.server.url}/api/v1/organizations/${organizationId}/projects/${id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'user-agent': 'Browser 1' },
      body: JSON.stringify({ name: 'Store', retentionDays: 90 }),
    })
    await eventually(() => find('project.updated')).toMatchObject({
      summary: 'Grace Hopper changed name and retention in days of Store',
      category: 'projects',
      actor: { kind: 'user', id: owner.id, name: 'Grace Hopper' },
      target: { type: 'project', id, name: 'Store' },
      before: { name: 'Shop', retentionDays: null },
      after: { name: 'Store', retentionDays: 90 },
      ip: '127.0.0.1',
      userAgent: 'Browser 1',
      requestId: reply.headers.get('x-request-id'),
      cause: null,
    })

    // As the routes of members do it.
    await fixture.server.client.query('begin')
    await query("select set_config('app.origin', $1, true)", [JSON.stringify({ kind: 'user', userId: owner.id })])
    await query("update memberships set role = 'admin' where user_id = $1", [member.id])
    await query('commit')
    await eventually(() => summaries('?category=members')).toContain(
      'Grace Hopper changed the role of Ada Example from member to admin',
    )
  })

  it('keeps the name of someone who has deleted their account', async () => {
    const leaver = await createUser(fixture.server.client, { fullName: 'Ada Lovelace' })
    await addMember(fixture.server.client, { organizationId, userId: leaver.id, role: 'member' })
    const reply = await fixture.server.call('/api/v1/account', {
      method: 'DELETE',
      token: await fixture.server.signIn(leaver),
      body: { email: leaver.email },
    })
    expect(reply.status).toBe(204)
    await eventually(() => summaries('?category=members')).toContain('Ada Lovelace left the organisation')
    expect(await find('member.removed')).toMatchObject({ before: { role: 'member' }, after: null })
  })

  it('records the address of the connection, whatever a request claims', async () => {
    for (const header of ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip', 'forwarded']) {
      const reply = await fetch(`${fixture.server.url}/api/v1/organizations/${organizationId}/projects`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          [header]: header === 'forwarded' ? 'for=203.0.113.9' : '203.0.113.9',
        },
        body: JSON.stringify({ name: header, domain: `${header}.example` }),
      })
      expect(reply.status).toBe(201)
    }
    await eventually(async () => (await list('?category=projects')).items.map(({ ip }) => ip)).toEqual(
      Array.from({ length: 4 }, () => '127.0.0.1'),
    )
  })

  it('tells owners of their members’ sign-in security, and of no one else’s', async () => {
    const member = await createUser(fixture.server.client, { fullName: 'Ada Lovelace' })
    const memberToken = await fixture.server.signIn(member)
    const enter = (password: string) =>
      fixture.server.call('/auth/v1/token?grant_type=password', { body: { email: member.email, password } })
    // Before they are a member, and so of no concern here.
    await enter('wrong before')
    await addMember(fixture.server.client, { organizationId, userId: member.id, role: 'viewer' })
    for (let count = 0; count < 8; count += 1) await enter(`canary-${count}`)
    const change = (body: object) => fixture.server.call('/auth/v1/user', { method: 'PUT', token: memberToken, body })
    expect((await change({ password: 'new password', current_password: 'canary-9' })).status).toBe(400)
    expect((await change({ password: 'canary-new', current_password: builtPassword })).status).toBe(200)
    await fixture.server.call('/auth/v1/logout?scope=local', { method: 'POST', token: memberToken })
    await eventually(() => summaries('?category=security')).toContain('Ada Lovelace changed their password')
    const { items } = await list('?category=security')
    const failed = items.filter(({ action }) => action === 'account.proof_failed')
    // Five an hour tell of an attack, one of which was before.
    expect(failed).toHaveLength(4)
    expect(failed[0]).toMatchObject({
      summary: 'A sign-in as Ada Lovelace failed: wrong password',
      actor: { kind: 'visitor', id: null, name: null },
      target: { type: 'user', id: member.id },
      ip: '127.0.0.1',
    })
    expect(items).toHaveLength(5)
    expect(JSON.stringify(items)).not.toContain('canary')
  })

  it('names superadmins who are no members, once for each of their visits', async () => {
    const superadmin = await createUser(fixture.server.client, { fullName: 'Sam Super' })
    await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
    const superToken = await fixture.server.signIn(superadmin)
    for (const path of ['/projects', '/members', '/projects']) {
      expect((await call(path, { token: superToken })).status).toBe(200)
    }
    const created = await call('/projects', { token: superToken, body: { name: 'Made', domain: 'made.example' } })
    expect(created.status).toBe(201)
    await eventually(() => summaries()).toEqual(
      expect.arrayContaining([
        'Sam Super (superadmin) created the project Made',
        'Sam Super (superadmin) used the organisation as superadmin',
      ]),
    )
    expect((await list('?category=superadmin')).items).toHaveLength(1)
    expect((await list('?actorKind=superadmin')).items).toHaveLength(2)
  })

  it('contains no visitor’s text or address, no token and no secret', async () => {
    const canary = `canary${randomUUID().slice(0, 8)}`
    const { id: projectId, widgetKey } = await createProject(fixture.server.client, { organizationId })
    const email = `${canary}@example.org`
    const sent = await submit(fixture.server, widgetKey, {
      ...makeSubmission({ message: `${canary} says`, email, name: canary }),
    })
    expect(sent.status).toBe(201)
    const guest = `guest-${randomUUID()}@example.com`
    await call('/invitations', { body: { email: guest, role: 'viewer' } })
    const secrets: string[] = [email]
    const rotated = await call(`/projects/${projectId}/widget/identity-secret/rotate`, { method: 'POST', body: {} })
    secrets.push(((await rotated.json()) as { secret: string }).secret)
    const mail = (await fixture.server.mails()).find(({ to }) => to === guest)
    secrets.push(/accept-invitation\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '')
    const erasure = { id: randomUUID(), visitor: email, confirmation: email }
    expect((await call('/visitors/erasures', { body: erasure })).status).toBeLessThan(300)
    await eventually(() => find('visitor.erased')).toBeDefined()
    await eventually(() => find('widget.configured')).toBeDefined()
    await eventually(() => find('member.invited')).toMatchObject({ target: { name: guest } })
    const stored = JSON.stringify(await query('select * from audit_log where organization_id = $1', [organizationId]))
    for (const secret of [canary, ...secrets]) {
      expect(secret.length).toBeGreaterThan(8)
      expect(stored).not.toContain(secret)
    }
    // Not even where an event carries one by mistake.
    await query("select app.write_event($1, 'project.updated', array[$2::uuid], $3, 'never')", [
      organizationId,
      projectId,
      JSON.stringify({
        before: {},
        after: { name: 'ghp_' + 'a1B2c3D4e5F6a1B2c3D4e5F6a1B2c3D4e5F6', apiKey: canary },
        text: canary,
      }),
    ])
    await eventually(() => find('project.updated')).toMatchObject({
      after: { name: expect.not.stringContaining('a1B2') },
    })
    expect(JSON.stringify((await list()).items)).not.toContain(canary)
  })
})

describe('GET …/audit', () => {
  it('is for owners', async () => {
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const other = await fixture.server.signIn(await createMember(fixture.server.client, { organizationId, role }))
      expect((await call('/audit', { token: other })).status).toBe(403)
      expect((await call('/audit/exports', { token: other, body: { format: 'csv' } })).status).toBe(403)
    }
    const stranger = await fixture.server.signIn(await createUser(fixture.server.client))
    expect((await call('/audit', { token: stranger })).status).toBe(404)
  })

  it('filters by actor, category, target and time', async () => {
    await insertEntries(2, { days: 3, actorId: owner.id })
    await insertEntries(1, { days: 5, category: 'keys' })
    const target = randomUUID()
    await query(
      `insert into audit_log (organization_id, action, actor_kind, category, target_type, target_id)
       values ($1, 'project.removed', 'system', 'projects', 'project', $2)`,
      [organizationId, target],
    )
    const count = async (search: string) => (await list(search)).items.length
    const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    expect(await count(`?actorId=${owner.id}&category=projects`)).toBe(2)
    expect(await count('?category=keys')).toBe(1)
    expect(await count(`?targetId=${target}`)).toBe(1)
    expect(await count('?actorKind=system&category=projects')).toBe(1)
    expect(await count(`?from=${dayAgo(4)}&to=${dayAgo(2)}`)).toBe(2)
    expect(await count(`?to=${dayAgo(4)}`)).toBe(1)
    for (const search of ['?category=all', '?from=2026-02-30T00:00:00Z', '?cursor=abc', '?limit=0', '?actorId=1']) {
      const reply = await call(`/audit${search}`)
      expect([search, reply.status]).toEqual([search, 400])
      expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: expect.any(String) }] })
    }
  })

  it('gives every entry once, page by page, also those of one moment', async () => {
    await insertEntries(25)
    await insertEntries(1, { days: 1 })
    const seen: string[] = []
    let cursor: string | null = ''
    do {
      const page: Page = await list(`?category=projects&limit=10${cursor ? `&cursor=${cursor}` : ''}`)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    } while (cursor !== null)
    expect(new Set(seen).size).toBe(26)
    expect(seen).toHaveLength(26)
  })
})

describe('POST …/audit/exports', () => {
  it('sends the filtered log as CSV or JSON Lines, and records it', async () => {
    await insertEntries(1_100)
    await query(
      `insert into audit_log (organization_id, action, actor_kind, actor_user_id, actor_name, category, target_type, target_id, target_name)
       values ($1, 'project.created', 'user', $2, '=cmd()', 'keys', 'project', gen_random_uuid(), 'Ä "quoted"')`,
      [organizationId, owner.id],
    )
    const csv = await call('/audit/exports', { body: { format: 'csv', category: 'keys' } })
    expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="audit-log-\d{4}-\d\d-\d\d\.csv"$/)
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const lines = (await csv.text()).split('\r\n').filter(Boolean)
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^\uFEFF?time,summary,action,category,actor_kind/)
    expect(lines[1]).toContain(`"'=cmd() created the project Ä ""quoted"""`)
    const text = await (await call('/audit/exports', { body: { format: 'jsonl', category: 'projects' } })).text()
    const entries = text.trim().split('\n')
    expect(entries).toHaveLength(1_100)
    expect(JSON.parse(entries[0] ?? '')).toMatchObject({ action: 'project.created', summary: expect.any(String) })
    await eventually(() => summaries('?category=data')).toEqual([
      'Grace Hopper exported the audit log as jsonl',
      'Grace Hopper exported the audit log as csv',
    ])
  })
})

describe('the table of the audit log', () => {
  it('refuses changes to everyone, also to its owner', async () => {
    await insertEntries(1, { days: 99 })
    const attempt = (statement: string) => query(statement, statement.includes('$1') ? [organizationId] : [])
    for (const statement of [
      "update audit_log set action = 'forged' where organization_id = $1",
      'delete from audit_log where organization_id = $1',
      'truncate audit_log',
    ]) {
      await expect(attempt(statement), statement).rejects.toThrow('append only')
    }
    for (const role of ['authenticated', 'service_role', 'supabase_auth_admin', 'anon']) {
      for (const statement of [
        "update audit_log set action = 'forged'",
        'delete from audit_log',
        'truncate audit_log',
      ]) {
        await query('begin')
        await query(`set local role ${role}`)
        await expect(query(statement), `${role}: ${statement}`).rejects.toThrow(/permission denied/)
        await query('rollback')
      }
    }
  })

  it('gets no entry of an organisation that is removed while its entries are written', async () => {
    const { client, databaseUrl } = fixture.server
    await eventually(async () => (await list()).items.length).toBeGreaterThan(0)
    const [entry] = await query('select event_id from audit_log where organization_id = $1', [organizationId])
    await query(`update organizations set closed_at = now() - interval '30 days', delete_after = now() where id = $1`, [
      organizationId,
    ])
    const remover = new pg.Client({ connectionString: databaseUrl })
    await remover.connect()
    await remover.query('begin')
    await remover.query('select app.remove_organization_rows($1, 1000)', [organizationId])
    await remover.query('select app.finish_organization_removal($1)', [organizationId])
    // The job reads the event, which is still there, and waits.
    await client.query(
      `select graphile_worker.add_job('event:write_audit_log',
         json_build_object('events', json_build_array(json_build_object('organizationId', $1::text, 'id', $2::text))))`,
      [organizationId, entry?.event_id],
    )
    const countWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await eventually(async () => (await query(countWaiting)).length).toBe(1)
    await remover.query('commit')
    await remover.end()
    const countJobs = `select from graphile_worker.jobs where task_identifier = 'event:write_audit_log'`
    await eventually(async () => (await query(countJobs)).length).toBe(0)
    expect(await query('select action from audit_log where organization_id = $1', [organizationId])).toEqual([])
  })

  it('is pruned of entries older than the retention, and of no other', async () => {
    await insertEntries(2_500, { days: 101 })
    await insertEntries(3, { days: 99 })
    await query("select graphile_worker.add_job('prune_audit_log')")
    const count = async () =>
      (
        await query(
          "select count(*)::integer as n from audit_log where organization_id = $1 and created_at < now() - interval '90 days'",
          [organizationId],
        )
      )[0]?.n
    await eventually(count).toBe(3)
    await expect(query('update app.instance_settings set audit_retention_days = 29')).rejects.toThrow(/check/)
  })
})

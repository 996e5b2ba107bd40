import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type {
  InstanceOrganization,
  InstanceOrganizationDetail,
  InstanceOrganizationStorage,
} from '#contract/superadmin-organizations.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* What superadmins read of organisations, over HTTP. */

let server: TestServer
let token: string
let superadminId: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  const superadmin = await createUser(server.client)
  superadminId = superadmin.id
  token = await server.signIn(superadmin)
})
afterAll(() => server?.stop())

const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  server.call(`/api/v1/superadmin/organizations${path}`, { token, ...options })
const list = async (query: string) =>
  (await (await call(`?${query}`)).json()) as { items: InstanceOrganization[]; nextCursor: string | null }
const find = async (query: string) => (await list(query)).items.map(({ name }) => name)

async function createOrganization(name: string, slug: string): Promise<string> {
  const { organizationId = '' } = await createUser(server.client)
  await server.client.query('update organizations set name = $2, slug = $3 where id = $1', [organizationId, name, slug])
  return organizationId
}

describe('GET /api/v1/superadmin/organizations', () => {
  it('finds organisations by part of the name or address, latest first, oldest first, by name', async () => {
    await createOrganization('Zeta Finders', 'zeta-find')
    await createOrganization('alpha FINDERS', 'alpha-find')
    await createOrganization('Other', 'other-find')
    expect(await find('search=finders')).toEqual(['alpha FINDERS', 'Zeta Finders'])
    expect(await find('search=-find&order=oldest')).toEqual(['Zeta Finders', 'alpha FINDERS', 'Other'])
    expect(await find('search=-find&order=name')).toEqual(['alpha FINDERS', 'Other', 'Zeta Finders'])
    expect(await find('search=%25find')).toEqual([])
  })

  it('counts members, projects and the items of 30 days', async () => {
    const id = await createOrganization('Counters', 'counters')
    await createMember(server.client, { organizationId: id, role: 'viewer' })
    await createProject(server.client, { organizationId: id })
    await server.client.query(
      `insert into app.usage_days (organization_id, day, items) values
         ($1, (now() at time zone 'UTC')::date, 3), ($1, (now() at time zone 'UTC')::date - 29, 4),
         ($1, (now() at time zone 'UTC')::date - 30, 100)
       on conflict (organization_id, day) do update set items = excluded.items`,
      [id],
    )
    expect((await list('search=counters')).items).toMatchObject([{ memberCount: 2, projectCount: 1, recentItems: 7 }])
  })

  it('finds those that are being deleted', async () => {
    const id = await createOrganization('Leavers', 'leavers')
    await server.client.query(
      `update organizations set closed_at = now(), delete_after = now() + interval '30 days' where id = $1`,
      [id],
    )
    expect(await find('search=leavers&state=closed')).toEqual(['Leavers'])
    expect(await find('search=leavers&state=open')).toEqual([])
  })

  it.each(['latest', 'oldest', 'name'])('pages in the order %s without a gap or a repetition', async (order) => {
    if (order === 'latest') for (const n of [1, 2, 3, 4, 5]) await createOrganization(`Page ${n}`, `page-${n}`)
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: Awaited<ReturnType<typeof list>> = await list(
        `search=page-&order=${order}&limit=2${cursor && `&cursor=${cursor}`}`,
      )
      seen.push(...next.items.map(({ slug }) => slug))
      cursor = next.nextCursor
    }
    const all = ['page-1', 'page-2', 'page-3', 'page-4', 'page-5']
    expect(seen).toEqual(order === 'latest' ? all.toReversed() : all)
  })

  it('refuses a foreign cursor, and everyone but superadmins', async () => {
    expect((await call('?cursor=bm8')).status).toBe(400)
    const other = await server.signIn(await createUser(server.client))
    expect((await call('', { token: other })).status).toBe(403)
  })

  it('exports what is found as CSV', async () => {
    await createOrganization('Exporters', 'exporters')
    const answer = await call('/exports', { body: { search: 'exporters' } })
    const [head, ...rows] = (await answer.text()).trim().split('\r\n')
    expect(head).toContain('id,name,slug')
    expect(rows).toEqual([expect.stringContaining(',Exporters,exporters,')])
  })
})

describe('GET /api/v1/superadmin/organizations/{organizationId}', () => {
  it('shows members, owners first, and projects', async () => {
    const id = await createOrganization('Detail', 'detail')
    await createMember(server.client, { organizationId: id, role: 'viewer' })
    const project = await createProject(server.client, { organizationId: id, name: 'Shop' })
    // As the contract says.
    const detail = (await (await call(`/${id}`)).json()) as InstanceOrganizationDetail
    expect(detail.members.map(({ role }) => role)).toEqual(['owner', 'viewer'])
    expect(detail.projects).toMatchObject([{ id: project.id, name: 'Shop' }])
    expect((await call(`/${randomUUID()}`)).status).toBe(404)
  })
})

describe('POST /api/v1/organizations/{id}/restore by a superadmin who is no member', () => {
  it('restores the organisation, and the audit log says who did so', async () => {
    const id = await createOrganization('Returners', 'returners')
    await server.client.query(
      `update organizations set closed_at = now(), delete_after = now() + interval '30 days' where id = $1`,
      [id],
    )
    const restored = await server.call(`/api/v1/organizations/${id}/restore`, { token, method: 'POST' })
    expect(restored.status).toBe(204)
    expect(await find('search=returners&state=open')).toEqual(['Returners'])
    const { rows } = await server.client.query(
      'select name, actor_kind, actor_user_id as "by" from app.events where organization_id = $1 order by id',
      [id],
    )
    const by = superadminId
    expect(rows.slice(-2)).toEqual([
      { name: 'superadmin.entered', actor_kind: 'superadmin', by },
      { name: 'organization.restored', actor_kind: 'superadmin', by },
    ])
  })
})

describe('filters of the list', () => {
  it('find organisations by state, status and plan, in every order, and the export has the same', async () => {
    const first = await createOrganization('Filtered one', 'filtered-one')
    const second = await createOrganization('Filtered two', 'filtered-two')
    const third = await createOrganization('Filtered three', 'filtered-three')
    const { rows } = await server.client.query<{ id: string }>(`select id from plans where key = 'growth'`)
    const planId = rows[0]?.id ?? ''
    const set = (id: string, change: string) =>
      server.client.query(`update organizations set ${change} where id = $1`, [id])
    await set(first, `subscription_status = 'past_due', subscription_plan_id = '${planId}'`)
    await set(second, `suspended_at = now(), subscription_status = 'active', subscription_plan_id = '${planId}'`)
    await set(third, `subscription_status = 'canceled'`)
    for (const order of ['latest', 'oldest', 'name']) {
      const found = async (query: string) => (await find(`search=filtered-&order=${order}&${query}`)).toSorted()
      expect(await found('state=suspended')).toEqual(['Filtered two'])
      expect(await found('state=open')).toEqual(['Filtered one', 'Filtered three'])
      expect(await found('status=past_due')).toEqual(['Filtered one'])
      expect(await found(`planId=${planId}`)).toEqual(['Filtered one', 'Filtered two'])
      expect(await found(`planId=${planId}&status=active`)).toEqual(['Filtered two'])
    }
    const answer = await call('/exports', { body: { search: 'filtered-', planId, state: 'suspended' } })
    const [head, ...lines] = (await answer.text()).trim().split('\r\n')
    expect(head).toMatch(/items_30_days,suspended_at,closed_at$/)
    expect(lines).toEqual([expect.stringMatching(/,Filtered two,filtered-two,.*,active,Growth,1,0,0,20[^,]+,$/)])
    expect((await call('?planId=growth')).status).toBe(400)
    expect((await call('?status=unknown')).status).toBe(400)
  })
})

describe('links and details of an organisation’s page', () => {
  it('shows plan, limits and files by kind, with much and with nothing', async () => {
    const id = await createOrganization('Stores', 'stores')
    const project = await createProject(server.client, { organizationId: id })
    const read = async () => (await (await call(`/${id}/storage`)).json()) as InstanceOrganizationStorage
    expect(await read()).toMatchObject({ files: [], fileBytes: 0, fileCount: 0, exportCount: 0 })
    await server.client.query(
      `insert into uploads (organization_id, id, project_id, kind, storage_key, state, bytes, completed_at)
       select $1::uuid, gen_random_uuid(), $2, k.kind, $1::uuid || '/' || gen_random_uuid(), 'ready', k.bytes, now()
       from (values ('screenshot', 10), ('screenshot', 20), ('voice', 500)) as k (kind, bytes)`,
      [id, project.id],
    )
    expect(await read()).toMatchObject({
      files: [
        { kind: 'voice', count: 1, bytes: 500 },
        { kind: 'screenshot', count: 2, bytes: 30 },
      ],
      fileBytes: 530,
      fileCount: 3,
    })
    const detail = (await (await call(`/${id}`)).json()) as InstanceOrganizationDetail
    expect(detail).toMatchObject({
      entitlements: { projects: { used: 1 }, members: { used: 1 } },
      suspension: null,
      isBeingRemoved: false,
      itemCount: 0,
    })
    expect((await call(`/${randomUUID()}/storage`)).status).toBe(404)
  })

  it('finds members beyond the first 50, and emails about it', async () => {
    const id = await createOrganization('Crowd', 'crowd')
    for (let n = 0; n < 51; n += 1) await createMember(server.client, { organizationId: id, role: 'viewer' })
    const detail = (await (await call(`/${id}`)).json()) as InstanceOrganizationDetail
    expect([detail.members.length, detail.memberCount]).toEqual([50, 52])
    const users = await server.call(`/api/v1/superadmin/users?limit=100&organizationId=${id}`, { token })
    expect(((await users.json()) as { items: unknown[] }).items).toHaveLength(52)
    await call(`/${id}/suspension`, { method: 'PUT', body: { reason: 'Spam', message: null } })
    const emails = await server.call(`/api/v1/superadmin/emails?organizationId=${id}`, { token })
    expect(await emails.json()).toMatchObject({ items: [{ kind: 'organization_suspended' }] })
  })
})

describe('POST …/deletion and …/removal', () => {
  const remove = (id: string, body: unknown = { name: 'Doomed', reason: 'They asked for it' }) =>
    call(`/${id}/removal`, { body })
  const close = (id: string, body: unknown = { name: 'Doomed', reason: 'They asked for it' }) =>
    call(`/${id}/deletion`, { body })

  it('close an organisation for 30 days with its name and a reason, email its owner once, and can be undone', async () => {
    const id = await createOrganization('Doomed', `doomed-${randomUUID().slice(0, 8)}`)
    for (const [field, body] of [
      ['body.name', { name: 'doomed', reason: 'They asked for it' }],
      ['body.reason', { name: 'Doomed', reason: '  ' }],
      ['body.reason', { name: 'Doomed', reason: 'a'.repeat(10_000) }],
    ] as const) {
      const reply = await close(id, body)
      expect([reply.status, await reply.json()]).toMatchObject([400, { fields: [{ path: field }] }])
    }
    const refused = await remove(id)
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'organization_not_closed' }])
    const first = (await (await close(id)).json()) as InstanceOrganization
    expect((Date.parse(first.deleteAfter ?? '') - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
    // Deleted already: nothing changes.
    expect(await (await close(id)).json()).toEqual(first)
    const { rows: emails } = await server.client.query(
      `select kind from app.emails where organization_id = $1 and kind = 'organization_closed'`,
      [id],
    )
    expect(emails).toHaveLength(1)
    expect((await server.call(`/api/v1/organizations/${id}/restore`, { token, method: 'POST' })).status).toBe(204)
    const { rows } = await server.client.query(
      `select action, after from audit_log where target_id = $1 and category = 'superadmin'
         and organization_id = '00000000-0000-0000-0000-000000000000'`,
      [id],
    )
    expect(rows).toEqual([{ action: 'organization.deleted_by_superadmin', after: { reason: 'They asked for it' } }])
  })

  it('remove a closed one without its 30 days: it can’t be restored from then on', async () => {
    const id = await createOrganization('Doomed', `doomed-${randomUUID().slice(0, 8)}`)
    await close(id)
    const wrong = await remove(id, { name: 'Another', reason: 'They asked for it' })
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { fields: [{ path: 'body.name' }] }])
    for (const _ of ['first', 'repeated']) expect((await remove(id)).status).toBe(202)
    expect(await (await call(`/${id}`)).json()).toMatchObject({ isBeingRemoved: true })
    expect((await server.call(`/api/v1/organizations/${id}/restore`, { token, method: 'POST' })).status).toBe(404)
    const { rows } = await server.client.query(
      `select (select count(*)::integer from graphile_worker.jobs where key = 'remove_organization:' || $1) as jobs,
         (select count(*)::integer from audit_log where target_id = $1::uuid and action = 'organization.removal_requested') as entries`,
      [id],
    )
    expect(rows).toEqual([{ jobs: 1, entries: 1 }])
  })

  it('are for superadmins alone', async () => {
    const owner = await createUser(server.client)
    const other = await server.signIn(owner)
    for (const path of ['deletion', 'removal']) {
      const body = { name: 'Doomed', reason: 'They asked for it' }
      expect((await call(`/${owner.organizationId}/${path}`, { body, token: other })).status).toBe(403)
    }
  })
})

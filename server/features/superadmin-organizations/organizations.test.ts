import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InstanceOrganization, InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
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

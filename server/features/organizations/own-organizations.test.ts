import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OwnOrganization } from '#contract/own-organizations.ts'
import { addMember, type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ BILLING: 'on', API_RATE_PER_MINUTE: '100000' })
  await createUser(server.client)
})

afterAll(() => server.stop())

async function build(organizationName = 'Own'): Promise<BuiltUser & { token: string; home: string }> {
  const user = await createUser(server.client, { organizationName })
  return { ...user, home: user.organizationId ?? '', token: await server.signIn(user) }
}

const create = (token: string, body: unknown) => server.call('/api/v1/organizations', { token, body })

async function list(token: string, query = ''): Promise<{ items: OwnOrganization[]; nextCursor: string | null }> {
  const reply = await server.call(`/api/v1/organizations${query}`, { token })
  expect(reply.status).toBe(200)
  return (await reply.json()) as { items: OwnOrganization[]; nextCursor: string | null }
}

describe('GET /api/v1/organizations', () => {
  it('lists the caller’s organisations by name, and no one else’s', async () => {
    const user = await build('beta')
    const other = await build('Alpha')
    await build('Foreign')
    await addMember(server.client, { organizationId: other.home, userId: user.id, role: 'viewer' })
    expect(await list(user.token)).toEqual({
      items: [
        { id: other.home, name: 'Alpha', slug: 'alpha', role: 'viewer', deleteAfter: null, suspendedAt: null },
        { id: user.home, name: 'beta', slug: 'beta', role: 'owner', deleteAfter: null, suspendedAt: null },
      ],
      nextCursor: null,
    })
  })

  it('pages through 500, each once, and searches them', async () => {
    const user = await build('Home')
    await server.client.query(
      `with made as (
         insert into organizations (name, slug) select 'Same', 'many-' || n from generate_series(1, 499) n returning id)
       insert into memberships (organization_id, user_id, role) select id, $1, 'member' from made`,
      [user.id],
    )
    const seen: string[] = []
    let cursor = ''
    let pages = 0
    do {
      const page = await list(user.token, `?limit=100${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor ?? ''
      pages += 1
    } while (cursor !== '')
    expect([pages, seen.length, new Set(seen).size]).toEqual([5, 500, 500])
    expect((await list(user.token)).items).toHaveLength(50)
    expect((await list(user.token, '?q=%20HOME')).items).toMatchObject([{ name: 'Home' }])
    expect((await list(user.token, '?q=many-499')).items).toHaveLength(1)
    expect((await list(user.token, '?q=%25')).items).toEqual([])
    const refused = await server.call('/api/v1/organizations?cursor=nonsense', { token: user.token })
    expect([refused.status, await refused.json()]).toMatchObject([400, { fields: [{ path: 'query.cursor' }] }])
  })
})

describe('POST /api/v1/organizations', () => {
  it('creates one with its owner, its slug and a trial, as sign-up does', async () => {
    const user = await build()
    const before = Date.now()
    const first = await create(user.token, { id: randomUUID(), name: '  Bar & Söhne ' })
    const second = await create(user.token, { id: randomUUID(), name: 'Bar & Söhne' })
    expect([first.status, second.status]).toEqual([201, 201])
    const made = (await first.json()) as OwnOrganization
    expect(made).toMatchObject({ name: 'Bar & Söhne', slug: 'bar-soehne', role: 'owner', deleteAfter: null })
    expect(((await second.json()) as OwnOrganization).slug).toMatch(/^bar-soehne-[0-9a-f]{6}$/)
    const [row] = (await (
      await server.call('/rest/v1/rpc/get_user_organization_by_id', {
        token: user.token,
        body: { p_org_id: made.id, p_user_id: user.id },
      })
    ).json()) as Record<string, string>[]
    expect(row).toMatchObject({ organization_subscription_status: 'trialing', membership_role: 'owner' })
    const days = (Date.parse(row?.organization_trial_ends_at ?? '') - before) / 86_400_000
    expect(days).toBeCloseTo(14, 2)
    const { rows } = await server.client.query(
      `select name, actor_user_id from app.events where organization_id = $1 order by name`,
      [made.id],
    )
    expect(rows).toContainEqual({ name: 'organization.created', actor_user_id: user.id })
  })

  it('answers a retry with the same organisation, and refuses an id of something else', async () => {
    const user = await build()
    const other = await build()
    const body = { id: randomUUID(), name: 'Once' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => create(user.token, body)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201])
    expect((await list(user.token, '?q=once')).items).toHaveLength(1)
    for (const [token, sent] of [
      [user.token, { ...body, name: 'Another' }],
      [other.token, body],
      [user.token, { id: other.home, name: 'Own' }],
    ] as const) {
      const refused = await create(token, sent)
      expect([refused.status, await refused.json()]).toMatchObject([422, { code: 'id_reused' }])
    }
    const blank = await create(user.token, { id: randomUUID(), name: '   ' })
    expect([blank.status, await blank.json()]).toMatchObject([400, { fields: [{ path: 'body.name' }] }])
  })

  it('allows ten a day, the one of the sign-up included, also when they are asked for at once', async () => {
    const user = await build()
    const replies = await Promise.all(
      Array.from({ length: 14 }, () => create(user.token, { id: randomUUID(), name: 'Many' })),
    )
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(9)
    const refused = replies.find(({ status }) => status !== 201)
    expect([refused?.status, await refused?.json()]).toMatchObject([429, { code: 'too_many_organizations' }])
    await server.client.query(
      `update organizations set created_at = now() - interval '25 hours' where created_by = $1`,
      [user.id],
    )
    expect((await create(user.token, { id: randomUUID(), name: 'Next day' })).status).toBe(201)
  })
})

describe('POST /api/v1/organizations/{organizationId}/select', () => {
  it('makes it the one that opens on a new device', async () => {
    const user = await build('First')
    const host = await build('Second')
    await addMember(server.client, { organizationId: host.home, userId: user.id, role: 'viewer' })
    const readCurrent = async () => {
      const reply = await server.call('/rest/v1/rpc/get_user_current_organization', {
        token: user.token,
        body: { p_user_id: user.id },
      })
      return ((await reply.json()) as { organization_name: string }[])[0]?.organization_name
    }
    const select = (id: string) =>
      server.call(`/api/v1/organizations/${id}/select`, { token: user.token, method: 'POST' })
    expect(await readCurrent()).toBe('First')
    expect((await select(host.home)).status).toBe(204)
    expect(await readCurrent()).toBe('Second')
    expect((await select(user.home)).status).toBe(204)
    expect(await readCurrent()).toBe('First')
  })
})

describe('GET /api/v1/links/{linked}/{id}', () => {
  it('finds which of the caller’s organisations has an item or a project', async () => {
    const user = await build('Here')
    const host = await build('There')
    const project = await createProject(server.client, { organizationId: host.home })
    const item = await createFeedback(server.client, { organizationId: host.home, projectId: project.id })
    const find = (path: string) => server.call(`/api/v1/links/${path}`, { token: user.token })
    const paths = [`feedback/${item.id}`, `project/${project.id}`]
    // Not a member yet: as if it did not exist.
    for (const path of [...paths, `feedback/${randomUUID()}`, `project/${item.id}`]) {
      const refused = await find(path)
      expect([refused.status, await refused.json()]).toEqual([404, expect.objectContaining({ code: 'link_not_found' })])
    }
    await addMember(server.client, { organizationId: host.home, userId: user.id, role: 'viewer' })
    for (const path of paths) {
      const found = await find(path)
      expect([found.status, await found.json()]).toEqual([200, { id: host.home, name: 'There' }])
    }
    for (const path of ['feedback/1', `visitor/${item.id}`]) expect((await find(path)).status).toBe(400)
  })
})

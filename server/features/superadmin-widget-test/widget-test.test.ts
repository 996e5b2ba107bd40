import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestedProject, TestItem } from '#contract/superadmin-widget-test.ts'
import { type BuiltUser, createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { readCsv } from '#server/testing/read-csv.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let owner: BuiltUser
const base = '/api/v1/superadmin/widget-test'
beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000', SUPERADMIN_EMAILS: 'sam@example.com' })
  token = await server.signIn(await createUser(server.client, { email: 'sam@example.com', fullName: 'Sam Super' }))
  owner = await createUser(server.client, { organizationName: 'Chairs and more' })
})
afterAll(() => server?.stop())

async function find(query: string): Promise<{ items: TestedProject[]; nextCursor: string | null }> {
  const reply = await server.call(`${base}/projects?${query}`, { token })
  if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`)
  return (await reply.json()) as { items: TestedProject[]; nextCursor: string | null }
}

describe('GET /api/v1/superadmin/widget-test/projects', () => {
  it('finds a project by name, domain, key and organisation, page by page', async () => {
    const organizationId = owner.organizationId ?? ''
    for (const name of ['Shop', 'shoes', 'Blog']) {
      await createProject(server.client, { organizationId, name, domain: `${name.toLowerCase()}.example` })
    }
    const names = async (query: string) => (await find(query)).items.map(({ name }) => name)
    expect(await names('search=SHO')).toEqual(['shoes', 'Shop'])
    expect(await names('search=blog.example')).toEqual(['Blog'])
    expect(await names('search=chairs')).toEqual(['Blog', 'shoes', 'Shop'])
    expect(await names('search=nothing')).toEqual([])
    const first = await find('search=chairs&limit=2')
    expect(first.items.map(({ name }) => name)).toEqual(['Blog', 'shoes'])
    expect(await names(`search=chairs&limit=2&cursor=${first.nextCursor}`)).toEqual(['Shop'])
    const [blog] = first.items
    expect(await names(`search=${blog?.widgetKey}`)).toEqual(['Blog'])
    expect(blog).toMatchObject({ isArchived: false, lastLoadedAt: null, organization: { name: 'Chairs and more' } })
    expect((await server.call(`${base}/projects?cursor=bm9uZQ`, { token })).status).toBe(400)
  })

  it('lists the latest first on request, page by page, and downloads what is found', async () => {
    const latest = await find('search=chairs&order=latest&limit=2')
    const rest = await find(`search=chairs&order=latest&limit=2&cursor=${latest.nextCursor}`)
    expect([...latest.items, ...rest.items].map(({ name }) => name)).toEqual(['Blog', 'shoes', 'Shop'])
    expect((await server.call(`${base}/projects?order=latest&cursor=bm9uZQ`, { token })).status).toBe(400)
    const reply = await server.call(`${base}/projects/exports`, { token, body: { search: 'chairs' } })
    expect((await readCsv(reply)).map(({ name, organization_name: of, archived }) => [name, of, archived])).toEqual(
      ['Blog', 'shoes', 'Shop'].map((name) => [name, 'Chairs and more', 'false']),
    )
  })
})

describe('test items', () => {
  it('arrive from our own pages, are listed and can be deleted, which the audit log records', async () => {
    const organizationId = owner.organizationId ?? ''
    const [project] = (await find('search=blog')).items
    const id = randomUUID()
    const sent = await fetch(`${server.url}/e/${project?.widgetKey}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body: JSON.stringify({ id, type: 'bug', message: 'Tried it out', page: { url: `${server.url}/e/trial` } }),
    })
    expect(sent.status, await sent.clone().text()).toBe(201)
    const path = `${base}/organizations/${organizationId}`
    const list = async () => {
      const reply = await server.call(`${path}/projects/${project?.id}/items`, { token })
      return ((await reply.json()) as { items: TestItem[] }).items
    }
    expect(await list()).toMatchObject([{ id, number: 1, excerpt: 'Tried it out', isLocked: false }])
    expect((await server.call(`${path}/items/${id}`, { method: 'DELETE', token })).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await server.call(`${path}/items/${id}`, { method: 'DELETE', token })).status).toBe(404)
    const { rows } = await server.client.query(
      `select actor_kind, payload from app.events where name = 'superadmin.test_item_removed'`,
    )
    expect(rows).toEqual([{ actor_kind: 'superadmin', payload: { number: 1 } }])
  })

  it('refuses to delete an item that a visitor sent', async () => {
    const organizationId = owner.organizationId ?? ''
    const [project] = (await find('search=blog')).items
    const item = await createFeedback(server.client, { organizationId, projectId: project?.id ?? '' })
    const reply = await server.call(`${base}/organizations/${organizationId}/items/${item.id}`, {
      method: 'DELETE',
      token,
    })
    expect(reply.status).toBe(404)
    const { rows } = await server.client.query('select from feedback where id = $1', [item.id])
    expect(rows).toHaveLength(1)
  })
})

describe('GET /e/trial', () => {
  it('is framed by our own pages alone, under a strict policy if asked', async () => {
    const policyOf = async (query: string) =>
      (await fetch(`${server.url}/e/trial${query}`)).headers.get('content-security-policy')
    expect(await policyOf('?policy=strict')).toContain("default-src 'none'")
    expect(await policyOf('?policy=strict')).toContain("frame-ancestors 'self'")
    expect(await policyOf('')).toBe("frame-ancestors 'self'")
  })
})

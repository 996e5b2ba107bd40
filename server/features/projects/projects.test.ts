import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let token: string
let path: string
let organizationId: string

beforeAll(async () => {
  server = await startTestServer()
  const owner = await createUser(server.client, { organizationName: 'Analytical Engines' })
  organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/projects`
  token = await server.signIn(owner)
})

afterAll(() => server.stop())

describe('POST /api/v1/organizations/{organizationId}/projects', () => {
  it('creates a project with a widget, a counter and an event', async () => {
    const reply = await server.call(path, { token, body: { name: ' Shop ', domain: 'WWW.Shop.Example' } })
    expect(reply.status).toBe(201)
    const project = (await reply.json()) as Project
    expect(project).toMatchObject({ name: 'Shop', domain: 'shop.example', feedbackCount: 0, widgetLastLoadedAt: null })
    expect(project.widgetKey).toMatch(/^wk_[A-Za-z0-9_-]{22}$/)

    const one = await server.call(`${path}/${project.id}`, { token })
    expect(await one.json()).toEqual(project)
    const { rows } = await server.client.query(
      "select ids from app.events where organization_id = $1 and name = 'project.created'",
      [organizationId],
    )
    expect(rows).toEqual([{ ids: [project.id] }])
  })

  it('refuses a second project for the same domain', async () => {
    await server.call(path, { token, body: { name: 'One', domain: 'same.example' } })
    const reply = await server.call(path, { token, body: { name: 'Two', domain: 'www.same.example' } })
    expect(reply.status).toBe(409)
    expect(await reply.json()).toMatchObject({ code: 'project_domain_taken' })
  })

  it.each([
    [{ name: '   ', domain: 'a.example' }, 'body.name'],
    [{ name: 'A', domain: 'https://a.example/' }, 'body.domain'],
    [{ name: 'A', domain: 'intranet' }, 'body.domain'],
    [{ name: 'A' }, 'body.domain'],
    [{ name: 'A', domain: 'a.example', widgetKey: 'wk_mine' }, 'body.widgetKey'],
  ])('names the field that is wrong in %j', async (body, field) => {
    const reply = await server.call(path, { token, body })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: field }] })
  })

  it.each(['admin', 'member', 'viewer'] as const)('is not for an organisation’s %s', async (role) => {
    const member = await createMember(server.client, { organizationId, role })
    const reply = await server.call(path, {
      token: await server.signIn(member),
      body: { name: 'A', domain: `${role}.example` },
    })
    expect(reply.status).toBe(403)
    expect(await reply.json()).toMatchObject({ code: 'permission_denied' })
  })
})

describe('GET /api/v1/organizations/{organizationId}/projects', () => {
  it('lists the organisation’s own by name, to every member', async () => {
    const owner = await createUser(server.client)
    const own = owner.organizationId ?? ''
    for (const name of ['beta', 'Alpha', 'gamma']) await createProject(server.client, { organizationId: own, name })
    const viewer = await createMember(server.client, { organizationId: own, role: 'viewer' })
    const reply = await server.call(`/api/v1/organizations/${own}/projects`, { token: await server.signIn(viewer) })
    const { items } = (await reply.json()) as { items: Project[] }
    expect(items.map((project) => project.name)).toEqual(['Alpha', 'beta', 'gamma'])
  })
})

describe('GET /api/v1/organizations/{organizationId}/projects/{projectId}', () => {
  it('answers another organisation’s project as one that does not exist', async () => {
    const stranger = await createUser(server.client)
    const foreign = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const replies = await Promise.all(
      [foreign.id, '01a1fbfe-0000-7000-8000-000000000000'].map((id) => server.call(`${path}/${id}`, { token })),
    )
    const answers = await Promise.all(
      replies.map(async (reply) => ({ status: reply.status, ...((await reply.json()) as object), requestId: '' })),
    )
    expect(answers[0]).toEqual({ code: 'project_not_found', title: 'Project not found.', status: 404, requestId: '' })
    expect(answers[1]).toEqual(answers[0])
  })
})

describe('PATCH /api/v1/organizations/{organizationId}/projects/{projectId}', () => {
  const change = (id: string, body: unknown, as = token) =>
    server.call(`${path}/${id}`, { method: 'PATCH', token: as, body })

  it('changes what is given, leaves the rest, and notes it', async () => {
    const { id, domain } = await createProject(server.client, { organizationId, name: 'Before' })
    const renamed = await change(id, { name: ' After ' })
    expect(renamed.status).toBe(200)
    expect(await renamed.json()).toMatchObject({ id, name: 'After', domain, extraOrigins: [] })
    const moved = await change(id, {
      domain: 'WWW.Moved.Example',
      extraOrigins: ['Shop.Other.example', 'www.third.example', 'shop.other.example', 'bücher.example'],
    })
    expect(await moved.json()).toMatchObject({
      name: 'After',
      domain: 'moved.example',
      extraOrigins: ['shop.other.example', 'third.example', 'xn--bcher-kva.example'],
    })
    expect(await (await change(id, { extraOrigins: [] })).json()).toMatchObject({
      domain: 'moved.example',
      extraOrigins: [],
    })
    const { rows } = await server.client.query(
      "select payload -> 'after' as after from app.events where name = 'project.updated' and $1 = any(ids) order by occurred_at, id",
      [id],
    )
    expect(rows[0]).toEqual({ after: { name: 'After' } })
    expect(rows).toHaveLength(3)
  })

  it('refuses a domain that a sibling has, also when both are asked for at once', async () => {
    const [one, two] = [
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
    ]
    const taken = await change(one.id, { domain: two.domain, name: 'Unwritten' })
    expect(taken.status).toBe(409)
    expect(await taken.json()).toMatchObject({ code: 'project_domain_taken' })
    expect(await (await server.call(`${path}/${one.id}`, { token })).json()).toMatchObject({ name: 'Website' })
    const both = await Promise.all([one, two].map(({ id }) => change(id, { domain: 'wanted.example' })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('takes its own domain again', async () => {
    const { id, domain } = await createProject(server.client, { organizationId })
    expect((await change(id, { domain })).status).toBe(200)
  })

  it.each([
    [{}, 'body'],
    [{ name: ' ' }, 'body.name'],
    [{ domain: 'https://a.example' }, 'body.domain'],
    [{ extraOrigins: ['a.example', 'b.example:8080'] }, 'body.extraOrigins.1'],
    [{ extraOrigins: [''] }, 'body.extraOrigins.0'],
    [{ extraOrigins: Array.from({ length: 21 }, (_, index) => `n${index}.example`) }, 'body.extraOrigins'],
    [{ extraOrigins: 'a.example' }, 'body.extraOrigins'],
    [{ widgetKey: 'wk_mine' }, 'body.widgetKey'],
  ])('names the field that is wrong in %j', async (body, field) => {
    const { id } = await createProject(server.client, { organizationId })
    const reply = await change(id, body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ code: 'validation_failed', fields: [{ path: field }] })
  })

  it('names every additional domain that is wrong, not the first alone', async () => {
    const { id } = await createProject(server.client, { organizationId })
    const reply = await change(id, { extraOrigins: ['a b', 'fine.example', 'bad_host!.example', '12345'] })
    expect(reply.status).toBe(400)
    const { fields } = (await reply.json()) as { fields: { path: string }[] }
    expect(fields.map(({ path: field }) => field)).toEqual([0, 2, 3].map((at) => `body.extraOrigins.${at}`))
  })

  it.each(['admin', 'member', 'viewer'] as const)('is not for an organisation’s %s', async (role) => {
    const { id } = await createProject(server.client, { organizationId })
    const member = await createMember(server.client, { organizationId, role })
    expect((await change(id, { name: 'Theirs' }, await server.signIn(member))).status).toBe(403)
  })
})

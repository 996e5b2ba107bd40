import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ReplyTemplate } from '#contract/reply-templates.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

let server: TestServer
let path: string
let token: string
let colleague: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
})

afterAll(() => server.stop())

beforeEach(async () => {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  path = `/api/v1/organizations/${organizationId}/reply-templates`
  token = await server.signIn(owner)
  colleague = await server.signIn(await createMember(server.client, { organizationId, role: 'member' }))
})

function add(template: Partial<ReplyTemplate>, bearer = token): Promise<Response> {
  const body = { id: crypto.randomUUID(), name: 'Thanks', text: 'Hello {{visitor.name}},\nthank you.', ...template }
  return server.call(path, { token: bearer, body })
}

async function list(bearer = token): Promise<ReplyTemplate[]> {
  return ((await (await server.call(path, { token: bearer })).json()) as { items: ReplyTemplate[] }).items
}

const change = (id: string, body: unknown, bearer = token) =>
  server.call(`${path}/${id}`, { method: 'PATCH', token: bearer, body })
const remove = (id: string, bearer = token) => server.call(`${path}/${id}`, { method: 'DELETE', token: bearer })

describe('reply templates', () => {
  it('are the whole team’s: listed by name, changed and deleted by every member', async () => {
    const id = crypto.randomUUID()
    expect((await add({ id, name: ' Thanks ' })).status).toBe(201)
    expect((await add({ name: 'apology' }, colleague)).status).toBe(201)
    expect((await list(colleague)).map(({ name }) => name)).toEqual(['apology', 'Thanks'])
    expect((await list())[1]).toMatchObject({ id, text: 'Hello {{visitor.name}},\nthank you.' })

    const changed = await change(id, { text: ' Fixed in #{{item.number}}. ' }, colleague)
    expect(changed.status).toBe(200)
    expect(await changed.json()).toMatchObject({ name: 'Thanks', text: 'Fixed in #{{item.number}}.' })
    expect((await remove(id, colleague)).status).toBe(204)
    expect((await remove(id)).status).toBe(404)
    expect((await change(id, { name: 'Gone' })).status).toBe(404)
    expect((await list()).map(({ name }) => name)).toEqual(['apology'])
  })

  it('are added once, however often the same request is sent', async () => {
    const id = crypto.randomUUID()
    const replies = await Promise.all([add({ id }), add({ id }), add({ id })])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
    expect((await add({ id, text: 'Another text' })).status).toBe(422)
    expect(await list()).toHaveLength(1)
  })

  it('are at most two hundred, also under simultaneous requests', async () => {
    await server.client.query(
      `insert into reply_templates (organization_id, id, name, text)
       select $1, gen_random_uuid(), 'Template ' || n, 'Text' from generate_series(1, 198) n`,
      [path.split('/')[4]],
    )
    const replies = await Promise.all(Array.from({ length: 5 }, () => add({})))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2)
    const refused = replies.find(({ status }) => status !== 201)
    expect(refused?.status).toBe(409)
    expect(await refused?.json()).toMatchObject({ code: 'too_many_templates' })
  })

  it('need a name and a text', async () => {
    const id = crypto.randomUUID()
    await add({ id })
    for (const field of ['name', 'text']) {
      for (const reply of [await add({ [field]: ' \t' }), await change(id, { [field]: '  ' })]) {
        expect(reply.status).toBe(400)
        expect(await reply.json()).toMatchObject({ fields: [{ path: `body.${field}` }] })
      }
    }
    expect((await add({ text: 'x'.repeat(10_001) })).status).toBe(400)
  })

  it('are told in the event log, without their words', async () => {
    const id = crypto.randomUUID()
    await add({ id })
    await change(id, { name: 'Many thanks' })
    await remove(id)
    const { rows } = await server.client.query(
      "select name, payload from app.events where name like 'reply_template.%' and $1 = any(ids) order by occurred_at, id",
      [id],
    )
    expect(rows).toEqual(
      ['created', 'updated', 'deleted'].map((act) => ({ name: `reply_template.${act}`, payload: {} })),
    )
  })
})

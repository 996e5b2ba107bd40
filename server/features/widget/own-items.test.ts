import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OwnItem } from '#contract/widget.ts'
import { type BuiltUser, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let server: TestServer
let owner: BuiltUser
let token: string
let api: string

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '10000' })
  owner = await createUser(server.client, { fullName: 'Ada Example' })
  token = await server.signIn(owner)
  api = `/api/v1/organizations/${owner.organizationId}`
})

afterAll(() => server.stop())

const makeProject = () => createProject(server.client, { organizationId: owner.organizationId ?? '' })
const makeKey = () => randomUUID().replaceAll('-', '').slice(0, 22)

async function send(widgetKey: string, part: Record<string, unknown>): Promise<string> {
  const body = makeSubmission(part)
  expect((await submit(server, widgetKey, body)).status).toBe(201)
  return body.id
}

async function list(widgetKey: string, headers: Record<string, string>): Promise<OwnItem[]> {
  const reply = await fetch(`${server.url}/e/${widgetKey}/items`, { headers })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('cache-control')).toBe('no-store')
  return ((await reply.json()) as { items: OwnItem[] }).items
}

async function sign(projectId: string, visitorId: string): Promise<Record<string, string>> {
  const reply = await server.call(`${api}/projects/${projectId}/widget/identity-secret`, { token })
  const { secret } = (await reply.json()) as { secret: string }
  const hash = createHmac('sha256', secret).update(visitorId).digest('hex')
  // As browsers send it: headers carry no letters but ASCII.
  return { 'x-visitor-id': encodeURIComponent(visitorId), 'x-visitor-hash': hash }
}

const comment = (feedbackId: string, kind: 'note' | 'reply', text: string) =>
  server.call(`${api}/feedback/${feedbackId}/comments`, { token, body: { id: randomUUID(), kind, text } })

describe('GET /e/{widgetKey}/items', () => {
  it('lists items of this browser, newest first, with status and replies, without notes', async () => {
    const { widgetKey } = await makeProject()
    const visitorKey = makeKey()
    const first = await send(widgetKey, { visitorKey, message: 'x'.repeat(500), email: 'me@example.org' })
    const second = await send(widgetKey, { visitorKey, type: 'idea', message: '', rating: 5 })
    await send(widgetKey, { visitorKey: makeKey() })
    await comment(first, 'note', 'A secret note')
    await comment(first, 'reply', 'Thank you!')
    await comment(first, 'reply', 'It is mended.')
    await server.call(`${api}/feedback/${first}`, { method: 'PATCH', token, body: { status: 'resolved' } })
    const items = await list(widgetKey, { 'x-visitor-key': visitorKey })
    expect(items).toEqual([
      expect.objectContaining({ id: second, number: 2, type: 'idea', status: 'new', excerpt: '', replies: [] }),
      expect.objectContaining({ id: first, number: 1, status: 'resolved', excerpt: 'x'.repeat(280) }),
    ])
    expect(items[1]?.replies).toMatchObject([
      { text: 'Thank you!', authorName: 'Ada Example' },
      { text: 'It is mended.', authorName: 'Ada Example' },
    ])
    // The team's addresses, and what else is stored, stay with the team.
    expect(JSON.stringify(items)).not.toMatch(/secret note|@example/)
  })

  it('lists what a visitor sent from any browser, where the site vouches for them', async () => {
    const { id, widgetKey } = await makeProject()
    const headers = await sign(id, 'ü 1')
    const visitor = { id: 'ü 1', hash: headers['x-visitor-hash'] }
    const own = await send(widgetKey, { visitor })
    await send(widgetKey, { visitor: { id: 'ü 1' } })
    await send(widgetKey, { visitor: { id: 'ü 1', hash: '0'.repeat(64) } })
    expect((await list(widgetKey, headers)).map((item) => item.id)).toEqual([own])
  })

  it('lists both, each once', async () => {
    const { id, widgetKey } = await makeProject()
    const headers = await sign(id, 'u_1')
    const visitorKey = makeKey()
    const both = await send(widgetKey, { visitorKey, visitor: { id: 'u_1', hash: headers['x-visitor-hash'] } })
    const here = await send(widgetKey, { visitorKey })
    const items = await list(widgetKey, { ...headers, 'x-visitor-key': visitorKey })
    expect(items.map((item) => item.id).sort()).toEqual([both, here].sort())
  })

  it('lists at most 50', async () => {
    const { widgetKey } = await makeProject()
    const visitorKey = makeKey()
    await Promise.all(Array.from({ length: 55 }, () => send(widgetKey, { visitorKey })))
    const items = await list(widgetKey, { 'x-visitor-key': visitorKey })
    expect(items).toHaveLength(50)
    expect(items.map((item) => item.createdAt)).toEqual(
      items
        .map((item) => item.createdAt)
        .sort()
        .reverse(),
    )
  })

  it('knows nothing of who claims without proof', async () => {
    const { id, widgetKey } = await makeProject()
    const headers = await sign(id, 'u_1')
    const visitorKey = makeKey()
    await send(widgetKey, { visitorKey, visitor: { id: 'u_1', hash: headers['x-visitor-hash'] } })
    for (const claim of [
      {},
      { 'x-visitor-id': 'u_1' },
      { 'x-visitor-id': 'u_1', 'x-visitor-hash': '0'.repeat(64) },
      { 'x-visitor-id': 'u_2', 'x-visitor-hash': headers['x-visitor-hash'] ?? '' },
      { 'x-visitor-key': makeKey() },
      { 'x-visitor-key': '' },
      { 'x-visitor-key': 'x'.repeat(5_000) },
      { 'x-visitor-key': '%00', 'x-visitor-id': '%zz', 'x-visitor-hash': '%00' },
      { 'x-visitor-id': '%00'.repeat(50), 'x-visitor-hash': 'zz' },
    ] as Record<string, string>[]) {
      expect(await list(widgetKey, claim), JSON.stringify(claim)).toEqual([])
    }
  })

  it('names files that were refused after they had arrived, and no others', async () => {
    const { id: projectId, widgetKey } = await makeProject()
    const visitorKey = makeKey()
    const files = ['bad.png', 'good.png', 'waiting.png'].map((name) => ({ id: randomUUID(), kind: 'file', name }))
    await send(widgetKey, { visitorKey, attachments: files })
    for (const [index, state] of ['refused', 'ready'].entries()) {
      await server.client.query(
        `insert into uploads (organization_id, project_id, id, kind, state, storage_key, completed_at)
         values ($1, $2, $3, 'file', $4, $5, now())`,
        [owner.organizationId, projectId, files[index]?.id, state, `${owner.organizationId}/${randomUUID()}`],
      )
    }
    expect((await list(widgetKey, { 'x-visitor-key': visitorKey })).map((item) => item.refusedFiles)).toEqual([
      ['bad.png'],
    ])
  })

  it('keeps projects apart', async () => {
    const [one, two] = [await makeProject(), await makeProject()]
    const visitorKey = makeKey()
    await send(one.widgetKey, { visitorKey })
    expect(await list(two.widgetKey, { 'x-visitor-key': visitorKey })).toEqual([])
    const headers = await sign(one.id, 'u_1')
    await send(two.widgetKey, { visitor: { id: 'u_1', hash: (await sign(two.id, 'u_1'))['x-visitor-hash'] } })
    expect(await list(two.widgetKey, headers)).toEqual([])
  })

  it('is empty where the project does not show visitors their items', async () => {
    const { id, widgetKey } = await makeProject()
    const visitorKey = makeKey()
    await send(widgetKey, { visitorKey })
    await server.client.query(`update widgets set settings = '{"ownItems": false}' where project_id = $1`, [id])
    await expect.poll(() => list(widgetKey, { 'x-visitor-key': visitorKey })).toEqual([])
  })

  it('answers preflights for its headers, and refuses foreign pages', async () => {
    const { widgetKey } = await makeProject()
    const preflight = await fetch(`${server.url}/e/${widgetKey}/items`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'GET' },
    })
    expect(preflight.status).toBe(204)
    const allowed = preflight.headers.get('access-control-allow-headers') ?? ''
    for (const name of ['x-visitor-key', 'x-visitor-id', 'x-visitor-hash']) expect(allowed).toContain(name)
    const foreign = await fetch(`${server.url}/e/${widgetKey}/items`, { headers: { origin: 'https://evil.example' } })
    expect(foreign.status).toBe(403)
  })
})

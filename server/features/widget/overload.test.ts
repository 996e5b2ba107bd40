import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission } from '#server/testing/visitor.ts'

/*
 * More submissions than the database takes at the moment: here none, because another transaction locks the table.
 */
type Site = Awaited<ReturnType<typeof createProject>>
let server: TestServer
let busy: Site
let quiet: Site
let lock: pg.Client

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '100000' })
  const { organizationId = '' } = await createUser(server.client)
  busy = await createProject(server.client, { organizationId })
  quiet = await createProject(server.client, { organizationId })
  lock = new pg.Client(server.databaseUrl)
  await lock.connect()
})
afterAll(async () => {
  await lock.end()
  await server.stop()
})

function send({ widgetKey, domain }: Site, id: string): Promise<Response> {
  return fetch(`${server.url}/e/${widgetKey}/submissions`, {
    method: 'POST',
    headers: { origin: `https://${domain}`, 'content-type': 'application/json' },
    body: JSON.stringify(makeSubmission({ id, message: `A dark mode, ${id}` })),
  })
}

describe('more submissions than can be stored', () => {
  it('refuses those that waited for a second, keeps what it accepts, and holds up no other project', async () => {
    // Asked once before, so that the widgets are known.
    await Promise.all([busy, quiet].map((site) => send(site, crypto.randomUUID())))
    await lock.query('begin')
    await lock.query('lock table public.feedback in access exclusive mode')
    const ids = Array.from({ length: 400 }, () => crypto.randomUUID())
    const flood = ids.map((id) => send(busy, id))
    // The first refusal: some have waited too long by now.
    const refusal = await Promise.any(
      flood.map(async (answer) => ((await answer).status === 503 ? answer : Promise.reject())),
    )
    expect(refusal.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(refusal.headers.get('retry-after')).toBe('5')
    // The widget of another website's page reads when to come back.
    expect(refusal.headers.get('access-control-allow-origin')).toBe('*')
    expect(refusal.headers.get('access-control-expose-headers')).toContain('retry-after')
    expect(await refusal.json()).toMatchObject({ code: 'unavailable', status: 503, requestId: expect.any(String) })

    const other = send(quiet, crypto.randomUUID())
    await lock.query('commit')
    expect((await other).status).toBe(201)
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([201, 503]))
    const accepted = ids.filter((_, index) => statuses[index] === 201)
    const { rows } = await server.client.query<{ id: string }>('select id from feedback where id = any ($1)', [ids])
    expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(accepted))
    expect((await send(busy, ids[statuses.indexOf(503)] ?? '')).status).toBe(201)
  })
})

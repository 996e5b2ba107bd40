import { v7 as uuidV7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type BuiltUser, createProject, createUser } from './testing/builders.ts'
import { createTestDatabase } from './testing/database.ts'
import { type DatabaseLine, startDatabaseLine } from './testing/database-line.ts'
import { startTestServer, type TestServer } from './testing/server.ts'
import type { TestDatabase } from './testing/template-database.ts'

let database: TestDatabase
let line: DatabaseLine
let server: TestServer
let user: BuiltUser
let token: string
let widgetKey: string

beforeAll(async () => {
  database = await createTestDatabase()
  line = await startDatabaseLine(database.url)
  server = await startTestServer({ SERVICES: 'web,worker' }, { url: line.url })
  server.client.on('error', () => {})
  user = await createUser(server.client)
  widgetKey = (await createProject(server.client, { organizationId: user.organizationId ?? '' })).widgetKey
  token = await server.signIn(user)
})
afterEach(() => line.mend())
afterAll(async () => {
  await server?.stop()
  await line?.stop()
  await database?.drop()
})

const problem = { code: 'unavailable', status: 503, requestId: expect.any(String) }

/** One call of each scope that renders errors in a way of its own, and that way. */
const calls: [string, () => Promise<Response>, object][] = [
  ['the product’s API', () => server.call(`/api/v1/organizations/${user.organizationId}/projects`, { token }), problem],
  ['readiness', () => server.call('/ready'), { status: 'not_ready', checks: { database: 'failed' } }],
  [
    'the auth server',
    () => server.call('/auth/v1/user', { token }),
    { code: 503, error_code: 'unexpected_failure', msg: expect.any(String) },
  ],
  [
    'the database’s API',
    () => server.call('/rest/v1/rpc/get_user_current_organization', { token, body: { p_user_id: user.id } }),
    { code: 'PGRST001', message: expect.any(String) },
  ],
  [
    'ingest',
    () => {
      const body = {
        id: uuidV7(),
        type: 'bug',
        message: 'Nothing happens.',
        page: { url: 'https://shop.example/cart' },
        guard: { elapsedMs: 20_000 },
      }
      return server.call(`/e/${widgetKey}/submissions`, { body })
    },
    problem,
  ],
]

async function isReady(): Promise<boolean> {
  return (await server.call('/ready')).status === 200
}

describe('while the database is away', () => {
  it.each(calls)(
    '%s answers 503 in its own shape and when to try again, and works soon after its return',
    async (_name, call, shape) => {
      const before = (await call()).status
      await line.cut()
      // Twenty at once: some find an open connection broken, others can't open one.
      const replies = await Promise.all(Array.from({ length: 20 }, call))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]))
      for (const reply of replies) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
      for (const reply of replies) expect(await reply.json()).toMatchObject(shape)
      expect(await isReady()).toBe(false)
      await line.mend()
      // Seldom enough for the limits of calls, of which those above have used up some.
      await expect.poll(async () => (await call()).status, { timeout: 3_000, interval: 400 }).toBe(before)
      await expect.poll(isReady, { timeout: 3_000 }).toBe(true)
    },
  )

  it('refuses at once after an attempt to connect failed, without another attempt', async () => {
    await line.cut()
    const [, call] = calls[0] ?? []
    await call?.()
    const startedAt = performance.now()
    for (let n = 0; n < 20; n += 1) expect((await call?.())?.status).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  })
})

describe('while the database is frozen', () => {
  it('answers 503 within seconds, and serves again when it thaws', async () => {
    const [, call] = calls[0] ?? []
    await expect.poll(async () => (await call?.())?.status, { timeout: 3_000 }).toBe(200)
    line.freeze()
    const startedAt = performance.now()
    expect((await call?.())?.status).toBe(503)
    expect(performance.now() - startedAt).toBeLessThan(8_000)
    await line.mend()
    await expect.poll(async () => (await call?.())?.status, { timeout: 3_000 }).toBe(200)
  })
})

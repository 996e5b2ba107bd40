import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let server: TestServer
let organizationId: string

beforeAll(async () => {
  server = await startTestServer({ INGEST_RATE_PER_MINUTE: '10000' })
  organizationId = (await createUser(server.client)).organizationId ?? ''
})

afterAll(() => server.stop())

function beacon(widgetKey: string, event: string, init: RequestInit = {}, to = server) {
  return fetch(`${to.url}/e/${widgetKey}/n/${event}`, { method: 'POST', ...init })
}

async function readCounts(projectId: string): Promise<Record<string, number>> {
  const { rows } = await server.client.query<{ event: string; n: number }>(
    'select event, sum(n)::int as n from widget_counters where project_id = $1 group by event',
    [projectId],
  )
  return Object.fromEntries(rows.map(({ event, n }) => [event, n]))
}

describe('POST /e/{widgetKey}/n/{event}', () => {
  it('sums what pages do, by the hour', async () => {
    const { id, widgetKey, domain } = await createProject(server.client, { organizationId })
    const page = { headers: { origin: `https://${domain}` } }
    const sent = [...Array(7).fill('loaded'), 'opened', 'opened', 'closed'].map((event) =>
      beacon(widgetKey, event, page),
    )
    for (const reply of await Promise.all(sent)) {
      expect(reply.status).toBe(204)
      expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    }
    await submit(server, widgetKey, makeSubmission(), page.headers)
    await expect.poll(() => readCounts(id)).toEqual({ loaded: 7, opened: 2, closed: 1, submitted: 1 })
    const { rows } = await server.client.query(
      `select distinct hour = date_trunc('hour', hour, 'utc') and hour > now() - interval '2 hours' as fits
       from widget_counters where project_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ fits: true }])
  })

  it('adds up what several servers counted, and loses nothing when one stops', async () => {
    const { id, widgetKey } = await createProject(server.client, { organizationId })
    const second = await startTestServer({ INGEST_RATE_PER_MINUTE: '10000' }, { url: server.databaseUrl })
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => beacon(widgetKey, 'opened', {}, index % 2 ? server : second)),
    )
    await second.stop()
    await expect.poll(() => readCounts(id)).toEqual({ opened: 60 })
  })

  it.each([
    ['text', { 'content-type': 'text/plain;charset=UTF-8' }, 'x'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'a=1'],
    ['JSON that is none', { 'content-type': 'application/json' }, '{'],
    ['bytes', { 'content-type': 'application/octet-stream' }, '\u0000'],
  ])('takes a beacon with %s', async (_what, headers, body) => {
    const { id, widgetKey } = await createProject(server.client, { organizationId })
    expect((await beacon(widgetKey, 'closed', { headers, body })).status).toBe(204)
    await expect.poll(() => readCounts(id)).toEqual({ closed: 1 })
  })

  it('counts neither tests, nor foreign pages, nor events that there are not, nor retries', async () => {
    const { id, widgetKey, domain } = await createProject(server.client, { organizationId })
    for (const origin of ['http://localhost:5173', 'https://evil.example', 'null', server.url]) {
      expect((await beacon(widgetKey, 'loaded', { headers: { origin } })).status).toBe(204)
    }
    for (const event of ['submitted', 'constructor', '__proto__', 'x'.repeat(200)]) {
      expect((await beacon(widgetKey, event)).status).toBe(204)
    }
    expect((await beacon('wk_AAAAAAAAAAAAAAAAAAAAAA', 'loaded')).status).toBe(204)
    const body = makeSubmission()
    const headers = { origin: `https://${domain}` }
    await submit(server, widgetKey, body, headers)
    await submit(server, widgetKey, body, headers)
    await submit(server, widgetKey, makeSubmission(), { origin: 'http://localhost' })
    await expect.poll(() => readCounts(id)).toEqual({ submitted: 1 })
  })

  it('refuses a large body', async () => {
    const { widgetKey } = await createProject(server.client, { organizationId })
    expect((await beacon(widgetKey, 'loaded', { body: 'x'.repeat(100_000) })).status).toBe(413)
  })

  it('is limited per address, apart from submissions', async () => {
    const strict = await startTestServer({ INGEST_RATE_PER_MINUTE: '2' }, { url: server.databaseUrl })
    const { widgetKey, domain } = await createProject(server.client, { organizationId })
    const headers = { origin: `https://${domain}` }
    const statuses = []
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await beacon(widgetKey, 'opened', { headers }, strict)).status)
    }
    expect(statuses).toEqual([204, 204, 429])
    expect((await submit(strict, widgetKey, makeSubmission(), headers)).status).toBe(201)
    await strict.stop()
  })

  it('forgets what belongs to a project that is gone', async () => {
    const [gone, kept] = [
      await createProject(server.client, { organizationId }),
      await createProject(server.client, { organizationId }),
    ]
    await Promise.all([beacon(gone.widgetKey, 'opened'), beacon(kept.widgetKey, 'opened')])
    await server.client.query('delete from projects where id = $1', [gone.id])
    await expect.poll(() => readCounts(kept.id)).toEqual({ opened: 1 })
    expect(await readCounts(gone.id)).toEqual({})
  })
})

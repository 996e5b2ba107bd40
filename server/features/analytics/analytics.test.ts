import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  AnalyticsFunnel,
  AnalyticsOrigins,
  AnalyticsTimes,
  AnalyticsTrends,
  InboxOverview,
} from '#contract/analytics.ts'
import { createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { waitForSums } from '#server/testing/sums.ts'

let server: TestServer
let token: string
let userId: string
let organizationId: string
let projectId: string
let widgetKey: string
let made = 0

const dayMs = 86_400_000
const today = new Date().toISOString().slice(0, 10)
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10)

beforeAll(async () => {
  server = await startTestServer({ SERVICES: 'web,worker' })
})
afterAll(() => server?.stop())

/** An organisation of its own for each test. */
beforeEach(async () => {
  const owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  userId = owner.id
  token = await server.signIn(owner)
  const project = await createProject(server.client, { organizationId, domain: 'example.com' })
  projectId = project.id
  widgetKey = project.widgetKey
})

async function read<Answer>(what: string, query = '', bearer = token): Promise<Answer> {
  const reply = await server.call(`/api/v1/organizations/${organizationId}/analytics/${what}?${query}`, {
    token: bearer,
  })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Answer
}

const readTrends = (query = '') => read<AnalyticsTrends>('trends', query)

async function submit(more: Record<string, unknown> = {}, key = widgetKey): Promise<string> {
  made += 1
  const id = crypto.randomUUID()
  const reply = await fetch(`${server.url}/e/${key}/submissions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://example.com' },
    body: JSON.stringify({
      id,
      type: 'bug',
      message: `Nothing happens, for the ${made}th time.`,
      page: { url: 'https://example.com/basket' },
      guard: { elapsedMs: 60_000 },
      ...more,
    }),
  })
  expect([reply.status, await reply.text()]).toEqual([201, expect.anything()])
  return id
}

async function change(id: string, body: unknown): Promise<void> {
  const path = `/api/v1/organizations/${organizationId}/feedback/${id}`
  const reply = await server.call(path, { method: 'PATCH', token, body })
  expect(reply.status).toBe(200)
}

/** Inserted past the API, as by a restored backup. */
async function insertItem(more: Record<string, unknown>): Promise<string> {
  made += 1
  const item: Record<string, unknown> = {
    organization_id: organizationId,
    project_id: projectId,
    id: crypto.randomUUID(),
    number: made,
    type: 'bug',
    source: 'widget',
    message: 'x',
    page_url: '/',
    content_hash: Buffer.alloc(32),
    ...more,
  }
  const columns = Object.keys(item)
  await server.client.query(
    `insert into feedback (${columns.join(', ')}) values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(item),
  )
  return String(item.id)
}

async function runJob(name: string): Promise<void> {
  await server.client.query("select app.enqueue_job($1, '{}')", [name])
  await waitForSums(server)
}

describe('GET /api/v1/organizations/{organizationId}/analytics/trends', () => {
  it('counts new items within seconds, and follows the team’s changes to them', async () => {
    const bug = await submit({ rating: 2, nps: 3 })
    const idea = await submit({ type: 'idea', rating: 5, nps: 10 })
    await expect.poll(async () => (await readTrends()).items.total, { timeout: 5_000 }).toBe(2)
    let trends = await readTrends()
    expect(trends.types).toEqual([
      { value: 'bug', total: 1, previousTotal: 0, perStep: [...new Array(29).fill(0), 1] },
      { value: 'idea', total: 1, previousTotal: 0, perStep: [...new Array(29).fill(0), 1] },
    ])
    expect(trends.statuses.map(({ value, total }) => [value, total])).toEqual([['new', 2]])
    expect(trends.sources.map(({ value, total }) => [value, total])).toEqual([['widget', 2]])
    expect([trends.ratings.mean, trends.ratings.counts]).toEqual([3.5, [0, 1, 0, 0, 1]])
    expect([trends.nps.score, trends.nps.counts[3], trends.nps.counts[10]]).toEqual([0, 1, 1])
    expect((await read<AnalyticsTimes>('times')).resolution).toMatchObject({ count: 0, median: null, p90: null })

    await change(bug, { status: 'resolved', viewed: true })
    await waitForSums(server)
    trends = await readTrends()
    expect(trends.statuses.map(({ value, total }) => [value, total])).toEqual([
      ['new', 1],
      ['resolved', 1],
    ])
    const times = await read<AnalyticsTimes>('times')
    expect(times.firstView).toMatchObject({ count: 1, median: 30 })
    expect(times.resolution).toMatchObject({ count: 1, median: 30, p90: 30 })

    for (const [body, total] of [
      [{ spam: true }, 1],
      [{ spam: false }, 2],
      [{ deleted: true }, 1],
      [{ deleted: false }, 2],
      [{ archived: true }, 2],
    ] as const) {
      await change(idea, body)
      await waitForSums(server)
      trends = await readTrends()
      expect([body, trends.items.total, trends.ratings.counts[4]]).toEqual([body, total, total - 1])
    }

    // A duplicate still counts as a visitor's feedback.
    await server.client.query('update feedback set merged_into = $1 where id = $2', [bug, idea])
    await waitForSums(server)
    expect((await readTrends()).items.total).toBe(2)
    await server.client.query('delete from feedback where id = $1', [bug])
    await waitForSums(server)
    expect((await readTrends()).items.total).toBe(1)
  })

  it('compares with the days before, for the requested projects', async () => {
    const other = await createProject(server.client, { organizationId })
    for (const days of [0, 1, 6]) await insertItem({ created_at: new Date(Date.now() - days * dayMs) })
    for (const days of [7, 13, 14]) await insertItem({ created_at: new Date(Date.now() - days * dayMs) })
    await insertItem({ created_at: new Date(Date.now() - 8 * dayMs), project_id: other.id })
    await runJob('backfill_analytics')
    const week = `from=${daysAgo(6)}&to=${today}`
    const all = await readTrends(week)
    expect(all).toMatchObject({ from: daysAgo(6), to: today, previousFrom: daysAgo(13), previousTo: daysAgo(7) })
    expect(all.items).toEqual({
      total: 3,
      previousTotal: 3,
      perStep: [1, 0, 0, 0, 0, 1, 1],
      previousPerStep: [1, 0, 0, 0, 0, 1, 1],
    })
    expect((await readTrends(`${week}&projectId=${projectId}`)).items).toMatchObject({ total: 3, previousTotal: 2 })
    expect((await readTrends(`${week}&projectId=${other.id}`)).items).toMatchObject({ total: 0, previousTotal: 1 })
    const both = await readTrends(`${week}&projectId=${other.id}&projectId=${projectId}`)
    expect(both.items).toEqual(all.items)
  })

  it('takes averages of a week up to each day, and of each step where that is a week', async () => {
    for (const [days, rating] of [
      [0, 5],
      [6, 1],
      [8, 3],
    ] as const)
      await insertItem({ created_at: new Date(Date.now() - days * dayMs), rating })
    await runJob('backfill_analytics')
    const { points, ratings } = await readTrends(`from=${daysAgo(6)}&to=${today}`)
    expect([points[0], points.at(-1)]).toEqual([
      { from: daysAgo(12), to: daysAgo(6) },
      { from: daysAgo(6), to: today },
    ])
    expect(ratings.perPoint).toEqual([2, 2, 2, 2, 2, 1, 3])
    expect(ratings.previousPerPoint).toEqual([null, null, null, null, null, 3, 3])
    const year = await readTrends('from=2026-01-01&to=2026-12-31')
    expect(year.points).toEqual(year.steps)
  })

  it('adds days up to weeks and months, the latest step whole', async () => {
    const { steps } = await readTrends('from=2026-01-01&to=2026-12-31')
    expect(steps).toHaveLength(53)
    expect([steps[0], steps.at(-1)]).toEqual([
      { from: '2026-01-01', to: '2026-01-01' },
      { from: '2026-12-25', to: '2026-12-31' },
    ])
    expect((await readTrends('from=2024-01-01&to=2026-12-31')).steps).toHaveLength(40)
    expect((await readTrends('from=2026-01-31&to=2026-01-31')).steps).toEqual([
      { from: '2026-01-31', to: '2026-01-31' },
    ])
  })

  it.each([
    ['from=2026-02-30&to=2026-03-01', 'query.from'],
    ['from=2026-03-02&to=2026-03-01', 'query.to'],
    ['from=2020-01-01&to=2026-01-01', 'query.from'],
    ['to=tomorrow', 'query.to'],
    ['from=0000-01-01', 'query.from'],
    ['projectId=none', 'query.projectId'],
  ])('refuses %s and names the field', async (query, path) => {
    const reply = await server.call(`/api/v1/organizations/${organizationId}/analytics/trends?${query}`, { token })
    const problem = (await reply.json()) as { fields: { path: string }[] }
    expect([reply.status, problem.fields[0]?.path.startsWith(path)]).toEqual([400, true])
  })

  it('shows nothing of another organisation’s projects, as of those that do not exist', async () => {
    await submit()
    await waitForSums(server)
    const foreign = projectId
    const stranger = await createUser(server.client)
    organizationId = stranger.organizationId ?? ''
    token = await server.signIn(stranger)
    expect(await readTrends(`projectId=${foreign}`)).toEqual(await readTrends(`projectId=${crypto.randomUUID()}`))
    expect((await readTrends(`projectId=${foreign}`)).items.total).toBe(0)
  })
})

describe('GET /api/v1/organizations/{organizationId}/analytics/origins', () => {
  it('lists pages without their numbers, browsers by name, and countries by language', async () => {
    const chrome =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
    const send = (url: string, userAgent: string, language: string) =>
      submit({ page: { url }, context: { userAgent, language } })
    await send('https://Shop.example.com/orders/1001?ref=mail#top', chrome, 'de-AT')
    await send('https://shop.example.com/orders/1002/', chrome, 'en')
    await send('https://shop.example.com/', 'curl/8', 'zh-Hant-TW')
    await submit({ page: { url: 'https://shop.example.com/' } })
    await waitForSums(server)
    const { pages, browsers, countries } = await read<AnalyticsOrigins>('origins')
    expect(pages).toEqual({
      items: [
        { value: 'shop.example.com', total: 2, previousTotal: 0 },
        { value: 'shop.example.com/orders/*', total: 2, previousTotal: 0 },
      ],
      others: 0,
      previousOthers: 0,
    })
    expect(browsers).toEqual({ items: [{ value: 'Chrome', total: 2, previousTotal: 0 }], others: 2, previousOthers: 0 })
    expect(countries.items.map(({ value }) => value).sort()).toEqual(['AT', 'TW'])
    expect(countries.others).toBe(2)
  })

  it('counts rare pages of a day together', async () => {
    await server.client.query(
      `insert into feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash)
       select $1, $2, gen_random_uuid(), n, 'bug', 'widget', 'x', 'https://example.com/page-' || (n % 60), sha256('x')
       from generate_series(1, 130) n`,
      [organizationId, projectId],
    )
    await runJob('backfill_analytics')
    const { pages } = await read<AnalyticsOrigins>('origins')
    expect(pages.items).toHaveLength(12)
    expect(pages.items.reduce((sum, { total }) => sum + total, 0) + pages.others).toBe(130)
  })
})

describe('GET /api/v1/organizations/{organizationId}/analytics/funnel', () => {
  it('adds up whole days and the hours since, each once', async () => {
    const other = await createProject(server.client, { organizationId })
    for (const [project, hoursAgo, event, n] of [
      [projectId, 0, 'loaded', 100],
      [projectId, 0, 'opened', 10],
      [projectId, 0, 'submitted', 2],
      [projectId, 30, 'loaded', 50],
      [projectId, 54, 'opened', 5],
      [other.id, 54, 'loaded', 7],
      [projectId, 24 * 10, 'loaded', 1000],
    ] as const) {
      await server.client.query(
        `insert into widget_counters values ($1, $2, date_trunc('hour', now(), 'utc') - make_interval(hours => $3), $4, $5)`,
        [organizationId, project, hoursAgo, event, n],
      )
    }
    const week = `from=${daysAgo(6)}&to=${today}`
    const totals = async (query: string) => {
      const { loaded, opened, submitted } = await read<AnalyticsFunnel>('funnel', query)
      return [loaded.total, loaded.previousTotal, opened.total, submitted.total]
    }
    expect(await totals(week)).toEqual([157, 1000, 15, 2])
    await runJob('sum_widget_days')
    const { rows } = await server.client.query('select day from widget_days where organization_id = $1', [
      organizationId,
    ])
    expect(rows.length).toBeGreaterThan(1)
    expect(await totals(week)).toEqual([157, 1000, 15, 2])
    await runJob('sum_widget_days')
    expect(await totals(week)).toEqual([157, 1000, 15, 2])
    expect(await totals(`${week}&projectId=${other.id}`)).toEqual([7, 0, 0, 0])
    expect((await read<AnalyticsFunnel>('funnel', week)).loaded.perStep.at(-1)).toBe(100)
  })
})

describe('GET /api/v1/organizations/{organizationId}/analytics/overview', () => {
  it('counts inbox items by state, priority and assignee', async () => {
    const colleague = await createMember(server.client, { organizationId, role: 'member' })
    const [first, second, third] = [await submit(), await submit(), await submit()]
    await insertItem({ created_at: new Date('2020-02-02'), priority: 'urgent' })
    await runJob('backfill_analytics')
    await change(first ?? '', { priority: 'high', assigneeId: userId, viewed: true })
    await change(second ?? '', { status: 'open', assigneeId: colleague.id })
    await change(third ?? '', { status: 'closed' })
    await waitForSums(server)
    expect(await read<InboxOverview>('overview')).toEqual({
      // The oldest is from before the owner joined, and the third is closed.
      unread: 1,
      fresh: 2,
      unresolved: 3,
      priorities: { high: 1, none: 1, urgent: 1 },
      assignedToYou: 1,
      unassigned: 1,
    })
    const bearer = await server.signIn(colleague)
    expect(await read<InboxOverview>('overview', '', bearer)).toMatchObject({
      assignedToYou: 1,
      unresolved: 3,
      unread: 2,
    })
  })
})

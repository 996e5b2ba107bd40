import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AnalyticsReceiver, expectListed, startAnalyticsReceiver } from '#server/testing/analytics-receiver.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/*
 * That each event of the table arrives is shown by recorded-events.test.ts, with every act of the product. Here: sums, retries,
 * consent, and a server without a key.
 */

let analytics: AnalyticsReceiver
let server: TestServer

beforeAll(async () => {
  analytics = await startAnalyticsReceiver()
  server = await startTestServer({ SERVICES: 'web,worker', ...analytics.env })
})
afterEach(() => analytics.answer((_, response) => response.writeHead(200).end()))
afterAll(async () => {
  await server?.stop()
  await analytics?.stop()
})

async function archiveProject(on: TestServer) {
  const owner = await createUser(on.client)
  const organizationId = owner.organizationId ?? ''
  const { id } = await createProject(on.client, { organizationId })
  const reply = await on.call(`/api/v1/organizations/${organizationId}/projects/${id}`, {
    method: 'PATCH',
    token: await on.signIn(owner),
    body: { archived: true },
  })
  expect(reply.status).toBe(200)
  return { id, organizationId, userId: owner.id }
}

const findUpdate = (projectId: string) =>
  analytics
    .events()
    .filter(({ event, properties }) => event === 'project_updated' && properties.project_id === projectId)

describe('product analytics', () => {
  it('counts an act for the person and their organisation, at its time', async () => {
    const { id, organizationId, userId } = await archiveProject(server)
    await expect.poll(() => findUpdate(id)).toHaveLength(1)
    const [sent] = findUpdate(id)
    expect(sent?.properties).toEqual({
      project_id: id,
      fields: ['archived'],
      distinct_id: userId,
      $groups: { organization: organizationId },
      $lib: 'earshot-server',
      $geoip_disable: true,
    })
    expect(Math.abs(Date.parse(sent?.timestamp ?? '') - Date.now())).toBeLessThan(30_000)
  })

  it('sends an event again under the same id after a failure', async () => {
    let failures = 0
    analytics.answer((_, response) => {
      failures += 1
      response.writeHead(503).end()
    })
    const { id } = await archiveProject(server)
    await expect.poll(() => failures).toBeGreaterThan(0)
    analytics.answer((_, response) => response.writeHead(200).end())
    const before = analytics.received.length
    // Later attempts wait for minutes.
    const retry = async () => {
      await server.client.query(
        `update graphile_worker._private_jobs set run_at = now() where locked_at is null and attempts > 0`,
      )
      return analytics.received.slice(before).some(({ body }) => body.includes(id))
    }
    await expect.poll(retry, { timeout: 50_000, interval: 1_000 }).toBe(true)
    expect(new Set(findUpdate(id).map(({ uuid }) => uuid)).size).toBe(1)
  })

  it('drops events that PostHog refuses, and says so in the log', async () => {
    analytics.answer((_, response) => response.writeHead(401).end())
    await archiveProject(server)
    await expect.poll(() => server.logLines.join()).toContain('product analytics refused events')
    expect(server.logLines.join()).not.toContain('phc_server')
  })

  it('sends the use of widgets as one sum for each project, day and kind', async () => {
    const { id, organizationId } = await archiveProject(server)
    await server.client.query(
      `insert into widget_counters (organization_id, project_id, hour, event, n)
       select $1, $2, date_trunc('day', now(), 'utc') + hours, event, n
       from (values
         (interval '-1 hour', 'loaded', 1000000), (interval '-24 hours', 'loaded', 234), (interval '-3 hours', 'opened', 7),
         (interval '-3 hours', 'closed', 5), (interval '-3 hours', 'submitted', 2),
         (interval '0', 'loaded', 99), (interval '-25 hours', 'loaded', 99)) v (hours, event, n)`,
      [organizationId, id],
    )
    const findSums = () =>
      analytics
        .events()
        .filter(({ event, properties }) => /_(load|open|clos)ed$/.test(event) && properties.project_id === id)
    await server.client.query(`select graphile_worker.add_job('capture_widget_sums')`)
    await expect.poll(findSums).toHaveLength(3)
    const sums = findSums()
    expect(Object.fromEntries(sums.map(({ event, properties }) => [event, properties.count]))).toEqual({
      widget_loaded: 1_000_234,
      widget_opened: 7,
      widget_closed: 5,
    })
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    for (const sum of sums) {
      expectListed(sum)
      expect(sum).toMatchObject({
        timestamp: `${yesterday}T12:00:00.000Z`,
        properties: { day: yesterday, distinct_id: organizationId, $process_person_profile: false },
      })
    }
    // The same sums again are the same events.
    const before = analytics.received.length
    await server.client.query(`select graphile_worker.add_job('capture_widget_sums')`)
    await expect.poll(() => analytics.received.length).toBeGreaterThan(before)
    expect(findSums()).toEqual(sums)
  })

  it('counts acts for the organisation alone where people are asked for consent', async () => {
    const careful = await startTestServer({
      SERVICES: 'web,worker',
      ANALYTICS_CONSENT: 'required',
      ...analytics.env,
    })
    try {
      const { id, organizationId, userId } = await archiveProject(careful)
      await expect.poll(() => findUpdate(id)).toHaveLength(1)
      expect(findUpdate(id)[0]?.properties).toMatchObject({
        distinct_id: organizationId,
        $process_person_profile: false,
      })
      expect(analytics.received.map(({ body }) => body).join()).not.toContain(userId)
    } finally {
      await careful.stop()
    }
  })

  it('queues and sends nothing without a key', async () => {
    const plain = await startTestServer({ SERVICES: 'web,worker', POSTHOG_HOST: analytics.env.POSTHOG_HOST ?? '' })
    try {
      const before = analytics.received.length
      await archiveProject(plain)
      const isDispatched = async () =>
        (await plain.client.query('select 1 from app.events where dispatched_at is null')).rowCount === 0
      await expect.poll(isDispatched).toBe(true)
      const { rows } = await plain.client.query(
        `select identifier from graphile_worker._private_tasks where identifier ~ 'capture'`,
      )
      expect(rows).toEqual([])
      expect(analytics.received.length).toBe(before)
    } finally {
      await plain.stop()
    }
  })
})

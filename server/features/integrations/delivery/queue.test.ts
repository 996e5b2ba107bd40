import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { releaseQueue, takeQueues } from './queue.queries.ts'

let server: TestServer
let database: Database

beforeAll(async () => {
  server = await startTestServer()
  database = openDatabase({ url: server.databaseUrl, log: createLog({ level: 'silent' }), maxConnections: 4 })
})
afterAll(async () => {
  await database.close()
  await server.stop()
})

it.each([
  [
    'a new delivery',
    `insert into deliveries (organization_id, integration_id, event_name, feedback_id)
     values ($1, $2, 'feedback.updated', $3)`,
  ],
  [
    'a repeated request',
    `select app.request_issue_syncs($1, array_agg(id)) from issue_links
     where organization_id = $1 and integration_id = $2 and feedback_id = $3`,
  ],
])('a queue that is given back while %s is being committed stays due', async (_, request) => {
  const owner = await createUser(server.client)
  const organizationId = owner.organizationId ?? ''
  const { id: projectId } = await createProject(server.client, { organizationId })
  const { id: feedbackId } = await createFeedback(server.client, { organizationId, projectId })
  const { rows } = await server.client.query<{ id: string }>(
    `insert into integrations (organization_id, type, name, secrets, event_names, is_tracker, created_by)
     values ($1, 'github', 'GitHub', 'v1.none', '{feedback.created}', true, $2) returning id`,
    [organizationId, owner.id],
  )
  const integrationId = rows[0]?.id ?? ''
  const values = [organizationId, integrationId, feedbackId]
  await server.client.query(
    'insert into issue_links (organization_id, integration_id, feedback_id) values ($1, $2, $3)',
    values,
  )
  const workerId = crypto.randomUUID()
  const lease = { workerId, leaseSeconds: 30, limit: 10 }
  const queues = await database.asSystem('test', (tx) => takeQueues(tx, lease))
  expect(queues.map((queue) => queue.integrationId)).toContain(integrationId)
  // The worker has sent everything.
  await server.client.query(
    `update deliveries set state = 'delivered', next_attempt_at = null, ended_at = now() where integration_id = $1`,
    [integrationId],
  )
  await server.client.query('begin')
  await server.client.query(request, values)
  const released = database.asSystem('test', (tx) => releaseQueue(tx, workerId, { organizationId, integrationId }, 0))
  // Given back at once, it would be without this delivery: it waits for the transaction.
  let isReleased = false
  void released.then(() => {
    isReleased = true
  })
  await vi.waitFor(async () => {
    const { rowCount } = await server.client.query('select from pg_locks where not granted')
    expect(isReleased || rowCount).toBeTruthy()
  })
  await server.client.query('commit')
  await released
  const { rows: after } = await server.client.query(
    'select due_at is not null as "isDue", leased_by from integration_queues where integration_id = $1',
    [integrationId],
  )
  expect(after).toEqual([{ isDue: true, leased_by: null }])
})

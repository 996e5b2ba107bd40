import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnyEvent } from '#contract/events.ts'
import type { FullQuota } from '#contract/quotas.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { QueuedSubscriber } from '#server/platform/events/subscriber.ts'
import { createLog } from '#server/platform/log/log.ts'
import { type BuiltUser, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { createFullQuotaSubscriber } from './features/notifications/full-quotas.subscriber.ts'
import { createFullQuotas } from './features/quotas/full-quotas.ts'

const gigabyte = 1_000_000_000
let server: TestServer
let database: ReturnType<typeof openDatabase>
let subscriber: QueuedSubscriber
let owner: BuiltUser
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  server = await startTestServer({ QUOTA_PROJECT_FILE_GIGABYTES: '2', QUOTA_FILE_GIGABYTES: '3' })
  const log = createLog({ level: 'error', destination: { write: () => {} } })
  database = openDatabase({ url: server.databaseUrl, log, maxConnections: 3 })
  subscriber = createFullQuotaSubscriber({ database, links: { writeToken }, appUrl: server.url })
  // The first runs the instance, and would see everything.
  await createUser(server.client)
})
afterAll(async () => {
  await database.close()
  await server.stop()
})
beforeEach(async () => {
  owner = await createUser(server.client)
  organizationId = owner.organizationId ?? ''
  project = await createProject(server.client, { organizationId, name: 'Shop' })
})

const fill = (projectId: string, bytes: number) =>
  server.client.query(
    `insert into uploads (organization_id, id, project_id, kind, storage_key, bytes)
     values ($1, gen_random_uuid(), $2, 'file', gen_random_uuid() || '/' || gen_random_uuid(), $3)`,
    [organizationId, projectId, bytes],
  )
const sendRefused = (widgetKey: string) =>
  expect(sendFile(server, widgetKey, { kind: 'file', bytes: Buffer.alloc(2_000, 'x') })).rejects.toThrow('507')
/** Hands all events of the organisation to the subscriber, those that it had before as well. */
async function deliver(): Promise<void> {
  const { rows } = await server.client.query<AnyEvent<'quota.files_full'>>(
    `select id, organization_id as "organizationId", name, ids, payload from app.events
     where organization_id = $1 and name = 'quota.files_full' order by id`,
    [organizationId],
  )
  await subscriber.run(rows)
}
const listMails = async () => {
  const { rows } = await server.client.query<{ email: string }>(
    'select p.email from profiles p join memberships m using (user_id) where m.organization_id = $1',
    [organizationId],
  )
  return (await server.mails()).filter(({ to }) => rows.some(({ email }) => email === to))
}
const listFull = async (user: BuiltUser) => {
  const token = await server.signIn(user)
  const reply = await server.call(`/api/v1/organizations/${organizationId}/notifications`, { token })
  return ((await reply.json()) as { fullQuotas: FullQuota[] }).fullQuotas
}

describe('a full quota of files', () => {
  it('emails each owner once a day, except those who turned personal emails off', async () => {
    const muted = await createMember(server.client, { organizationId, role: 'owner' })
    await createMember(server.client, { organizationId, role: 'admin' })
    await server.call(`/api/v1/organizations/${organizationId}/notification-preferences`, {
      method: 'PATCH',
      token: await server.signIn(muted),
      body: { mutedMails: ['personal'] },
    })
    await fill(project.id, 2 * gigabyte - 1_000)
    await sendRefused(project.widgetKey)
    await sendRefused(project.widgetKey)
    await deliver()
    await deliver()
    const expected = { to: owner.email, kind: 'files_full', subject: 'Shop: storage for files is full' }
    expect(await listMails()).toMatchObject([expected])
    const [mail] = await listMails()
    for (const part of [mail?.text, mail?.html]) {
      expect(part).toContain(' has no room for a visitor’s file')
      expect(part).toContain(`${server.url}/dashboard/settings/storage`)
      expect(part).toContain(`${server.url}/unsubscribe/`)
    }

    // As another process notes it, within the day and after it.
    const refusal = { organizationId, projectId: project.id, neededBytes: 2_000 }
    await createFullQuotas(database).note(refusal)
    await deliver()
    expect(await listMails()).toHaveLength(1)
    await server.client.query(
      `update full_quotas set notified_at = notified_at - interval '1 day', mailed_at = mailed_at - interval '1 day'
       where organization_id = $1`,
      [organizationId],
    )
    await createFullQuotas(database).note(refusal)
    await deliver()
    expect(await listMails()).toMatchObject([expected, expected])
  })

  it('is among the notifications of owners until there is room', async () => {
    const admin = await createMember(server.client, { organizationId, role: 'admin' })
    await fill(project.id, 2 * gigabyte - 1_000)
    expect(await listFull(owner)).toEqual([])
    await sendRefused(project.widgetKey)
    expect(await listFull(owner)).toEqual([
      { projectId: project.id, projectName: 'Shop', refusedAt: expect.any(String) },
    ])
    expect(await listFull(admin)).toEqual([])
    // Room for a small file, but not for the one that was refused; then for that one.
    await server.client.query('update uploads set bytes = bytes - 500 where project_id = $1', [project.id])
    expect(await listFull(owner)).toHaveLength(1)
    await server.client.query('update uploads set bytes = bytes - 500 where project_id = $1', [project.id])
    expect(await listFull(owner)).toEqual([])
  })

  it('of the organisation names no project', async () => {
    const other = await createProject(server.client, { organizationId })
    for (const { id } of [project, other]) await fill(id, 1.5 * gigabyte)
    await sendRefused(project.widgetKey)
    expect(await listFull(owner)).toEqual([{ projectId: null, projectName: null, refusedAt: expect.any(String) }])
    await deliver()
    expect(await listMails()).toMatchObject([{ to: owner.email, kind: 'files_full' }])
  })
})

function writeToken(): string {
  return randomUUID()
}

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import type { FeedbackDetail } from '#contract/feedback.ts'
import type { OwnOrganization } from '#contract/own-organizations.ts'
import type { InstanceOrganizationDetail } from '#contract/superadmin-organizations.ts'
import {
  type BuiltUser,
  createAppToken,
  createFeedback,
  createMember,
  createProject,
  createUser,
  createWorkingKey,
} from '#server/testing/builders.ts'
import { followEvents } from '#server/testing/event-stream.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

/* A suspended organisation: the parts that stop in every process, those that continue, and all of them after it is lifted. access.test.ts
 * tries every route. */

const generous = { API_RATE_PER_MINUTE: '100000', API_KEY_RATE_PER_MINUTE: '100000' }

let fixture: FilesFixture
/** Another process of the same instance. */
let second: TestServer
let superToken: string
let superadmin: BuiltUser
let owner: BuiltUser
let token: string
let organizationId: string
let project: { id: string; widgetKey: string }

beforeAll(async () => {
  fixture = await openFilesFixture(generous)
  second = await startTestServer({ DATA_DIR: fixture.dataDir, ...generous }, { url: fixture.server.databaseUrl })
  superadmin = await createUser(fixture.server.client)
  await query('insert into app.superadmins (user_id) values ($1)', [superadmin.id])
  superToken = await fixture.server.signIn(superadmin)
})
afterAll(async () => {
  await second?.stop()
  await fixture?.stop()
})
beforeEach(async () => {
  owner = await createUser(fixture.server.client, { organizationName: 'Northwind' })
  organizationId = owner.organizationId ?? ''
  token = await fixture.server.signIn(owner)
  project = await createProject(fixture.server.client, { organizationId })
})

const query = (text: string, values: unknown[] = []) => fixture.server.client.query(text, values)
const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
  fixture.server.call(`/api/v1/organizations/${organizationId}${path}`, { token, ...options })
const act = (path: string, options: { method?: string; body?: unknown } = {}) =>
  fixture.server.call(`/api/v1/superadmin/organizations/${organizationId}${path}`, { token: superToken, ...options })
const suspend = (body: unknown = { reason: 'Sends spam', message: 'Please call us.' }) =>
  act('/suspension', { method: 'PUT', body })
const lift = () => act('/suspension', { method: 'DELETE' })
const readDetail = async () => (await (await act('')).json()) as InstanceOrganizationDetail
const codeOf = async (reply: Response) => [reply.status, ((await reply.json()) as { code?: string }).code]
const load = (server: TestServer) => fetch(`${server.url}/e/${project.widgetKey}.js`).then((reply) => reply.text())
const listMails = async (kind: string) =>
  (await fixture.server.mails()).filter((mail) => mail.kind === kind && mail.to === owner.email)

/** Entries of the instance's audit log about the organisation. */
async function listEntries(): Promise<{ action: string; after: unknown }[]> {
  const { rows } = await query(
    `select action, after from audit_log
     where organization_id = '00000000-0000-0000-0000-000000000000' and target_id = $1 and category = 'superadmin' order by id`,
    [organizationId],
  )
  return rows
}

/** Items that the person's database role sees, past the server. */
async function countSeen(user: BuiltUser, settings: Readonly<Record<string, string>> = {}): Promise<number> {
  await query('begin')
  const claims = JSON.stringify({ sub: user.id, role: 'authenticated' })
  for (const [name, value] of Object.entries({ role: 'authenticated', 'request.jwt.claims': claims, ...settings })) {
    await query('select set_config($1, $2, true)', [name, value])
  }
  const { rows } = await query('select count(*)::integer as n from feedback where organization_id = $1', [
    organizationId,
  ])
  await query('rollback')
  return rows[0].n
}

describe('PUT and DELETE …/suspension', () => {
  it('keep the reason for superadmins, tell members the message, and email the owners once', async () => {
    const member = await createMember(fixture.server.client, { organizationId, role: 'viewer' })
    const memberToken = await fixture.server.signIn(member)
    expect(await codeOf(await call('/suspension', { token: memberToken }))).toEqual([404, 'suspension_not_found'])
    for (const _ of ['first', 'repeated']) expect((await suspend()).status).toBe(200)
    expect(await readDetail()).toMatchObject({
      suspendedAt: expect.any(String),
      suspension: { reason: 'Sends spam', message: 'Please call us.', byName: 'Ada Example' },
    })
    const told = await (await call('/suspension', { token: memberToken })).text()
    expect(JSON.parse(told)).toMatchObject({
      organizationName: 'Northwind',
      message: 'Please call us.',
      role: 'viewer',
    })
    expect(told).not.toContain('Sends spam')
    expect((await listMails('organization_suspended')).map(({ text }) => text)).toEqual([
      expect.stringContaining('Please call us.'),
    ])
    expect(await listEntries()).toEqual([
      { action: 'organization.suspended', after: { reason: 'Sends spam', message: 'Please call us.' } },
    ])

    // Other words for members replace the former.
    expect((await suspend({ reason: 'Sends spam', message: null })).status).toBe(200)
    expect(await (await call('/suspension', { token: memberToken })).json()).toMatchObject({ message: null })
    expect(await listMails('organization_suspended')).toHaveLength(1)

    for (const _ of ['first', 'repeated']) expect((await lift()).status).toBe(200)
    expect(await readDetail()).toMatchObject({ suspendedAt: null, suspension: null })
    expect(await listMails('organization_suspension_lifted')).toHaveLength(1)
    expect((await listEntries()).map(({ action }) => action)).toEqual([
      'organization.suspended',
      'organization.suspension_changed',
      'organization.suspension_lifted',
    ])
    const { rows } = await query(
      `select name, actor_kind as kind from app.events where organization_id = $1 and name like 'organization.susp%' order by id`,
      [organizationId],
    )
    expect(rows).toEqual([
      { name: 'organization.suspended', kind: 'superadmin' },
      { name: 'organization.suspended', kind: 'superadmin' },
      { name: 'organization.suspension_lifted', kind: 'superadmin' },
    ])
    await eventually(async () => await (await call('/audit')).text()).toContain('lifted the suspension')
  })

  it('refuse a blank and a long reason, a long message, an unknown organisation, and everyone else', async () => {
    for (const [field, body] of [
      ['body.reason', { reason: ' ', message: null }],
      ['body.reason', { reason: 'a'.repeat(10_000), message: null }],
      ['body.message', { reason: 'Spam', message: 'a'.repeat(10_000) }],
    ] as const) {
      const reply = await suspend(body)
      expect([reply.status, await reply.json()]).toMatchObject([400, { fields: [{ path: field }] }])
    }
    expect((await readDetail()).suspension).toBeNull()
    const unknown = await fixture.server.call(`/api/v1/superadmin/organizations/${randomUUID()}/suspension`, {
      token: superToken,
      method: 'DELETE',
    })
    expect(unknown.status).toBe(404)
    const path = `/api/v1/superadmin/organizations/${organizationId}/suspension`
    expect((await fixture.server.call(path, { token, method: 'DELETE' })).status).toBe(403)
  })

  it('suspend once when two superadmins do so at the same time', async () => {
    const replies = await Promise.all(['one', 'two', 'three'].map((reason) => suspend({ reason, message: null })))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    const { rows } = await query('select lifted_at from app.organization_suspensions where organization_id = $1', [
      organizationId,
    ])
    expect(rows).toHaveLength(1)
    expect(await listMails('organization_suspended')).toHaveLength(1)
  })
})

describe('a suspended organisation', () => {
  it('is closed to its members, keys, apps and visitors in every process, and open again when it is lifted', async () => {
    const { id: feedbackId } = await createFeedback(fixture.server.client, { organizationId, projectId: project.id })
    await query(`update feedback set visitor_email = 'grace@example.org' where id = $1`, [feedbackId])
    await call(`/feedback/${feedbackId}/comments`, { body: { id: randomUUID(), kind: 'reply', text: 'Thank you.' } })
    const reply = (await fixture.server.mails()).findLast(({ to }) => to === 'grace@example.org')
    const conversation = `/api/v1/conversations/${/conversation\/([\w-]+)/.exec(reply?.text ?? '')?.[1]}`
    const key = await createWorkingKey(fixture.server.client, { organizationId, projectId: project.id })
    const appToken = await createAppToken(fixture.server.client, { organizationId, userId: owner.id, scopes: ['read'] })
    // Each process of a test has an address, and so tokens, of its own.
    const tokens = new Map([
      [fixture.server, token],
      [second, await second.signIn(owner)],
    ])
    const stream = await followEvents(second, organizationId, tokens.get(second) ?? '')
    const callMcp = (server: TestServer) =>
      fetch(`${server.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${appToken}` }, body: '{}' })
    const readAll = async (server: TestServer) => ({
      member: (
        await server.call(`/api/v1/organizations/${organizationId}/feedback`, { token: tokens.get(server) ?? '' })
      ).status,
      key: (await server.call('/api/v1/feedback', { token: key })).status,
      isAppKnown: (await callMcp(server)).status !== 401,
      visitor: (await server.call(conversation)).status,
      isShown: !(await load(server)).includes('collects no feedback at the moment'),
    })
    const open = { member: 200, key: 200, isAppKnown: true, visitor: 200, isShown: true }
    for (const server of [fixture.server, second]) expect(await readAll(server)).toEqual(open)

    expect((await suspend()).status).toBe(200)
    const stopped = { member: 403, key: 403, isAppKnown: false, visitor: 404, isShown: false }
    for (const server of [fixture.server, second]) await eventually(() => readAll(server)).toEqual(stopped)
    expect(await codeOf(await second.call('/api/v1/feedback', { token: key }))).toEqual([403, 'organization_suspended'])
    while ((await stream.next()) !== undefined);
    const rows = await fixture.server.call('/rest/v1/rpc/get_user_current_organization', {
      token,
      body: { p_user_id: owner.id },
    })
    expect(await rows.json()).toEqual([])
    const own = (await (await fixture.server.call('/api/v1/organizations', { token })).json()) as {
      items: OwnOrganization[]
    }
    expect(own.items).toMatchObject([{ id: organizationId, suspendedAt: expect.any(String) }])
    // Beneath the server.
    expect(await countSeen(owner)).toBe(0)
    expect(await countSeen(owner, { 'app.even_suspended': 'owners' })).toBe(1)
    expect(await countSeen(superadmin, { 'app.organization_id': organizationId })).toBe(1)

    await lift()
    for (const server of [fixture.server, second]) await eventually(() => readAll(server)).toEqual(open)
    expect(await countSeen(owner)).toBe(1)
  })

  it.each(['trialing', 'self_hosted'])(
    'loses nothing that visitors send (%s): it is locked until then',
    async (status) => {
      await query(`update organizations set subscription_status = $2 where id = $1`, [organizationId, status])
      // Begun before, so that the rest of it arrives after.
      const early = await sendFile(fixture.server, project.widgetKey, { kind: 'screenshot', bytes: makePng() })
      expect((await suspend()).status).toBe(200)
      await eventually(() => load(fixture.server)).toContain('collects no feedback at the moment')
      const late = await sendFile(fixture.server, project.widgetKey, { kind: 'screenshot', bytes: makePng(50) })
      const sent = makeSubmission({
        message: 'The zebrafish does nothing.',
        attachments: [early, late].map((id) => ({ id, kind: 'screenshot' })),
      })
      const receipts = [
        await submit(fixture.server, project.widgetKey, sent),
        await submit(second, project.widgetKey, sent),
      ]
      expect(receipts.map((receipt) => receipt.status)).toEqual([201, 200])
      const { rows } = await query('select locked, message from feedback where organization_id = $1', [organizationId])
      expect(rows).toEqual([{ locked: true, message: '' }])
      // Nor does the job that a change of the plan enqueues.
      await query(`select graphile_worker.add_job('unlock_feedback', json_build_object('organizationId', $1::text))`, [
        organizationId,
      ])
      await eventually(async () => {
        const { rows: jobs } = await query(`select from graphile_worker.jobs where task_identifier = 'unlock_feedback'`)
        return jobs.length
      }).toBe(0)
      expect(
        (await query('select from feedback where organization_id = $1 and locked', [organizationId])).rowCount,
      ).toBe(1)
      expect((await query(`select from notifications where organization_id = $1`, [organizationId])).rowCount).toBe(0)

      await lift()
      const read = async () => (await (await call(`/feedback/${sent.id}`)).json()) as FeedbackDetail
      await eventually(async () => (await read()).message).toBe('The zebrafish does nothing.')
      await eventually(async () => (await read()).attachments.map(({ state }) => state)).toEqual(['ready', 'ready'])
    },
  )

  it('lets its owner take the data away, and no other member', async () => {
    await createFeedback(fixture.server.client, { organizationId, projectId: project.id, message: 'Mine to keep.' })
    const admin = await createMember(fixture.server.client, { organizationId, role: 'admin' })
    const adminToken = await fixture.server.signIn(admin)
    const before = { id: randomUUID(), format: 'json', selection: {} }
    expect((await call('/exports', { token: adminToken, body: before })).status).toBe(201)
    const readExport = async (id: string, as = token) =>
      (await (await call(`/exports/${id}`, { token: as })).json()) as Export
    await eventually(async () => (await readExport(before.id)).state).toBe('ready')
    const adminUrl = fixture.server.url + (await readExport(before.id, adminToken)).downloadUrl
    expect((await fetch(adminUrl)).status).toBe(200)

    await suspend()
    expect((await fetch(adminUrl)).status).toBe(404)
    expect(await codeOf(await call('/exports', { token: adminToken }))).toEqual([403, 'organization_suspended'])
    const after = { id: randomUUID(), format: 'json', selection: {} }
    expect((await call('/exports', { body: after })).status).toBe(201)
    await eventually(async () => (await readExport(after.id)).state).toBe('ready')
    const file = await fetch(fixture.server.url + (await readExport(after.id)).downloadUrl)
    expect(await file.text()).toContain('Mine to keep.')
    // Leaving stays possible.
    expect((await call('/leave', { token: adminToken, method: 'POST' })).status).toBe(204)
    expect(await codeOf(await call('', { method: 'PATCH', body: { name: 'Renamed' } }))).toEqual([
      403,
      'organization_suspended',
    ])
  })

  it('stays deleted and suspended until a superadmin restores it', async () => {
    await suspend()
    expect((await call('', { method: 'DELETE', body: { name: 'Northwind' } })).status).toBe(200)
    expect(await (await call('/deletion')).json()).toMatchObject({ canRestore: false, isSuspended: true })
    expect(await codeOf(await call('/restore', { method: 'POST' }))).toEqual([403, 'organization_suspended'])
    await query('begin')
    await query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: owner.id, role: 'authenticated' }),
    ])
    const { rows } = await query('select app.restore_organization($1) as restored', [organizationId])
    await query('rollback')
    expect(rows).toEqual([{ restored: false }])
    expect((await call('/restore', { method: 'POST', token: superToken })).status).toBe(204)
    expect(await readDetail()).toMatchObject({ closedAt: null, suspendedAt: expect.any(String) })
    expect(await codeOf(await call('/feedback'))).toEqual([403, 'organization_suspended'])
  })
})

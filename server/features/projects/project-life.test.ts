import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Project } from '#contract/projects.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

let fixture: FilesFixture
let path: string

beforeAll(async () => {
  fixture = await openFilesFixture()
  path = `/api/v1/organizations/${fixture.project.organizationId}`
})

afterAll(() => fixture.stop())

const call = (rest: string, method = 'GET', body?: unknown, token = fixture.token) =>
  fixture.server.call(`${path}${rest}`, { method, token, ...(body !== undefined && { body }) })
const make = (name = 'Website') =>
  createProject(fixture.server.client, { organizationId: fixture.project.organizationId, name })
const load = (widgetKey: string) => fetch(`${fixture.server.url}/e/${widgetKey}.js`).then((reply) => reply.text())

describe('PATCH …/projects/{projectId} with archived', () => {
  it('ends the widget and new feedback, keeps what there is, and is undone', async () => {
    const { id, widgetKey } = await make()
    const first = await submit(fixture.server, widgetKey, makeSubmission())
    expect(first.status).toBe(201)
    expect(await load(widgetKey)).not.toContain('archived')

    const archived = (await (await call(`/projects/${id}`, 'PATCH', { archived: true })).json()) as Project
    expect(archived.archivedAt).toMatch(/Z$/)
    const again = (await (await call(`/projects/${id}`, 'PATCH', { archived: true })).json()) as Project
    expect(again.archivedAt).toBe(archived.archivedAt)
    await eventually(() => load(widgetKey)).toContain('this project is archived')

    const refused = await submit(fixture.server, widgetKey, makeSubmission())
    expect(refused.status).toBe(410)
    expect(await refused.json()).toMatchObject({
      code: 'project_archived',
      title: 'This website doesn’t accept feedback at the moment.',
    })
    await expect(sendFile(fixture.server, widgetKey, { kind: 'screenshot', bytes: makePng() })).rejects.toThrow('410')
    const own = await fetch(`${fixture.server.url}/e/${widgetKey}/items`, {
      headers: { 'x-visitor-key': 'AAAAAAAAAAAAAAAAAAAAAA' },
    })
    expect(own.status).toBe(200)
    const inbox = (await (await call(`/feedback?projectId=${id}`)).json()) as { items: unknown[] }
    expect(inbox.items).toHaveLength(1)

    await call(`/projects/${id}`, 'PATCH', { archived: false })
    await eventually(() => load(widgetKey)).not.toContain('archived')
    expect((await submit(fixture.server, widgetKey, makeSubmission())).status).toBe(201)
  })
})

describe('PATCH …/projects/{projectId} with retentionDays', () => {
  it.each([0, -1, 3651, 1.5, '90'])('refuses %j', async (retentionDays) => {
    const { id } = await make()
    const reply = await call(`/projects/${id}`, 'PATCH', { retentionDays })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.retentionDays' }] })
  })

  it('is kept, noted and taken back', async () => {
    const { id } = await make()
    expect(await (await call(`/projects/${id}`, 'PATCH', { retentionDays: 90 })).json()).toMatchObject({
      retentionDays: 90,
    })
    expect(await (await call(`/projects/${id}`, 'PATCH', { retentionDays: null })).json()).toMatchObject({
      retentionDays: null,
    })
    const listEntries = () =>
      fixture.server.client.query('select before, after from audit_log where target_id = $1 order by created_at', [id])
    await eventually(async () => (await listEntries()).rows).toEqual([
      { before: { retentionDays: null }, after: { retentionDays: 90 } },
      { before: { retentionDays: 90 }, after: { retentionDays: null } },
    ])
  })
})

describe('GET …/projects/{projectId}/contents', () => {
  it('counts what would be lost, and what is older than some days', async () => {
    const { id, widgetKey } = await make()
    const { organizationId } = fixture.project
    const dayMs = 24 * 3_600_000
    for (const days of [1, 20, 40]) {
      await createFeedback(fixture.server.client, {
        organizationId,
        projectId: id,
        createdAt: new Date(Date.now() - days * dayMs),
      })
    }
    const bytes = makePng()
    await sendFile(fixture.server, widgetKey, { kind: 'screenshot', bytes })
    expect(await (await call(`/projects/${id}/contents`)).json()).toEqual({
      items: 3,
      files: 1,
      fileBytes: bytes.length,
      olderItems: null,
      limit: 10_000,
    })
    expect(await (await call(`/projects/${id}/contents?olderThanDays=20`)).json()).toMatchObject({ olderItems: 2 })
    expect(await (await call(`/projects/${id}/contents?olderThanDays=41`)).json()).toMatchObject({ olderItems: 0 })
  })
})

describe('DELETE …/projects/{projectId}', () => {
  it('wants the name, and changes nothing without it', async () => {
    const { id } = await make('The Shop')
    for (const name of ['the shop', 'Shop', 'The Shop!']) {
      const reply = await call(`/projects/${id}`, 'DELETE', { name })
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({ fields: [{ path: 'body.name' }] })
    }
    expect((await call(`/projects/${id}`)).status).toBe(200)
  })

  it('is for owners alone, and for their own projects', async () => {
    const { id } = await make('The Shop')
    const { organizationId } = fixture.project
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const token = await fixture.server.signIn(await createMember(fixture.server.client, { organizationId, role }))
      expect((await call(`/projects/${id}`, 'DELETE', { name: 'The Shop' }, token)).status).toBe(403)
      expect((await call(`/projects/${id}/contents`, 'GET', undefined, token)).status).toBe(403)
    }
    const stranger = await createUser(fixture.server.client)
    const foreign = await createProject(fixture.server.client, { organizationId: stranger.organizationId ?? '' })
    expect((await call(`/projects/${foreign.id}`, 'DELETE', { name: 'Website' })).status).toBe(404)
  })

  it('hides the project from everyone at once, and deletes its rows and files soon', async () => {
    const { server } = fixture
    const { id, widgetKey, domain } = await make('Doomed')
    const bytes = makePng(50, 50)
    const fileId = await sendFile(server, widgetKey, { kind: 'screenshot', bytes })
    // Sent, and never announced by an item.
    await sendFile(server, widgetKey, { kind: 'screenshot', bytes })
    const attachments = [{ id: fileId, kind: 'screenshot' }]
    const sent = makeSubmission({ attachments, email: 'Canary@Example.com', name: 'Canary' })
    expect((await submit(server, widgetKey, sent)).status).toBe(201)
    await fixture.settle(sent.id)
    await eventually(async () => (await fixture.listStored(fileId)).length).toBeGreaterThan(0)
    await eventually(() => countAll('visitors')).toBe(1)
    const keys = await server.client.query<{ storage_key: string }>(
      'select storage_key from uploads where project_id = $1',
      [id],
    )
    expect(keys.rows).toHaveLength(2)

    expect((await call(`/projects/${id}`, 'DELETE', { name: 'Doomed' })).status).toBe(204)
    expect((await call(`/projects/${id}`)).status).toBe(404)
    expect((await call(`/feedback/${sent.id}`)).status).toBe(404)
    expect(JSON.stringify(await (await call('/projects')).json())).not.toContain(id)
    expect(JSON.stringify(await (await call('/feedback?limit=100')).json())).not.toContain(sent.id)
    expect((await call(`/projects/${id}/widget`)).status).toBe(404)
    await eventually(() => load(widgetKey)).toContain('unknown widget key')
    expect((await submit(server, widgetKey, makeSubmission())).status).toBe(404)
    // A retry after a lost answer; the domain is free.
    expect((await call(`/projects/${id}`, 'DELETE', { name: 'Doomed' })).status).toBe(404)
    expect((await call('/projects', 'POST', { name: 'Next', domain })).status).toBe(201)

    await eventually(async () => (await server.client.query('select from projects where id = $1', [id])).rowCount).toBe(
      0,
    )
    for (const table of ['feedback', 'uploads', 'feedback_attachments', 'widgets', 'project_counters']) {
      const column = table === 'feedback_attachments' ? 'feedback_id' : 'project_id'
      const { rowCount } = await server.client.query(`select from ${table} where ${column} in ($1, $2)`, [id, sent.id])
      expect([table, rowCount]).toEqual([table, 0])
    }
    await eventually(() => countAll('visitors')).toBe(0)
    await eventually(async () => (await server.client.query('select from app.removed_files')).rowCount).toBe(0)
    const { readdir } = await import('node:fs/promises')
    const stored = (await readdir(`${fixture.dataDir}/files`, { recursive: true })).join(' ')
    for (const { storage_key } of keys.rows) expect(stored).not.toContain(storage_key.split('/')[1])
    const listEntries = () =>
      server.client.query('select action, after from audit_log where target_id = $1 order by created_at, id', [id])
    await eventually(async () => (await listEntries()).rows).toEqual([
      { action: 'project.deleted', after: { domain, items: 1 } },
      { action: 'project.removed', after: { items: 1, files: 2 } },
    ])
  })

  const countAll = async (table: string) => (await fixture.server.client.query(`select from ${table}`)).rowCount

  it('hides what a large project held until all of it is gone', async () => {
    const { server } = fixture
    const { organizationId } = fixture.project
    const { id } = await make('Large')
    const item = await createFeedback(server.client, {
      organizationId,
      projectId: id,
      message: `hidden ${randomUUID()}`,
    })
    // As it is while the job has not come to it.
    await server.client.query(`update projects set deleted_at = now() where id = $1`, [id])
    expect((await call(`/feedback/${item.id}`)).status).toBe(404)
    expect(JSON.stringify(await (await call('/feedback?limit=100')).json())).not.toContain(item.id)
    const change = await call(`/feedback/${item.id}`, 'PATCH', { status: 'open' })
    expect(change.status).toBe(404)
    expect(JSON.stringify(await (await call('/feedback?q=hidden')).json())).not.toContain(item.id)
  })
})

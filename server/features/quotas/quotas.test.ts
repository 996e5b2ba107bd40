import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Export } from '#contract/exports.ts'
import type { StorageUsage } from '#contract/quotas.ts'
import { createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { makeSubmission, submit } from '#server/testing/visitor.ts'

const gigabyte = 1_000_000_000
const moreThanAnyDisk = '1000000000'

/** The code and status of a refusal, or the status alone. */
async function outcomeOf(reply: Response): Promise<unknown> {
  if (reply.ok) return reply.status
  const { code } = (await reply.json()) as { code: string }
  return [reply.status, code, reply.headers.get('retry-after')]
}

/** Announces a file as a visitor's browser does. */
function announce(server: TestServer, widgetKey: string, bytes: number): Promise<Response> {
  const encode = (text: string) => Buffer.from(text).toString('base64')
  return fetch(`${server.url}/e/${widgetKey}/uploads`, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(bytes),
      'upload-metadata': `id ${encode(randomUUID())},kind ${encode('screenshot')}`,
    },
  })
}

describe('a disk that fills up', () => {
  it.each<[string, Record<string, string>, (number | 'refused')[]]>([
    ['exports and imports first', { DISK_FLOOR_TRANSFER_MEGABYTES: moreThanAnyDisk }, ['refused', 'refused', 201, 201]],
    [
      'then uploads',
      { DISK_FLOOR_TRANSFER_MEGABYTES: moreThanAnyDisk, DISK_FLOOR_UPLOAD_MEGABYTES: moreThanAnyDisk },
      ['refused', 'refused', 'refused', 201],
    ],
    [
      'submissions last',
      {
        DISK_FLOOR_TRANSFER_MEGABYTES: moreThanAnyDisk,
        DISK_FLOOR_UPLOAD_MEGABYTES: moreThanAnyDisk,
        DISK_FLOOR_SUBMISSION_MEGABYTES: moreThanAnyDisk,
      },
      ['refused', 'refused', 'refused', 'refused'],
    ],
  ])('refuses %s', async (_what, env, expected) => {
    const server = await startTestServer(env)
    try {
      const owner = await createUser(server.client)
      const organizationId = owner.organizationId ?? ''
      const token = await server.signIn(owner)
      const { id: projectId, widgetKey } = await createProject(server.client, { organizationId })
      const post = (path: string, body: unknown) =>
        server.call(`/api/v1/organizations/${organizationId}${path}`, { token, body })
      const replies = [
        await post('/exports', { id: randomUUID(), format: 'csv', selection: {} }),
        await post('/imports', { id: randomUUID(), projectId, name: 'a.csv' }),
        await announce(server, widgetKey, 1_000),
        await submit(server, widgetKey, makeSubmission({})),
      ]
      const refused = [507, 'disk_nearly_full', '60']
      expect(await Promise.all(replies.map(outcomeOf))).toEqual(
        expected.map((each) => (each === 'refused' ? refused : each)),
      )
      expect(server.logLines.filter((line) => line.includes('disk is nearly full'))).toHaveLength(1)
      expect(server.logLines.some((line) => line.includes('"level":"error"'))).toBe(false)
    } finally {
      await server.stop()
    }
  })
})

it('ends an export while the disk fills up, and says why', async () => {
  const server = await startTestServer({ SERVICES: 'web,worker', DISK_FLOOR_TRANSFER_MEGABYTES: moreThanAnyDisk })
  try {
    const owner = await createUser(server.client)
    const token = await server.signIn(owner)
    const id = randomUUID()
    // Admitted while there was room.
    await server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection) values ($1, $2, $3, 'csv', '{}')`,
      [owner.organizationId, id, owner.id],
    )
    await server.client.query(`select app.enqueue_in_turn('write_export', $1, 'x')`, [
      JSON.stringify({ organizationId: owner.organizationId, id }),
    ])
    const read = async () =>
      (await (
        await server.call(`/api/v1/organizations/${owner.organizationId}/exports/${id}`, { token })
      ).json()) as Export
    await eventually(read).toMatchObject({
      state: 'failed',
      note: 'The server is low on disk space. Please try again later.',
    })
  } finally {
    await server.stop()
  }
})

describe('limits of an organisation', () => {
  let fixture: FilesFixture
  let base: string

  beforeAll(async () => {
    fixture = await openFilesFixture({
      QUOTA_EXPORTS: '2',
      QUOTA_EXPORT_GIGABYTES: '1',
      QUOTA_FILE_GIGABYTES: '3',
      QUOTA_PROJECT_FILE_GIGABYTES: '2',
    })
    base = `/api/v1/organizations/${fixture.project.organizationId}`
  })
  afterAll(() => fixture.stop())

  const call = (path: string, options: { method?: string; body?: unknown; token?: string } = {}) =>
    fixture.server.call(base + path, { token: fixture.token, ...options })
  const readUsage = async () => (await (await call('/storage')).json()) as StorageUsage
  const readExport = async (id: string) => (await (await call(`/exports/${id}`)).json()) as Export
  const startExport = async (id: string = randomUUID()) => ({
    id,
    reply: await call('/exports', { body: { id, format: 'json', selection: {} } }),
  })
  const setBytes = (id: string, bytes: number) =>
    fixture.server.client.query(`update exports set bytes = $2 where id = $1`, [id, bytes])

  it('counts exports, says what to do, and has room again after a deletion', async () => {
    const first = await startExport()
    const second = await startExport()
    expect([first.reply.status, second.reply.status]).toEqual([201, 201])
    const third = await startExport()
    expect(third.reply.status).toBe(507)
    expect(await third.reply.json()).toMatchObject({
      code: 'export_quota_reached',
      detail: 'Your organisation keeps 2 exports, which is its limit. Delete one to make room.',
    })
    // A retry whose answer was lost takes no more room.
    expect((await startExport(first.id)).reply.status).toBe(200)
    await eventually(async () => (await readExport(second.id)).state).toBe('ready')
    await call(`/exports/${first.id}`, { method: 'DELETE' })
    await setBytes(second.id, gigabyte)
    expect(await (await startExport()).reply.json()).toMatchObject({
      code: 'export_quota_reached',
      detail: 'The exports of your organisation use 1 GB, which is their limit. Delete one to make room.',
    })
    expect((await readUsage()).exports).toEqual({ count: 1, maxCount: 2, usedBytes: gigabyte, limitBytes: gigabyte })
    await call(`/exports/${second.id}`, { method: 'DELETE' })
  })

  it('ends an export that grows beyond them, says why, and keeps no bytes of it', async () => {
    await submit(fixture.server, fixture.project.widgetKey, makeSubmission({ message: 'Words to write. '.repeat(50) }))
    const other = await startExport()
    await eventually(async () => (await readExport(other.id)).state).toBe('ready')
    await setBytes(other.id, gigabyte - 10)
    const { id } = await startExport()
    await eventually(async () => (await readExport(id)).state).toBe('failed')
    expect((await readExport(id)).note).toBe(
      'It would exceed the limit for exports. Delete an export, or select fewer items.',
    )
    const { rows } = await fixture.server.client.query('select storage_key, attempts from exports where id = $1', [id])
    expect(rows).toEqual([{ storage_key: null, attempts: 1 }])
  })

  it('are shown with what is used, by project', async () => {
    const { project, server } = fixture
    const bytes = makePng(20, 20)
    await sendFile(server, project.widgetKey, { kind: 'screenshot', bytes, name: 'a.png' })
    expect((await readUsage()).files).toEqual({
      usedBytes: bytes.length,
      limitBytes: 3 * gigabyte,
      projectLimitBytes: 2 * gigabyte,
      count: 1,
      projects: [{ projectId: project.id, name: 'Website', usedBytes: bytes.length, count: 1 }],
    })
    // A converted recording, and its poster.
    await server.client.query('update uploads set derived_bytes = 5000 where project_id = $1', [project.id])
    expect((await readUsage()).files).toMatchObject({ usedBytes: bytes.length + 5_000, count: 1 })
    await server.client.query('update uploads set derived_bytes = 0 where project_id = $1', [project.id])
    const stranger = await server.signIn(await createUser(server.client))
    expect((await call('/storage', { token: stranger })).status).toBe(404)
  })

  it('refuse files of a full project, then of a full organisation, while text is stored', async () => {
    const owner = await createUser(fixture.server.client)
    const organizationId = owner.organizationId ?? ''
    const [full, other] = [
      await createProject(fixture.server.client, { organizationId }),
      await createProject(fixture.server.client, { organizationId }),
    ]
    const fill = (projectId: string, size: number) =>
      fixture.server.client.query(
        `insert into uploads (organization_id, id, project_id, kind, storage_key, bytes)
         values ($1, gen_random_uuid(), $2, 'file', gen_random_uuid() || '/' || gen_random_uuid(), $3)`,
        [organizationId, projectId, size],
      )
    await fill(full.id, 2 * gigabyte - 1_000)
    expect(await outcomeOf(await announce(fixture.server, full.widgetKey, 1_001))).toEqual([
      507,
      'file_quota_reached',
      '3600',
    ])
    expect(await outcomeOf(await announce(fixture.server, full.widgetKey, 1_000))).toBe(201)
    expect(await outcomeOf(await announce(fixture.server, other.widgetKey, 1_001))).toBe(201)
    expect((await submit(fixture.server, full.widgetKey, makeSubmission({}))).status).toBe(201)

    const second = await createUser(fixture.server.client)
    const inSecond = { organizationId: second.organizationId ?? '' }
    const [a, b] = [
      await createProject(fixture.server.client, inSecond),
      await createProject(fixture.server.client, inSecond),
    ]
    for (const { id } of [a, b]) {
      await fixture.server.client.query(
        `insert into uploads (organization_id, id, project_id, kind, storage_key, bytes)
         values ($1, gen_random_uuid(), $2, 'file', gen_random_uuid() || '/' || gen_random_uuid(), 1500000000)`,
        [inSecond.organizationId, id],
      )
    }
    expect(await outcomeOf(await announce(fixture.server, b.widgetKey, 1_000))).toEqual([
      507,
      'file_quota_reached',
      '3600',
    ])
  })

  it('bound the files of imports that wait', async () => {
    const { organizationId, id: projectId } = fixture.project
    await fixture.server.client.query(
      `insert into imports (organization_id, id, project_id, created_by, name, state, storage_key)
       select $1, gen_random_uuid(), $2, gen_random_uuid(), 'x', 'uploaded', gen_random_uuid() || '/' || gen_random_uuid()
       from generate_series(1, 20)`,
      [organizationId, projectId],
    )
    const refused = await call('/imports', { body: { id: randomUUID(), projectId, name: 'a.csv' } })
    expect(await outcomeOf(refused)).toEqual([507, 'import_quota_reached', null])
  })
})

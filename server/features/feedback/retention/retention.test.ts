import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { createLog } from '#server/platform/log/log.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { sendFile } from '#server/testing/uploads.ts'
import { sweepWords, wordSlices } from './sweep-words.ts'

let fixture: FilesFixture
let path: string
let organizationId: string
const dayMs = 24 * 3_600_000

beforeAll(async () => {
  fixture = await openFilesFixture()
  organizationId = fixture.project.organizationId
  path = `/api/v1/organizations/${organizationId}`
})

afterAll(() => fixture.stop())

const call = (rest: string, method = 'GET', body?: unknown, token = fixture.token) =>
  fixture.server.call(`${path}${rest}`, { method, token, ...(body !== undefined && { body }) })
const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await fixture.server.client.query<T>(text, values)).rows
/** Runs a nightly job now, as the worker does. */
const runNow = (name: string) => query(`select graphile_worker.add_job($1, '{}'::json)`, [name])
const make = (projectId: string, daysAgo = 0) =>
  createFeedback(fixture.server.client, {
    organizationId,
    projectId,
    createdAt: new Date(Date.now() - daysAgo * dayMs),
  })
const throwAway = (id: string, daysAgo: number) =>
  query(`update feedback set deleted_at = now() - make_interval(days => $2) where id = $1`, [id, daysAgo])
const isThere = async (id: string) => (await query('select from feedback where id = $1', [id])).length === 1
/** A project's counter, and its number of items. */
const count = async (projectId: string) =>
  (
    await query<{ counted: string; held: string }>(
      `select c.feedback_count as counted, (select count(*) from feedback where project_id = $1) as held
       from project_counters c where c.project_id = $1`,
      [projectId],
    )
  )[0]

describe('known words', () => {
  it('are deleted within a week after the last item that contains them', async () => {
    const { id: projectId } = await createProject(fixture.server.client, { organizationId })
    const gone = await createFeedback(fixture.server.client, {
      organizationId,
      projectId,
      message: 'quixotic wardrobes',
    })
    const kept = await createFeedback(fixture.server.client, { organizationId, projectId, message: 'wooden wardrobes' })
    await query('select app.learn_words($1, $2::uuid[])', [organizationId, [gone.id, kept.id]])
    const known = async () =>
      (
        await query<{ word: string }>(
          `select word from feedback_words where organization_id = $1 and word in ('quixotic', 'wardrobes') order by 1`,
          [organizationId],
        )
      ).map(({ word }) => word)
    expect(await known()).toEqual(['quixotic', 'wardrobes'])
    await throwAway(gone.id, 0)
    await call('/feedback/trash/empty', 'POST', {})
    // The sweep finds by the audit log from where items were removed.
    const removals = `select from audit_log where organization_id = $1 and action = 'feedback.trash_emptied'`
    await eventually(() => query(removals, [organizationId])).toHaveLength(1)
    const log = createLog({ level: 'silent' })
    const database = openDatabase({ url: fixture.server.databaseUrl, log, maxConnections: 2 })
    for (let slice = 0; slice < wordSlices; slice += 1) await sweepWords(database, slice)
    await database.close()
    expect(await known()).toEqual(['wardrobes'])
  })
})

describe('trash', () => {
  it('is permanently deleted after thirty days, with files and duplicates, and not before', async () => {
    const { server } = fixture
    const { id: projectId, widgetKey } = await createProject(server.client, { organizationId })
    const [old, recent, duplicate, kept] = [
      await make(projectId),
      await make(projectId),
      await make(projectId),
      await make(projectId),
    ]
    const fileId = await sendFile(server, widgetKey, { kind: 'screenshot', bytes: makePng() })
    await query(
      `insert into feedback_attachments (organization_id, id, feedback_id, kind) values ($1, $2, $3, 'screenshot')`,
      [organizationId, fileId, old.id],
    )
    const [upload] = await query<{ storage_key: string }>('select storage_key from uploads where id = $1', [fileId])
    await query('update feedback set merged_into = $1 where id = $2', [old.id, duplicate.id])
    await throwAway(old.id, 31)
    await throwAway(recent.id, 29)
    await runNow('expire_trash')
    await eventually(() => isThere(old.id)).toBe(false)
    expect(await isThere(duplicate.id)).toBe(false)
    expect(await isThere(recent.id)).toBe(true)
    expect(await isThere(kept.id)).toBe(true)
    expect(await count(projectId)).toEqual({ counted: '2', held: '2' })
    const stored = join(fixture.dataDir, 'files', upload?.storage_key ?? '')
    await eventually(() => readFile(stored).catch(({ code }) => code)).toBe('ENOENT')
    await eventually(() =>
      query(
        `select actor_user_id, after from audit_log where organization_id = $1 and action = 'feedback.trash_expired'`,
        [organizationId],
      ),
    ).toEqual([{ actor_user_id: null, after: { items: 2, files: 1 } }])
  })
})

describe('retention', () => {
  it('deletes items older than the project’s retention, in any location, and audits how many', async () => {
    const { server } = fixture
    const strict = await createProject(server.client, { organizationId })
    const lenient = await createProject(server.client, { organizationId })
    const ages = [100, 31, 29, 0]
    const own: { id: string }[] = []
    for (const age of ages) own.push(await make(strict.id, age))
    const others = [await make(lenient.id, 100)]
    await query(`update feedback set status = 'resolved' where id = $1`, [own[0]?.id])
    await query(`update feedback set spam_reason = 'marked' where id = $1`, [own[1]?.id])
    await call(`/projects/${strict.id}`, 'PATCH', { retentionDays: 30 })
    await runNow('apply_retention')
    await eventually(async () => (await count(strict.id))?.held).toBe('2')
    expect(await count(strict.id)).toEqual({ counted: '2', held: '2' })
    for (const { id } of [...own.slice(2), ...others]) expect(await isThere(id)).toBe(true)
    const lines = () =>
      query(`select after from audit_log where target_id = $1 and action = 'project.retention_applied'`, [strict.id])
    await eventually(lines).toEqual([{ after: { days: 30, items: 2, files: 0 } }])
    // A second run deletes nothing and audits nothing.
    await runNow('apply_retention')
    await eventually(() => query(`select from graphile_worker.jobs where task_identifier = 'apply_retention'`)).toEqual(
      [],
    )
    expect(await lines()).toHaveLength(1)
  })

  it('deletes many items, a few hundred at a time', async () => {
    const { id: projectId } = await createProject(fixture.server.client, { organizationId })
    await query(
      `insert into feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash, created_at)
       select $1, gen_random_uuid(), $2, n, 'bug', 'widget', 'Old', 'https://example.com/', sha256('x'),
         now() - case when n % 3 = 0 then interval '1 day' else interval '400 days' end
       from generate_series(1, 1800) as n`,
      [organizationId, projectId],
    )
    await query('update project_counters set feedback_count = 1800, last_number = 1800 where project_id = $1', [
      projectId,
    ])
    await call(`/projects/${projectId}`, 'PATCH', { retentionDays: 365 })
    await runNow('apply_retention')
    await eventually(() => count(projectId)).toEqual({ counted: '600', held: '600' })
  })
})

describe('POST …/feedback/trash/empty', () => {
  it('removes the given items that are in the trash, and keeps the others', async () => {
    const { id: projectId } = await createProject(fixture.server.client, { organizationId })
    const [trashed, untouched, notTrash] = [await make(projectId), await make(projectId), await make(projectId)]
    await throwAway(trashed.id, 0)
    await throwAway(untouched.id, 0)
    const empty = () => call('/feedback/trash/empty', 'POST', { ids: [trashed.id, notTrash.id] })
    expect(await (await empty()).json()).toEqual({ removed: 1, isComplete: true })
    expect(await (await empty()).json()).toEqual({ removed: 0, isComplete: true })
    expect(await isThere(trashed.id)).toBe(false)
    expect(await isThere(untouched.id)).toBe(true)
    expect(await isThere(notTrash.id)).toBe(true)
    expect((await call(`/feedback/${trashed.id}`)).status).toBe(404)
  })

  it('empties all of it, for any member, and audits who did', async () => {
    const { server } = fixture
    const { id: projectId } = await createProject(server.client, { organizationId })
    await query(
      `insert into feedback (organization_id, id, project_id, number, type, source, message, page_url, content_hash, deleted_at)
       select $1, gen_random_uuid(), $2, n, 'bug', 'widget', 'Old', 'https://example.com/', sha256('x'), now()
       from generate_series(1, 1200) as n`,
      [organizationId, projectId],
    )
    await query('update project_counters set feedback_count = 1200 where project_id = $1', [projectId])
    const stranger = await createUser(server.client)
    const foreign = await createProject(server.client, { organizationId: stranger.organizationId ?? '' })
    const theirs = await createFeedback(server.client, {
      organizationId: stranger.organizationId ?? '',
      projectId: foreign.id,
    })
    await throwAway(theirs.id, 0)
    const viewer = await createMember(server.client, { organizationId, role: 'viewer' })
    const reply = await call('/feedback/trash/empty', 'POST', {}, await server.signIn(viewer))
    expect(reply.status).toBe(200)
    await eventually(() => count(projectId)).toEqual({ counted: '0', held: '0' })
    expect(await isThere(theirs.id)).toBe(true)
    const countEmptied = async () => {
      const [line] = await query<{ after: { items: number } }>(
        `select after from audit_log where actor_user_id = $1 and action = 'feedback.trash_emptied'`,
        [viewer.id],
      )
      return line?.after.items ?? 0
    }
    await eventually(countEmptied).toBeGreaterThan(0)
  })
})

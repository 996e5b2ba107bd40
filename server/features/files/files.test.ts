import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { sendFile } from '#server/testing/uploads.ts'

/* From what a visitor sends to what the team sees, and to where nothing of it is left. */
let fixture: FilesFixture
beforeAll(async () => {
  fixture = await openFilesFixture()
})
afterAll(() => fixture.stop())

describe('an attachment', () => {
  it('is announced, arrives, is looked at and shown, before or after its item', async () => {
    const bytes = makePng()
    const late = randomUUID()
    const early = await sendFile(fixture.server, fixture.project.widgetKey, {
      kind: 'screenshot',
      bytes,
      name: 'page.png',
    })
    const feedbackId = await fixture.submit([
      { id: late, kind: 'file', name: 'later.txt' },
      { id: early, kind: 'screenshot', missing: ['canvas'] },
    ])
    await eventually(async () => (await fixture.readItem(feedbackId)).attachments[1]?.state).toBe('ready')
    const [pending, ready] = (await fixture.readItem(feedbackId)).attachments
    expect(pending).toMatchObject({ id: late, name: 'later.txt', state: 'pending', url: null, mime: null, missing: [] })
    expect(ready).toMatchObject({
      id: early,
      kind: 'screenshot',
      name: 'page.png',
      state: 'ready',
      note: null,
      mime: 'image/png',
      bytes: bytes.length,
      width: 40,
      height: 30,
      missing: ['canvas'],
    })
    const shown = await fetch(fixture.server.url + ready?.url)
    expect(Buffer.from(await shown.arrayBuffer()).equals(bytes)).toBe(true)
    // The same URL again, so that browsers use their cache.
    expect((await fixture.readItem(feedbackId)).attachments[1]?.url).toBe(ready?.url)
  })

  it('is announced to members who have the item open', async () => {
    const id = await sendFile(fixture.server, fixture.project.widgetKey, { kind: 'screenshot', bytes: makePng() })
    const notices: string[] = []
    await fixture.server.client.query('listen events')
    fixture.server.client.on('notification', ({ payload }) => notices.push(payload ?? ''))
    const later = await fixture.submit([{ id: randomUUID(), kind: 'file' }])
    const feedbackId = await fixture.submit([{ id, kind: 'screenshot' }])
    await fixture.settle(feedbackId)
    await fixture.server.client.query(`update uploads set state = 'processing', completed_at = now() where id = $1`, [
      id,
    ])
    await addJob('process_upload', { organizationId: fixture.project.organizationId, id })
    await eventually(() =>
      notices.some((notice) => notice.includes('feedback.files_changed') && notice.includes(feedbackId)),
    ).toBe(true)
    expect(notices.some((notice) => notice.includes('feedback.files_changed') && notice.includes(later))).toBe(false)
    await fixture.server.client.query('unlisten events')
  })

  it('stays unclaimed when another project’s item announces it', async () => {
    const id = await sendFile(fixture.server, fixture.project.widgetKey, { kind: 'screenshot', bytes: makePng() })
    const other = await createProject(fixture.server.client, { organizationId: fixture.project.organizationId })
    const item = randomUUID()
    await fetch(`${fixture.server.url}/e/${other.widgetKey}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id: item,
        type: 'bug',
        message: 'Mine?',
        page: { url: 'https://shop.example/' },
        guard: { elapsedMs: 20_000 },
        attachments: [{ id, kind: 'screenshot' }],
      }),
    })
    expect((await fixture.readItem(item)).attachments).toMatchObject([{ id, state: 'pending', url: null }])
  })
})

async function addJob(name: string, payload: object = {}): Promise<void> {
  await fixture.server.client.query('select graphile_worker.add_job($1, $2::json)', [name, JSON.stringify(payload)])
}

/** Runs a job and waits until none of its name is left. */
async function runJob(name: string, payload: object = {}): Promise<void> {
  await addJob(name, payload)
  await waitForJobs(name, 'process_upload', 'remove_files')
}

async function waitForJobs(...names: string[]): Promise<void> {
  await expect
    .poll(
      async () => {
        const { rows } = await fixture.server.client.query(
          'select from graphile_worker.jobs where task_identifier = any ($1)',
          [names],
        )
        return rows.length
      },
      { timeout: 10_000 },
    )
    .toBe(0)
}

/** Files whose bytes are still to go. */
async function countRemoved(): Promise<number> {
  return (await fixture.server.client.query('select from app.removed_files')).rows.length
}

describe('a file that is no longer needed', () => {
  async function age(id: string, interval: string): Promise<void> {
    await fixture.server.client.query('update uploads set created_at = now() - $2::interval where id = $1', [
      id,
      interval,
    ])
  }

  async function isThere(id: string): Promise<boolean> {
    return (await fixture.server.client.query('select from uploads where id = $1', [id])).rows.length > 0
  }

  it('is swept when no item has claimed it for a day, and its bytes with it', async () => {
    const files = { kind: 'screenshot', bytes: makePng() } as const
    const [old, young, claimed] = await Promise.all(
      [0, 1, 2].map(() => sendFile(fixture.server, fixture.project.widgetKey, files)),
    )
    if (!old || !young || !claimed) throw new Error('not sent')
    await fixture.settle(await fixture.submit([{ id: claimed, kind: 'screenshot' }]))
    await age(old, '25 hours')
    await age(claimed, '25 hours')
    await age(young, '23 hours')
    const { rows } = await fixture.server.client.query('select storage_key from uploads where id = $1', [old])
    // The sweep passes over a row that a check is just writing, and takes it an hour later.
    await waitForJobs('process_upload')
    await runJob('sweep_uploads')
    expect(await isThere(old)).toBe(false)
    expect(await isThere(young)).toBe(true)
    expect(await isThere(claimed)).toBe(true)
    const path = join(fixture.dataDir, 'files', rows[0].storage_key)
    await eventually(() =>
      access(path).then(
        () => 'there',
        () => 'gone',
      ),
    ).toBe('gone')
    await eventually(countRemoved).toBe(0)
    expect(await fixture.listStored(claimed)).toHaveLength(1)
  })

  it('goes with its item', async () => {
    const attachment = await fixture.attach({ kind: 'screenshot', bytes: makePng() })
    const address = fixture.server.url + attachment.url
    expect((await fetch(address)).status).toBe(200)
    const [folder] = await readdir(join(fixture.dataDir, 'files'))
    const before = await readdir(join(fixture.dataDir, 'files', folder ?? ''))
    const { rows } = await fixture.server.client.query(
      'delete from feedback f using feedback_attachments a where a.id = $1 and f.id = a.feedback_id returning f.id',
      [attachment.id],
    )
    expect(rows).toHaveLength(1)
    expect((await fetch(address)).status).toBe(404)
    await eventually(async () => (await readdir(join(fixture.dataDir, 'files', folder ?? ''))).length).toBe(
      before.length - 1,
    )
    await eventually(countRemoved).toBe(0)
  })

  it('keeps its bytes while a backup runs, which may have read its row', async () => {
    const { client } = fixture.server
    const id = await sendFile(fixture.server, fixture.project.widgetKey, {
      kind: 'file',
      bytes: makePng(),
      name: 'a.png',
    })
    await waitForJobs('process_upload')
    // As server/features/backup/rows/snapshot.ts takes it.
    await client.query('select pg_advisory_lock(7305211847)')
    await client.query('delete from uploads where id = $1', [id])
    await waitForJobs('remove_files')
    expect(await countRemoved()).toBe(1)
    await client.query('select pg_advisory_unlock(7305211847)')
    await runJob('remove_files')
    expect(await countRemoved()).toBe(0)
  })

  it('goes with its project', async () => {
    const owner = await createUser(fixture.server.client)
    const organizationId = owner.organizationId ?? ''
    const doomed = await createProject(fixture.server.client, { organizationId })
    for (let index = 0; index < 3; index += 1) {
      await sendFile(fixture.server, doomed.widgetKey, { kind: 'screenshot', bytes: makePng() })
    }
    const folder = join(fixture.dataDir, 'files', organizationId)
    expect(await readdir(folder)).toHaveLength(3)
    await fixture.server.client.query('delete from projects where id = $1', [doomed.id])
    await eventually(() => readdir(folder)).toEqual([])
  })

  it('is ended after a week of waiting: half a recording is shown, half of another file is not', async () => {
    const begin = async (kind: string, bytes: string) => {
      const id = randomUUID()
      const encode = (value: string) => Buffer.from(value).toString('base64')
      await fetch(`${fixture.server.url}/e/${fixture.project.widgetKey}/uploads`, {
        method: 'POST',
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-length': '1000',
          'upload-metadata': `id ${encode(id)},kind ${encode(kind)}`,
        },
        body: bytes,
      })
      await fixture.submit([{ id, kind }])
      await age(id, '8 days')
      return id
    }
    const voice = await begin('voice', 'ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0000')
    const picture_ = await begin('screenshot', 'half')
    await runJob('sweep_uploads')
    const read = async (id: string) =>
      (await fixture.server.client.query('select state, note from uploads where id = $1', [id])).rows[0]
    expect(await read(picture_)).toEqual({ state: 'refused', note: 'It never arrived whole.' })
    expect((await read(voice)).state).not.toBe('receiving')
    await eventually(() => fixture.listStored(picture_)).toEqual([])
  })

  it('is found in the storage where no row knows it', async () => {
    const folderName = randomUUID()
    const folder = join(fixture.dataDir, 'files', folderName)
    await mkdir(folder, { recursive: true })
    const posted = randomUUID()
    await writeFile(join(folder, posted), 'x')
    await fixture.server.client.query(
      `insert into blog_pictures (id, mime, bytes, sha256, storage_key) values ($1, 'image/png', 1, sha256('x'), $2)`,
      [posted, `${folderName}/${posted}`],
    )
    const names = ['old', 'young'].map(() => randomUUID())
    for (const name of names) for (const file of [name, `${name}.mp4`]) await writeFile(join(folder, file), 'x')
    const longAgo = new Date(Date.now() - 8 * 24 * 3_600_000)
    await utimes(join(folder, names[0] ?? ''), longAgo, longAgo)
    await utimes(join(folder, `${names[0]}.mp4`), longAgo, longAgo)
    await utimes(join(folder, posted), longAgo, longAgo)
    const kept = await fixture.attach({ kind: 'screenshot', bytes: makePng() })
    await runJob('sweep_storage')
    expect((await readdir(folder)).sort()).toEqual([names[1] ?? '', `${names[1]}.mp4`, posted].sort())
    expect(await fixture.listStored(kept.id)).toHaveLength(1)
  })
})

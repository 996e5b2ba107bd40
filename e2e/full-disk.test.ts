import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exhaustWal, fillDisk } from '../bench/faults/disk-filled.ts'
import { resizeSmallDisk } from '../bench/faults/small-disk.ts'
import { type Stage, startStage } from '../bench/faults/stage.ts'
import { countLosses } from '../bench/faults/try-fault.ts'
import { runCommand } from '../bench/harness/run-command.ts'

/*
 * The disk with the database and the files is full, first for files only, then for the database too, whose log is on it.
 * Visitors and members go on all the time.
 */
const longestAnswerMs = 30_000
const kilobyte = 1024
/** The part of a recording that was sent before. */
const bytes = Buffer.alloc(600 * kilobyte, 'All of it. ')
const half = 300 * kilobyte

describe('a product on a full disk', () => {
  let stage: Stage
  let organization: string
  let apikey: string

  beforeAll(async () => {
    // With the usual floors, requests would be refused long before a write fails.
    stage = await startStage(1, {
      STOP_GRACE_SECONDS: '1',
      DISK_FLOOR_TRANSFER_MEGABYTES: '0',
      DISK_FLOOR_UPLOAD_MEGABYTES: '0',
      DISK_FLOOR_SUBMISSION_MEGABYTES: '0',
      LOG_LEVEL: 'warn',
    })
    organization = `/api/v1/organizations/${stage.tenant.organizationId}`
    apikey = ((await (await ask('/api/v1/config')).json()) as { supabaseAnonKey: string }).supabaseAnonKey
  }, 240_000)
  afterAll(() => stage?.stop(), 60_000)

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(stage.url + path, { ...init, signal: AbortSignal.timeout(longestAnswerMs) })
  const asOwner = (path: string, body?: object) =>
    ask(organization + path, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${stage.tenant.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const submit = (id: string) =>
    ask(`/e/${stage.tenant.widgetKey}/submissions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        id,
        type: 'bug',
        message: `Nothing happens. ${id}`,
        page: { url: 'https://shop.example/cart' },
        guard: { elapsedMs: 20_000 },
      }),
    })
  const comment = (id: string) =>
    asOwner(`/feedback/${stage.tenant.feedbackId}/comments`, { id, kind: 'note', text: `On a full disk ${id}` })
  const exportAll = (id: string) => asOwner('/exports', { id, format: 'csv', selection: {} })
  const tus = { 'tus-resumable': '1.0.0' }
  const beginUpload = (id: string) => {
    const encode = (text: string) => Buffer.from(text).toString('base64')
    const metadata = `id ${encode(id)},kind ${encode('file')},name ${encode('all.txt')}`
    const headers = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata }
    return ask(`/e/${stage.tenant.widgetKey}/uploads`, { method: 'POST', headers })
  }
  const upload = (id: string, part: Buffer, offset: number) =>
    ask(`/e/${stage.tenant.widgetKey}/uploads/${id}`, {
      method: 'PATCH',
      headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body: Uint8Array.from(part),
    })
  const readOffset = async (id: string) => {
    const reply = await ask(`/e/${stage.tenant.widgetKey}/uploads/${id}`, { method: 'HEAD', headers: tus })
    return Number(reply.headers.get('upload-offset'))
  }
  const signIn = () =>
    ask('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: stage.tenant.email, password: 'wrong' }),
    })
  const backUp = () => runCommand(['backup', '--quiet'], { DATA_DIR: stage.dataDir, DATABASE_URL: stage.databaseUrl() })
  const listArchives = () => readdir(join(stage.dataDir, 'backups')).catch(() => [])
  const readExport = async (id: string) =>
    (await (await asOwner(`/exports/${id}`)).json()) as { state: string; bytes: number; downloadUrl: string }

  const download = async (address: string) => {
    const { pathname, search } = new URL(address, stage.url)
    return (await ask(pathname + search)).arrayBuffer()
  }

  async function expectRefused(reply: Response): Promise<void> {
    const text = await reply.text()
    expect([503, 507], text).toContain(reply.status)
    expect(Number(reply.headers.get('retry-after')), text).toBeGreaterThan(0)
  }

  it('refuses with 503 or 507 and when to try again, keeps nothing half, and continues when there is room', async ({
    skip,
  }) => {
    if (!stage.isSmallDisk) skip('mounting a small file system takes root')
    const ids = {
      upload: randomUUID(),
      item: randomUUID(),
      comment: randomUUID(),
      early: randomUUID(),
      export: randomUUID(),
    }
    expect((await beginUpload(ids.upload)).status).toBe(201)
    expect((await upload(ids.upload, bytes.subarray(0, half), 0)).status).toBe(204)
    const [full] = (await stage.query<{ since: string }>('select now()::text as since')).rows
    try {
      fillDisk(stage.dataDir)
      await expectRefused(await upload(ids.upload, bytes.subarray(half), half))
      await expectRefused(await ask('/ready'))
      const { code, output } = await backUp()
      expect([code, output.trim().split('\n').length, await listArchives()]).toEqual([1, 1, []])
      // The database may have a reserve: then it is accepted, and its file can't be written.
      const early = await exportAll(ids.early)
      if (early.status !== 201) await expectRefused(early)

      await exhaustWal(stage)
      await expectRefused(await submit(ids.item))
      await expectRefused(await comment(ids.comment))
      await expectRefused(await beginUpload(randomUUID()))
      await expectRefused(await exportAll(ids.export))
      await expectRefused(await signIn())
      await expectRefused(await ask('/ready'))
    } finally {
      resizeSmallDisk(stage.dataDir)
    }
    await expect.poll(async () => (await ask('/ready')).status, { timeout: 30_000 }).toBe(200)
    expect((await submit(ids.item)).status).toBe(201)
    expect((await comment(ids.comment)).status).toBe(201)
    const offset = await readOffset(ids.upload)
    expect(offset).toBeGreaterThanOrEqual(half)
    expect((await upload(ids.upload, bytes.subarray(offset), offset)).status).toBe(204)
    for (const id of [ids.early, ids.export]) {
      expect([200, 201]).toContain((await exportAll(id)).status)
      // An export that failed says so, and is asked for again under another id.
      const ends = id === ids.early ? /^(ready|failed)$/ : /^ready$/
      await expect.poll(async () => (await readExport(id)).state, { timeout: 60_000 }).toMatch(ends)
      const { state, bytes: size, downloadUrl } = await readExport(id)
      if (state === 'ready') expect((await download(downloadUrl)).byteLength).toBe(size)
    }
    const { code, output } = await backUp()
    expect([code, output]).toEqual([0, expect.stringContaining('All of it was read again')])
    // Lines that were logged while the disk was full had to wait.
    const countLines = async () =>
      (await stage.query(`select from app.app_logs where at > $1 and level >= 40 limit 1`, [full?.since])).rowCount
    await expect.poll(countLines, { timeout: 30_000 }).toBe(1)
    await Promise.all([stage.senders.finish(), stage.commenters.finish()])
    expect([...stage.senders.wrongAnswers, ...stage.commenters.wrongAnswers]).toEqual([])
    const losses = await countLosses(stage)
    expect(losses).toMatchObject({ items: { lost: 0, duplicated: 0 }, comments: { lost: 0, duplicated: 0 } })
  }, 240_000)
})

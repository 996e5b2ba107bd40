import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { readSheet } from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromBuffer as openZip } from 'yauzl'
import type { Export } from '#contract/exports.ts'
import { createFeedback, createMember, createProject, createUser } from '#server/testing/builders.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'

/* An export from the request to the saved file and to its deletion. */
let fixture: FilesFixture
let path: string
const patienceMs = 40_000

beforeAll(async () => {
  fixture = await openFilesFixture({ API_RATE_PER_MINUTE: '100000' })
  path = `/api/v1/organizations/${fixture.project.organizationId}/exports`
})
afterAll(() => fixture.stop())

const ask = (body: Record<string, unknown>, token = fixture.token) =>
  fixture.server.call(path, { token, body: { id: randomUUID(), format: 'csv', selection: {}, ...body } })

async function read(id: string, token = fixture.token): Promise<Export> {
  return (await (await fixture.server.call(`${path}/${id}`, { token })).json()) as Export
}

/**
 * Waits for an export. One whose process died starts again after the queue's pause of three seconds, with a process of its own,
 * behind the exports that wait: on a machine with other work that takes longer than what is awaited elsewhere.
 */
const awaitReady = (id: string) =>
  expect.poll(async () => (await read(id)).state, { timeout: patienceMs }).toBe('ready')

/** Requests an export, waits and downloads it. */
async function take(body: Record<string, unknown>): Promise<{ made: Export; reply: Response; bytes: Buffer }> {
  const asked = await ask(body)
  expect(asked.status, await asked.clone().text()).toBe(201)
  const { id } = (await asked.json()) as Export
  await awaitReady(id)
  const made = await read(id)
  const reply = await fetch(fixture.server.url + made.downloadUrl)
  expect(reply.status).toBe(200)
  return { made, reply, bytes: Buffer.from(await reply.arrayBuffer()) }
}

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const entries = new Map<string, Buffer>()
  const archive = await new Promise<import('yauzl').ZipFile>((resolve, reject) =>
    openZip(bytes, { lazyEntries: true, strictFileNames: true }, (error, file) =>
      error ? reject(error) : resolve(file),
    ),
  )
  await new Promise<void>((resolve, reject) => {
    archive.on('error', reject)
    archive.on('end', resolve)
    archive.on('entry', (entry: import('yauzl').Entry) =>
      archive.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        entries.set(entry.fileName, Buffer.concat(chunks))
        archive.readEntry()
      }),
    )
    archive.readEntry()
  })
  return entries
}

async function listStoredFiles(): Promise<string[]> {
  const folder = join(fixture.dataDir, 'files', fixture.project.organizationId)
  return readdir(folder).catch(() => [])
}

const hostile = [
  '=HYPERLINK("https://evil.example","Click")',
  "+1+cmd|' /C calc'!A0",
  '-2+3',
  '@SUM(1,1)',
  '\t=1+1',
  '  =1+1',
  '"=1+1',
  "'=1+1",
  '＝1+1',
  '＋1',
  '－1',
  '＠A1',
  'a "quoted", comma; and\nline\r\nbreak',
  ']]>&<script>alert(1)</script>&amp;_x000D_',
  '\u202eright to left\u2066',
  '🙂 ünïcödé',
]

async function fillHostile(): Promise<string> {
  const { client } = fixture.server
  const project = await createProject(client, { organizationId: fixture.project.organizationId, name: '=Shop' })
  for (const [at, message] of hostile.entries()) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, hostile.length - at))
    await createFeedback(client, {
      organizationId: fixture.project.organizationId,
      projectId: project.id,
      message,
      createdAt,
    })
  }
  await client.query(
    `update feedback set rating = 5, nps = 0, visitor_name = '=A1', visitor_email = 'v@example.org', tags = '{"a, b",c,"=d"}',
       fields = '{"plan": "=Pro", "agreed": true}', metadata = '{"k": "=v"}', page_title = '@title'
     where project_id = $1`,
    [project.id],
  )
  await client.query(
    `update widgets set settings = '{"fields": [{"id": "agreed", "label": "Number"}, {"id": "plan", "label": "=Plan"}]}'
     where project_id = $1`,
    [project.id],
  )
  return project.id
}

describe('a spreadsheet of feedback', () => {
  let projectId: string
  beforeAll(async () => {
    projectId = await fillHostile()
  })

  it('as CSV contains every item, and no formula', async () => {
    const { made, reply, bytes } = await take({ selection: { projectId: [projectId] } })
    expect(made).toMatchObject({
      format: 'csv',
      count: hostile.length,
      processed: hostile.length,
      bytes: bytes.length,
      createdByName: expect.any(String),
      note: null,
    })
    expect(Date.parse(made.expiresAt) - Date.now()).toBeGreaterThan(6.9 * 86_400_000)
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="feedback-[\d-]{10}\.csv"$/)
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    const [names = [], ...rows] = parse(bytes, { bom: true, record_delimiter: '\r\n' }) as string[][]
    expect(names).toEqual([...new Set(names)])
    expect(names.slice(-2)).toEqual(['Number (agreed)', "'=Plan"])
    for (const cell of [names, ...rows].flat()) expect(cell).not.toMatch(/^\s*[=+\-@\t\r＝＋－＠]/u)
    const column = (name: string) => rows.map((row) => row[names.indexOf(name)])
    expect(column('Message')).toEqual(
      hostile.map((text) => (/^[\s'"]*[=+\-@＝＋－＠]/u.test(text) ? `'${text}` : text)),
    )
    expect(column('Number')).toEqual(hostile.map((_, at) => String(at + 1)))
    expect(column('Tags')[0]).toBe('"a, b", c, =d')
    expect(column('Rating')[0]).toBe('5')
    expect(column('NPS')[0]).toBe('0')
    expect(column('Created at')[0]).toBe('2026-01-01T00:16:00.000Z')
    expect(column('Project')[0]).toBe("'=Shop")
    expect(column('Metadata')[0]).toBe('{"k":"=v"}')
  })

  it('as a workbook contains text as text, numbers as numbers and times as times', async () => {
    await fixture.server.client.query(
      `update feedback set metadata = jsonb_build_object('long', repeat('x', 40000)) where project_id = $1 and number = 1`,
      [projectId],
    )
    const { bytes } = await take({ format: 'xlsx', selection: { projectId: [projectId] } })
    const parts = await unzip(bytes)
    expect(parts.get('xl/worksheets/sheet1.xml')?.toString()).not.toContain('<f>')
    const [names = [], ...rows] = (await readSheet(bytes)) as (string | number | boolean | Date | null)[][]
    const column = (name: string) => rows.map((row) => row[names.indexOf(name)])
    // The reader cuts spaces off.
    expect(column('Message').map(String)).toEqual(hostile.map((text) => text.trim()))
    expect(names.at(-1)).toBe('=Plan')
    expect(column('=Plan')[0]).toBe('=Pro')
    expect(column('Number (agreed)')[0]).toBe(true)
    expect(column('Number')[0]).toBe(1)
    expect(column('Rating')[0]).toBe(5)
    expect(column('Created at')[0]).toEqual(new Date(Date.UTC(2026, 0, 1, 0, 16)))
    const long = String(column('Metadata')[0])
    expect(long).toHaveLength(32_767)
    expect(long).toMatch(/\[cut: a cell holds 32,767 characters\]$/)
  })

  it('says when it contains no items', async () => {
    const selection = { projectId: [projectId], status: ['resolved'] }
    const csv = await take({ selection })
    expect(csv.made.count).toBe(0)
    expect(parse(csv.bytes, { bom: true })).toHaveLength(1)
    expect(JSON.parse((await take({ format: 'json', selection })).bytes.toString())).toEqual([])
    expect(await readSheet((await take({ format: 'xlsx', selection })).bytes)).toHaveLength(1)
  })
})

describe('a whole export', () => {
  it('as JSON contains comments and history', async () => {
    const { id } = await createFeedback(fixture.server.client, {
      organizationId: fixture.project.organizationId,
      projectId: fixture.project.id,
      message: 'All of it',
    })
    const item = `/api/v1/organizations/${fixture.project.organizationId}/feedback/${id}`
    const { token } = fixture
    await fixture.server.call(item, { method: 'PATCH', token, body: { status: 'open', tags: ['x'] } })
    await fixture.server.call(`${item}/comments`, { token, body: { id: randomUUID(), kind: 'note', text: '=Seen' } })
    const { bytes, reply } = await take({ format: 'json', selection: { projectId: [fixture.project.id], tag: ['X'] } })
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(bytes.toString())).toMatchObject([
      {
        id,
        message: 'All of it',
        status: 'open',
        project: 'Website',
        tags: ['x'],
        comments: [{ kind: 'note', text: '=Seen', authorName: 'Ada Example' }],
        history: [{ field: 'status', from: 'new', to: 'open' }, { field: 'tags' }],
        attachments: [],
        createdAt: expect.stringMatching(/Z$/),
      },
    ])
  })

  it('contains the comments on duplicates under their target', async () => {
    const { client } = fixture.server
    const { organizationId } = fixture.project
    const { id: projectId } = await createProject(client, { organizationId })
    const make = (message: string) => createFeedback(client, { organizationId, projectId, message })
    const [target, twin, other] = [await make('Main'), await make('Twin'), await make('Other')]
    const { token } = fixture
    const item = `/api/v1/organizations/${organizationId}/feedback`
    const say = (id: string, text: string) =>
      fixture.server.call(`${item}/${id}/comments`, { token, body: { id: randomUUID(), kind: 'note', text } })
    await say(twin.id, 'first')
    await say(target.id, 'second')
    await say(other.id, 'elsewhere')
    await client.query('update feedback set merged_into = $1 where id = $2', [target.id, twin.id])
    const { bytes } = await take({ format: 'json', selection: { projectId: [projectId] } })
    const items = JSON.parse(bytes.toString()) as Record<string, unknown>[]
    expect(items).toHaveLength(2)
    expect(items.find(({ id }) => id === target.id)).toMatchObject({
      comments: [
        { text: 'first', itemNumber: 2 },
        { text: 'second', itemNumber: null },
      ],
      duplicates: [{ id: twin.id, number: 2 }],
    })
    expect(items.find(({ id }) => id === other.id)).toMatchObject({ comments: [{ text: 'elsewhere' }], duplicates: [] })
    const csv = await take({ selection: { projectId: [projectId] } })
    const rows = parse(csv.bytes, { bom: true, columns: true }) as { Message: string; Comments: string }[]
    expect(rows.find(({ Message }) => Message === 'Main')?.Comments).toBe('2')
    const merged = await take({ format: 'json', selection: { projectId: [projectId], location: 'merged' } })
    expect(JSON.parse(merged.bytes.toString())).toMatchObject([
      { id: twin.id, mergedInto: target.id, comments: [{ text: 'first', itemNumber: null }] },
    ])
  })

  it('as an archive contains every file under a safe, unique name', async () => {
    const bytes = makePng()
    const first = await fixture.attach({ kind: 'screenshot', bytes, name: '../../evil\u202e.png' })
    const twin = await fixture.attach({ kind: 'file', bytes: Buffer.from('lost'), name: 'lost.txt' })
    const { rows } = await fixture.server.client.query<{ feedback_id: string; number: number }>(
      'select a.feedback_id, f.number::integer from feedback_attachments a join feedback f on f.id = a.feedback_id where a.id = any ($1) order by f.number',
      [[first.id, twin.id]],
    )
    await fixture.server.client.query(
      `insert into feedback_attachments (organization_id, id, feedback_id, kind, name, position)
       values ($1, $2, $3, 'screenshot', '../../evil.png', 1)`,
      [fixture.project.organizationId, randomUUID(), rows[0]?.feedback_id],
    )
    // A file with missing bytes is listed, and stops nothing.
    const [stored] = await fixture.listStored(twin.id)
    const { rm } = await import('node:fs/promises')
    await rm(join(fixture.dataDir, 'files', fixture.project.organizationId, stored ?? ''))

    const { made, bytes: archive } = await take({ format: 'zip', selection: { media: ['screenshot', 'file'] } })
    expect(made.note).toBe('Files whose bytes were not there: 1.')
    const parts = await unzip(archive)
    const name = `Website/#${rows[0]?.number}/_.._evil_.png`
    expect([...parts.keys()]).toEqual(['items.json', 'items.csv', name])
    expect(parts.get(name)?.equals(bytes)).toBe(true)
    const items = JSON.parse(parts.get('items.json')?.toString() ?? '') as { attachments: { path?: string }[] }[]
    expect(items.flatMap(({ attachments }) => attachments.map((file) => file.path))).toContain(name)
    expect(parse(parts.get('items.csv') ?? '', { bom: true })).toHaveLength(3)
  })
})

describe('POST …/exports', () => {
  it('is safe to repeat, and refuses the id of another request', async () => {
    const id = randomUUID()
    const replies = await Promise.all(Array.from({ length: 4 }, () => ask({ id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
    for (const body of [
      { id, format: 'json' },
      { id, selection: { unread: true } },
    ]) {
      const reply = await ask(body)
      expect(reply.status).toBe(422)
      expect(await reply.json()).toMatchObject({ code: 'id_reused' })
    }
    const colleague = await createMember(fixture.server.client, {
      organizationId: fixture.project.organizationId,
      role: 'viewer',
    })
    expect((await ask({ id }, await fixture.server.signIn(colleague))).status).toBe(422)
    await eventually(async () => (await read(id)).state).toBe('ready')
  })

  it('allows three open exports, and refuses more', async () => {
    const owner = await createUser(fixture.server.client)
    const token = await fixture.server.signIn(owner)
    const own = `/api/v1/organizations/${owner.organizationId}/exports`
    // As if they were being written elsewhere.
    await fixture.server.client.query(
      `insert into exports (organization_id, id, created_by, format, selection, state)
       select $1, gen_random_uuid(), $2, 'csv', '{}', 'running' from generate_series(1, 2)`,
      [owner.organizationId, owner.id],
    )
    const replies = await Promise.all(
      Array.from({ length: 5 }, () =>
        fixture.server.call(own, { token, body: { id: randomUUID(), format: 'json', selection: {} } }),
      ),
    )
    // The accepted one may be done before the last request.
    const statuses = replies.map(({ status }) => status)
    expect(statuses).toContain(201)
    expect(statuses).toContain(429)
    const refused = replies.find(({ status }) => status === 429)
    expect(await refused?.json()).toMatchObject({ code: 'too_many_exports' })
  })
})

describe('an export of another member', () => {
  it('is not found, and neither is its file', async () => {
    const { made } = await take({})
    const stranger = await createUser(fixture.server.client)
    const token = await fixture.server.signIn(stranger)
    const theirs = `/api/v1/organizations/${stranger.organizationId}/exports`
    for (const method of ['GET', 'DELETE']) {
      const other = await fixture.server.call(`${theirs}/${made.id}`, { method, token })
      expect(other.status).toBe(404)
      expect(await other.json()).toMatchObject({ code: 'export_not_found' })
    }
    expect(await (await fixture.server.call(theirs, { token })).json()).toEqual({ items: [] })
    const address = made.downloadUrl ?? ''
    for (const changed of [
      address.slice(0, -1) + (address.endsWith('A') ? 'B' : 'A'),
      `${address}A`,
      address.slice(0, 20),
      '/x/%00',
      `/f/${address.slice(3)}`,
    ]) {
      expect((await fetch(fixture.server.url + changed)).status, changed).toBe(404)
    }
  })

  it('is not written, listed or downloaded for a former member', async () => {
    const leaver = await createMember(fixture.server.client, {
      organizationId: fixture.project.organizationId,
      role: 'member',
    })
    const asked = await ask({}, await fixture.server.signIn(leaver))
    const { id } = (await asked.json()) as Export
    await eventually(async () => (await read(id)).state).toBe('ready')
    const token = await fixture.server.signIn(leaver)
    const { downloadUrl } = await read(id, token)
    expect((await fetch(fixture.server.url + downloadUrl)).status).toBe(200)
    await fixture.server.client.query('delete from memberships where user_id = $1', [leaver.id])
    expect((await fetch(fixture.server.url + downloadUrl)).status).toBe(404)
    await fixture.server.client.query(`update exports set state = 'queued', storage_key = null where id = $1`, [id])
    await addJob('write_export', { organizationId: fixture.project.organizationId, id })
    await eventually(async () => (await read(id)).state).toBe('failed')
    expect((await read(id)).note).toMatch(/not a member/)
  })
})

describe('the end of an export', () => {
  it('comes when a member deletes it, with its bytes', async () => {
    const before = await listStoredFiles()
    const { made } = await take({})
    expect(await listStoredFiles()).toHaveLength(before.length + 1)
    const { token } = fixture
    expect((await fixture.server.call(`${path}/${made.id}`, { method: 'DELETE', token })).status).toBe(204)
    expect((await fixture.server.call(`${path}/${made.id}`, { method: 'DELETE', token })).status).toBe(404)
    expect((await fetch(fixture.server.url + made.downloadUrl)).status).toBe(404)
    await eventually(async () => (await listStoredFiles()).sort()).toEqual(before.sort())
    const listEntries = async () =>
      (
        await fixture.server.client.query(
          'select action, after from audit_log where target_id = $1 order by created_at',
          [made.id],
        )
      ).rows
    await eventually(listEntries).toEqual([
      { action: 'export.requested', after: { format: 'csv' } },
      { action: 'export.completed', after: { format: 'csv', count: made.count } },
    ])
  })

  it('comes automatically after a week', async () => {
    const before = await listStoredFiles()
    const { made } = await take({})
    await fixture.server.client.query(`update exports set expires_at = now() - interval '1 second' where id = $1`, [
      made.id,
    ])
    expect((await fetch(fixture.server.url + made.downloadUrl)).status).toBe(404)
    expect((await fixture.server.call(`${path}/${made.id}`, { token: fixture.token })).status).toBe(404)
    await addJob('sweep_exports', {})
    await eventually(async () => (await listStoredFiles()).sort()).toEqual(before.sort())
  })

  it('comes early when it is cancelled, and leaves no bytes', async () => {
    const before = await listStoredFiles()
    const big = await createProject(fixture.server.client, { organizationId: fixture.project.organizationId })
    await fill(big.id, 6_000)
    const asked = await ask({ format: 'json', selection: { projectId: [big.id] } })
    const { id } = (await asked.json()) as Export
    await eventually(async () => (await read(id)).processed).toBeGreaterThan(0)
    expect((await fixture.server.call(`${path}/${id}`, { method: 'DELETE', token: fixture.token })).status).toBe(204)
    await eventually(async () => (await listStoredFiles()).sort()).toEqual(before.sort())
    await eventually(openJobs).toBe(0)
    expect((await listStoredFiles()).sort()).toEqual(before.sort())
  })

  it('is a new start when its worker crashed', async () => {
    const big = await createProject(fixture.server.client, { organizationId: fixture.project.organizationId })
    await fill(big.id, 450)
    const { made, bytes } = await take({ selection: { projectId: [big.id] } })
    // The state after a killed process: running, with a part of the bytes.
    await fixture.server.client.query(
      `update exports set state = 'running', processed = 200, bytes = null where id = $1`,
      [made.id],
    )
    await addJob('write_export', { organizationId: fixture.project.organizationId, id: made.id })
    await eventually(async () => (await read(made.id)).state).toBe('ready')
    const again = await read(made.id)
    expect(again).toMatchObject({ count: 450, bytes: bytes.length })
    const reply = await fetch(fixture.server.url + again.downloadUrl)
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
    // In parts, as a browser resumes.
    const part = await fetch(fixture.server.url + again.downloadUrl, { headers: { range: 'bytes=10-19' } })
    expect(part.status).toBe(206)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
    expect(new Set(parse(bytes, { bom: true, columns: true }).map((row) => (row as { ID: string }).ID)).size).toBe(450)
  })

  it('is a new start when the process that writes it is killed', async () => {
    const before = await listStoredFiles()
    const big = await createProject(fixture.server.client, { organizationId: fixture.project.organizationId })
    await fill(big.id, 3_000)
    const asked = await ask({ format: 'json', selection: { projectId: [big.id] } })
    const { id } = (await asked.json()) as Export
    await eventually(async () => (await listStoredFiles()).length).toBeGreaterThan(before.length)
    const [pid = 0, ...others] = listExportProcesses()
    expect(others).toEqual([])
    process.kill(pid, 'SIGKILL')
    await awaitReady(id)
    const { downloadUrl, count } = await read(id)
    expect(count).toBe(3_000)
    expect(await (await fetch(fixture.server.url + downloadUrl)).json()).toHaveLength(3_000)
    expect(await listStoredFiles()).toHaveLength(before.length + 1)
    expect(listExportProcesses()).toEqual([])
  }, 120_000)

  it('is a new start with fewer items at a time when they exceed its memory', async () => {
    const heavy = await createProject(fixture.server.client, { organizationId: fixture.project.organizationId })
    await fill(heavy.id, 110)
    await fixture.server.client.query(
      `update feedback set metadata = jsonb_build_object('text', repeat(md5(number::text), 32000)) where project_id = $1`,
      [heavy.id],
    )
    const { made, bytes } = await take({ format: 'json', selection: { projectId: [heavy.id] } })
    expect(made).toMatchObject({ count: 110, note: null })
    expect(bytes.length).toBeGreaterThan(110_000_000)
    const { rows } = await fixture.server.client.query('select attempts from exports where id = $1', [made.id])
    expect(rows).toEqual([{ attempts: 2 }])
    // Too much for the exports of everything to come.
    await fixture.server.client.query('delete from feedback where project_id = $1', [heavy.id])
  }, 120_000)

  it('is a shown failure after several attempts', async () => {
    const { made } = await take({})
    await fixture.server.client.query(`update exports set state = 'running', attempts = 3 where id = $1`, [made.id])
    await addJob('write_export', { organizationId: fixture.project.organizationId, id: made.id })
    await eventually(async () => (await read(made.id)).state).toBe('failed')
    expect((await read(made.id)).note).toMatch(/try again/)
  })
})

/** Child processes that write exports. */
function listExportProcesses(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs = readFileSync(`/proc/${pid}/status`, 'utf8').includes(`PPid:\t${process.pid}\n`)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('export-process.ts')
      } catch {
        // It has ended meanwhile.
        return false
      }
    })
    .map(Number)
}

async function addJob(name: string, payload: unknown): Promise<void> {
  await fixture.server.client.query('select graphile_worker.add_job($1, payload => $2::json)', [
    name,
    JSON.stringify(payload),
  ])
}

async function openJobs(): Promise<number> {
  const { rows } = await fixture.server.client.query<{ n: number }>(
    'select count(*)::integer as n from graphile_worker.jobs where locked_at is not null',
  )
  return rows[0]?.n ?? 0
}

async function fill(projectId: string, count: number): Promise<void> {
  await fixture.server.client.query(
    `insert into feedback (organization_id, project_id, id, number, type, source, message, page_url, content_hash)
     select $1, $2, gen_random_uuid(), n, 'bug', 'widget', 'Item ' || n, '/', $4 from generate_series(1, $3::integer) n`,
    [fixture.project.organizationId, projectId, count, createHash('sha256').digest()],
  )
}

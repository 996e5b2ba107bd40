import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import * as tus from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AttachmentKind, attachmentKinds, maxAttachmentBytes } from '#contract/files.ts'
import { createFeedback, createProject, createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/*
 * The protocol as visitors' browsers speak it: by tus's own client, and by hand where a client would not misbehave. Two
 * servers on one database and one folder answer in turn.
 */
let first: TestServer
let second: TestServer
let dataDir: string
let project: { id: string; widgetKey: string; organizationId: string }
let sibling: typeof project
let stranger: typeof project

const limits = { UPLOAD_RATE_PER_MINUTE: '1000000', UPLOAD_MEGABYTES_PER_HOUR: '1000000' }

async function buildProject(organizationId?: string): Promise<typeof project> {
  const owner = organizationId ?? (await createUser(first.client)).organizationId ?? ''
  const { id, widgetKey } = await createProject(first.client, { organizationId: owner })
  await first.client.query(`update widgets set settings = '{"replay": true}' where key = $1`, [widgetKey])
  return { id, widgetKey, organizationId: owner }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'earshot-uploads-'))
  first = await startTestServer({ DATA_DIR: dataDir, ...limits })
  second = await startTestServer({ DATA_DIR: dataDir, ...limits }, { url: first.databaseUrl })
  project = await buildProject()
  sibling = await buildProject(project.organizationId)
  stranger = await buildProject()
})
afterAll(async () => {
  await second.stop()
  await first.stop()
  await rm(dataDir, { recursive: true, force: true })
})

interface Sending {
  id?: string
  kind?: string
  name?: string
  mime?: string
  to?: TestServer
  key?: string
}

const encode = (value: string) => Buffer.from(value).toString('base64')

function metadataOf({ id = randomUUID(), kind = 'file', name, mime }: Sending): string {
  const fields = { id, kind, ...(name !== undefined && { name }), ...(mime !== undefined && { mime }) }
  return Object.entries(fields)
    .map(([key, value]) => `${key} ${encode(value)}`)
    .join(',')
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  options: { body?: Uint8Array<ArrayBuffer> | string; to?: TestServer } = {},
) {
  const reply = await fetch(`${(options.to ?? first).url}${path}`, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...headers },
    ...(options.body !== undefined && { body: options.body }),
  })
  const text = await reply.text()
  const problem = text === '' ? undefined : (JSON.parse(text) as { code: string; fields?: { path: string }[] })
  return { status: reply.status, headers: reply.headers, code: problem?.code, field: problem?.fields?.[0]?.path, text }
}

function createUpload(sending: Sending = {}, headers: Record<string, string> = { 'upload-length': '10' }) {
  return send(
    'POST',
    `/e/${sending.key ?? project.widgetKey}/uploads`,
    { 'upload-metadata': metadataOf(sending), ...headers },
    { ...(sending.to && { to: sending.to }) },
  )
}

const octets = 'application/offset+octet-stream'

function patch(
  id: string,
  offset: number | string,
  body: Uint8Array<ArrayBuffer> | string,
  {
    to,
    key = project.widgetKey,
    headers = {},
  }: { to?: TestServer; key?: string; headers?: Record<string, string> } = {},
) {
  return send(
    'PATCH',
    `/e/${key}/uploads/${id}`,
    { 'content-type': octets, 'upload-offset': String(offset), ...headers },
    { body, ...(to && { to }) },
  )
}

const head = (id: string, options: { to?: TestServer; key?: string } = {}) =>
  send('HEAD', `/e/${options.key ?? project.widgetKey}/uploads/${id}`, {}, options.to ? { to: options.to } : {})

async function readRow(id: string) {
  const { rows } = await first.client.query<{
    state: string
    bytes: number
    storage_key: string
    declared_bytes: number | null
    name: string | null
    kind: string
  }>('select state, bytes::int, storage_key, declared_bytes::int, name, kind from uploads where id = $1', [id])
  return rows[0]
}

async function readBytes(id: string): Promise<Buffer> {
  return readFile(join(dataDir, 'files', (await readRow(id))?.storage_key ?? ''))
}

/** Jobs that wait for a file. */
async function countJobs(id: string): Promise<number> {
  const { rows } = await first.client.query<{ count: number }>(
    `select count(*)::int as count from graphile_worker._private_jobs where payload::text like '%' || $1 || '%'`,
    [id],
  )
  return rows[0]?.count ?? 0
}

/** Sends by the real client, and resolves when it is content. */
function sendByClient(
  file: Buffer | PassThrough,
  { id = randomUUID(), kind = 'file', name, mime, to = first, key = project.widgetKey }: Sending,
  options: Partial<tus.UploadOptions> = {},
): Promise<tus.Upload> {
  return new Promise((resolve, reject) => {
    const upload: tus.Upload = new tus.Upload(file as never, {
      endpoint: `${to.url}/e/${key}/uploads`,
      metadata: { id, kind, ...(name !== undefined && { name }), ...(mime !== undefined && { mime }) },
      headers: { origin: 'http://localhost:8080' },
      retryDelays: null,
      ...options,
      onSuccess: () => resolve(upload),
      onError: reject,
    })
    upload.start()
  })
}

describe('an upload by tus’s own client', () => {
  it('arrives byte for byte, in one go', async () => {
    const id = randomUUID()
    const bytes = randomBytes(300_000)
    const upload = await sendByClient(bytes, { id, name: 'Bild „1“.png', mime: 'image/png' })
    expect(upload.url).toBe(`${first.url}/e/${project.widgetKey}/uploads/${id}`)
    expect(await readRow(id)).toMatchObject({
      state: 'processing',
      bytes: 300_000,
      declared_bytes: 300_000,
      name: 'Bild „1“.png',
      kind: 'file',
    })
    expect((await readBytes(id)).equals(bytes)).toBe(true)
    expect(await countJobs(id)).toBe(1)
  })

  it('arrives with its creation', async () => {
    const id = randomUUID()
    const bytes = randomBytes(5_000)
    await sendByClient(bytes, { id }, { uploadDataDuringCreation: true })
    expect((await readBytes(id)).equals(bytes)).toBe(true)
    expect(await readRow(id)).toMatchObject({ state: 'processing' })
  })

  it('arrives in chunks, each at another server', async () => {
    const id = randomUUID()
    const bytes = randomBytes(100_000)
    let turn = 0
    await sendByClient(
      bytes,
      { id },
      {
        chunkSize: 10_000,
        onBeforeRequest: (asked) => {
          turn += 1
          const url = asked.getURL().replace(/^http:\/\/[^/]+/, turn % 2 === 0 ? first.url : second.url)
          ;(asked as unknown as { _url: string })._url = url
        },
      },
    )
    expect((await readBytes(id)).equals(bytes)).toBe(true)
  })

  it('arrives while it is recorded, two seconds at a time, its length told last', async () => {
    const id = randomUUID()
    const recorder = new PassThrough()
    const chunks = [3_000, 3_000, 3_000, 3_000, 3_000, 1_000].map((size) => randomBytes(size))
    const sent = sendByClient(recorder, { id, kind: 'voice' }, { uploadLengthDeferred: true, chunkSize: 3_000 })
    for (const chunk of chunks) {
      recorder.write(chunk)
      await pause(40)
    }
    expect(await readRow(id)).toMatchObject({ state: 'receiving', declared_bytes: null })
    recorder.end()
    await sent
    expect((await readBytes(id)).equals(Buffer.concat(chunks))).toBe(true)
    expect(await readRow(id)).toMatchObject({ state: 'processing', bytes: 16_000, declared_bytes: 16_000 })
  })

  it('continues where a cut connection left it', async () => {
    const id = randomUUID()
    const bytes = randomBytes(2_000_000)
    await createUpload({ id }, { 'upload-length': String(bytes.length) })
    await cutOff(id, bytes, 1_200_000)
    await expect.poll(async () => (await readRow(id))?.bytes).toBeGreaterThan(0)
    const arrived = Number((await head(id, { to: second })).headers.get('upload-offset'))
    expect(arrived).toBeGreaterThan(500_000)
    await sendByClient(bytes, { id, to: second }, { uploadUrl: `${second.url}/e/${project.widgetKey}/uploads/${id}` })
    expect((await readBytes(id)).equals(bytes)).toBe(true)
    expect(await countJobs(id)).toBe(1)
  })
})

/** Sends the beginning of a body and tears the connection down. */
async function cutOff(id: string, bytes: Buffer, after: number): Promise<void> {
  const asked = request(`${first.url}/e/${project.widgetKey}/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': octets,
      'upload-offset': '0',
      'content-length': String(bytes.length),
    },
  })
  asked.on('error', () => {})
  await new Promise<void>((resolve) => asked.write(bytes.subarray(0, after), () => resolve()))
  await pause(150)
  asked.destroy()
}

describe('POST /e/{widgetKey}/uploads', () => {
  it('says where the file goes, to pages of any origin', async () => {
    const id = randomUUID()
    const created = await createUpload({ id })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`/e/${project.widgetKey}/uploads/${id}`)
    expect(created.headers.get('access-control-allow-origin')).toBe('*')
    expect(created.headers.get('access-control-allow-credentials')).toBeNull()
    expect(created.headers.get('access-control-expose-headers')).toContain('upload-offset')
    expect(created.headers.get('set-cookie')).toBeNull()
  })

  it('answers the same again when it is repeated, and tells how much is here', async () => {
    const id = randomUUID()
    await createUpload({ id })
    await patch(id, 0, '1234')
    const again = await createUpload({ id, to: second })
    expect(again.status).toBe(201)
    expect(again.headers.get('location')).toBe(`/e/${project.widgetKey}/uploads/${id}`)
    expect(again.headers.get('upload-offset')).toBe('4')
    expect((await readBytes(id)).toString()).toBe('1234')
  })

  it('makes one of twenty at the same time', async () => {
    const id = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => createUpload({ id, to: index % 2 ? first : second })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const { rows } = await first.client.query('select from uploads where id = $1', [id])
    expect(rows).toHaveLength(1)
  })

  it('learns a length that was not known the first time, and then completes', async () => {
    const id = randomUUID()
    await createUpload({ id }, { 'upload-defer-length': '1' })
    await patch(id, 0, '1234')
    expect((await createUpload({ id }, { 'upload-length': '3' })).field).toBe('headers.upload-length')
    expect((await createUpload({ id }, { 'upload-length': '4' })).headers.get('upload-offset')).toBe('4')
    expect(await readRow(id)).toMatchObject({ state: 'processing', bytes: 4 })
  })

  it('refuses an id that stands for another file', async () => {
    const id = randomUUID()
    await createUpload({ id })
    expect(await createUpload({ id, kind: 'voice' })).toMatchObject({ status: 422, code: 'id_reused' })
    expect(await createUpload({ id }, { 'upload-length': '11' })).toMatchObject({ status: 422, code: 'id_reused' })
    expect(await createUpload({ id, key: sibling.widgetKey })).toMatchObject({ status: 422, code: 'id_reused' })
    // Another organisation knows nothing of it: there, the id is as good as any.
    expect((await createUpload({ id, key: stranger.widgetKey })).status).toBe(201)
    expect(await readRow(id)).toMatchObject({ kind: 'file' })
  })

  it.each(attachmentKinds.map((kind) => [kind, maxAttachmentBytes[kind]] as const))(
    'takes a %s of at most %i bytes',
    async (kind, most) => {
      expect((await createUpload({ kind }, { 'upload-length': String(most) })).status).toBe(201)
      const id = randomUUID()
      const refused = await createUpload({ id, kind }, { 'upload-length': String(most + 1) })
      expect(refused).toMatchObject({ status: 413, code: 'file_too_large', field: 'headers.upload-length' })
      expect(await readRow(id)).toBeUndefined()
    },
  )

  it('takes only kinds that the project asks for', async () => {
    const quiet = await buildProject()
    await first.client.query(`update widgets set settings = '{}' where key = $1`, [quiet.widgetKey])
    const refused = await createUpload({ kind: 'replay', key: quiet.widgetKey })
    expect(refused).toMatchObject({ status: 400, code: 'validation_failed', field: 'metadata.kind' })
  })

  const valid = { id: randomUUID(), kind: 'file' }
  const pairs = (fields: Record<string, string>) =>
    Object.entries(fields)
      .map(([key, value]) => `${key} ${encode(value)}`)
      .join(',')
  it.each<[string, Record<string, string>, string]>([
    ['no metadata', { 'upload-metadata': '' }, 'headers.upload-metadata'],
    ['metadata that is none', { 'upload-metadata': 'id' }, 'metadata.id'],
    ['metadata that is no Base64', { 'upload-metadata': 'id ***,kind ZmlsZQ==' }, 'headers.upload-metadata'],
    ['the same field twice', { 'upload-metadata': `${pairs(valid)},kind ZmlsZQ==` }, 'headers.upload-metadata'],
    ['a name of the prototype', { 'upload-metadata': `${pairs(valid)},__proto__ ZmlsZQ==` }, 'headers.upload-metadata'],
    ['an id that is no UUID', { 'upload-metadata': pairs({ ...valid, id: '../../etc/passwd' }) }, 'metadata.id'],
    ['no kind', { 'upload-metadata': pairs({ id: valid.id }) }, 'metadata.kind'],
    ['a kind there is not', { 'upload-metadata': pairs({ ...valid, kind: 'movie' }) }, 'metadata.kind'],
    ['a kind of the prototype', { 'upload-metadata': pairs({ ...valid, kind: 'toString' }) }, 'metadata.kind'],
    ['a name of 256', { 'upload-metadata': pairs({ ...valid, name: 'ü'.repeat(256) }) }, 'metadata.name'],
    ['a name that is no text', { 'upload-metadata': `${pairs(valid)},name /////w==` }, 'metadata.name'],
    ['a type of 256', { 'upload-metadata': pairs({ ...valid, mime: 'x'.repeat(256) }) }, 'metadata.mime'],
    ['no length', { 'upload-length': '' }, 'headers.upload-length'],
    ['a negative length', { 'upload-length': '-1' }, 'headers.upload-length'],
    ['half a byte', { 'upload-length': '1.5' }, 'headers.upload-length'],
    ['a length in words', { 'upload-length': 'NaN' }, 'headers.upload-length'],
    ['both lengths', { 'upload-defer-length': '1' }, 'headers.upload-length'],
    ['another version of the protocol', { 'tus-resumable': '0.2.2' }, 'headers.tus-resumable'],
  ])('refuses %s, naming it', async (_, headers, field) => {
    const before = await first.client.query('select count(*) from uploads')
    const refused = await createUpload({}, { 'upload-length': '10', 'upload-metadata': pairs(valid), ...headers })
    expect({ status: refused.status, field: refused.field }).toEqual({ status: 400, field })
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect((await first.client.query('select count(*) from uploads')).rows).toEqual(before.rows)
  })

  it('keeps names as text, whatever they hold', async () => {
    const id = randomUUID()
    await createUpload({ id, name: '<img src=x onerror=alert(1)>\u0000\n../a\u202e.png' })
    expect((await readRow(id))?.name).toBe('<img src=x onerror=alert(1)>  ../a\u202e.png')
  })

  it('survives metadata of 100,000 entries', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => `k${index}`).join(',')
    const status = await createUpload({}, { 'upload-length': '10', 'upload-metadata': many }).then(
      (answer) => answer.status,
      // The connection was closed while most of it was still to come.
      () => 414,
    )
    expect([400, 414]).toContain(status)
  })

  it('knows neither unknown keys nor foreign origins', async () => {
    expect(await createUpload({ key: 'wk_0000000000000000000000' })).toMatchObject({ code: 'widget_not_found' })
    const foreign = { 'upload-length': '10', origin: 'https://elsewhere.test' }
    expect(await createUpload({}, foreign)).toMatchObject({ status: 403, code: 'origin_not_allowed' })
  })

  it('keeps nothing of a creation whose first bytes are too many', async () => {
    const id = randomUUID()
    const headers = { 'upload-metadata': metadataOf({ id }), 'upload-length': '3', 'content-type': octets }
    const refused = await send('POST', `/e/${project.widgetKey}/uploads`, headers, { body: '12345' })
    expect(refused).toMatchObject({ status: 413, code: 'file_too_large' })
    expect(await readRow(id)).toBeUndefined()
  })

  it('concatenates nothing, and says so without a 5xx', async () => {
    const answer = await createUpload({}, { 'upload-length': '10', 'upload-concat': 'final;/e/a /e/b' })
    expect(answer.status).toBe(201)
  })
})

describe('PATCH /e/{widgetKey}/uploads/{id}', () => {
  it('refuses every offset but the next', async () => {
    const id = randomUUID()
    await createUpload({ id })
    await patch(id, 0, '1234')
    for (const offset of [0, 3, 5, 10, 9_007_199_254_740_991]) {
      expect(await patch(id, offset, '5678')).toMatchObject({ status: 409, code: 'upload_offset_conflict' })
    }
    for (const offset of ['-1', '4.0', 'x', '04', '']) {
      expect(await patch(id, offset, '5678')).toMatchObject({ status: 400, field: 'headers.upload-offset' })
    }
    expect((await readBytes(id)).toString()).toBe('1234')
  })

  it('bears a chunk that is sent again: 409, and the whole arrives once', async () => {
    const id = randomUUID()
    await createUpload({ id })
    expect((await patch(id, 0, '12345')).headers.get('upload-offset')).toBe('5')
    expect((await patch(id, 0, '12345')).status).toBe(409)
    expect((await patch(id, 5, '67890')).headers.get('upload-offset')).toBe('10')
    expect((await patch(id, 5, '67890')).status).toBe(409)
    expect((await patch(id, 10, '')).status).toBe(204)
    expect((await readBytes(id)).toString()).toBe('1234567890')
    expect(await countJobs(id)).toBe(1)
  })

  it('refuses more than was announced, to the byte', async () => {
    const id = randomUUID()
    await createUpload({ id })
    expect(await patch(id, 0, '12345678901')).toMatchObject({ status: 413, code: 'file_too_large' })
    expect((await head(id)).headers.get('upload-offset')).toBe('0')
    expect((await patch(id, 0, '1234567890')).status).toBe(204)
    expect(await patch(id, 10, '1')).toMatchObject({ status: 413 })
  })

  it.each<[AttachmentKind]>([['replay'], ['screenshot']])('ends a %s of unknown length at its limit', async (kind) => {
    const most = maxAttachmentBytes[kind]
    const id = randomUUID()
    await createUpload({ id, kind }, { 'upload-defer-length': '1' })
    expect((await patch(id, 0, new Uint8Array(most - 1))).status).toBe(204)
    expect(await patch(id, most - 1, '12')).toMatchObject({ status: 413, code: 'file_too_large' })
    // Without a word about its length, it is cut while it comes.
    expect(await sendChunked(id, most - 1, [Buffer.from('1'), Buffer.from('2')])).toBe(413)
    const { headers } = await head(id)
    const arrived = Number(headers.get('upload-offset'))
    expect(arrived).toBeGreaterThanOrEqual(most - 1)
    expect(arrived).toBeLessThanOrEqual(most)
    const late = { headers: { 'upload-length': String(most + 1) } }
    expect((await patch(id, arrived, '', late)).status).toBe(413)
    const rest = new Uint8Array(most - arrived)
    expect((await patch(id, arrived, rest, { headers: { 'upload-length': String(most) } })).status).toBe(204)
    expect(await readRow(id)).toMatchObject({ state: 'processing', bytes: most })
  })

  it('takes a length once, and none below what has arrived', async () => {
    const id = randomUUID()
    await createUpload({ id }, { 'upload-defer-length': '1' })
    await patch(id, 0, '1234')
    expect(await patch(id, 4, '5', { headers: { 'upload-length': '3' } })).toMatchObject({ status: 400 })
    expect((await patch(id, 4, '5', { headers: { 'upload-length': '10' } })).status).toBe(204)
    expect(await patch(id, 5, '6', { headers: { 'upload-length': '8' } })).toMatchObject({
      status: 400,
      field: 'headers.upload-length',
    })
    expect((await head(id)).headers.get('upload-length')).toBe('10')
  })

  it('refuses a body of another type', async () => {
    const id = randomUUID()
    await createUpload({ id })
    const refused = await patch(id, 0, '1234', { headers: { 'content-type': 'application/json' } })
    expect(refused).toMatchObject({ status: 400, field: 'headers.content-type' })
  })

  it('lets parallel requests to two servers write each byte once', async () => {
    const id = randomUUID()
    const bytes = randomBytes(1_000_000)
    await createUpload({ id }, { 'upload-length': String(bytes.length) })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => patch(id, 0, bytes, { to: index % 2 ? first : second })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(
      statuses.every((status) => [204, 409, 423].includes(status)),
      String(statuses),
    ).toBe(true)
    let offset = Number((await head(id)).headers.get('upload-offset'))
    while (offset < bytes.length) {
      await patch(id, offset, Uint8Array.from(bytes.subarray(offset)))
      offset = Number((await head(id)).headers.get('upload-offset'))
    }
    expect((await readBytes(id)).equals(bytes)).toBe(true)
    expect(await countJobs(id)).toBe(1)
  })

  it('makes way for who comes after a connection that hangs, at the other server too', async () => {
    const id = randomUUID()
    await createUpload({ id })
    const hanging = request(`${first.url}/e/${project.widgetKey}/uploads/${id}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'content-type': octets, 'upload-offset': '0', 'content-length': '10' },
    })
    hanging.on('error', () => {})
    hanging.write('1234')
    await pause(100)
    const asked = performance.now()
    expect((await head(id, { to: second })).headers.get('upload-offset')).toBe('4')
    expect(performance.now() - asked).toBeLessThan(3_000)
    expect((await patch(id, 4, '567890', { to: second })).status).toBe(204)
    hanging.destroy()
    expect((await readBytes(id)).toString()).toBe('1234567890')
  })
})

/** Sends a body without saying how long it is. */
function sendChunked(id: string, offset: number, chunks: readonly Buffer[]): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${first.url}/e/${project.widgetKey}/uploads/${id}`,
      {
        method: 'PATCH',
        headers: { 'tus-resumable': '1.0.0', 'content-type': octets, 'upload-offset': String(offset) },
      },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode)
      },
    )
    asked.on('error', reject)
    for (const chunk of chunks) asked.write(chunk)
    asked.end()
  })
}

describe('another project’s upload', () => {
  it('answers exactly as one that does not exist', async () => {
    const id = randomUUID()
    await createUpload({ id })
    await patch(id, 0, '1234')
    const without = (answer: Awaited<ReturnType<typeof send>>) => {
      const headers = Object.fromEntries(answer.headers)
      return {
        ...answer,
        text: answer.text.replace(/"requestId":"[^"]+"/, ''),
        headers: { ...headers, 'x-request-id': '', date: '' },
      }
    }
    for (const { widgetKey: key } of [sibling, stranger]) {
      for (const ask of [
        (name: string) => head(name, { key }),
        (name: string) => patch(name, 4, '5678', { key }),
        (name: string) => send('DELETE', `/e/${key}/uploads/${name}`),
      ]) {
        const foreign = without(await ask(id))
        expect(foreign.status).toBe(404)
        expect(foreign).toEqual(without(await ask(randomUUID())))
        expect(without(await ask('no-uuid')).status).toBe(404)
      }
    }
    expect((await readBytes(id)).toString()).toBe('1234')
  })
})

describe('DELETE /e/{widgetKey}/uploads/{id}', () => {
  it('discards what the visitor thought better of', async () => {
    const id = randomUUID()
    await createUpload({ id })
    await patch(id, 0, '1234')
    const { storage_key } = (await readRow(id)) ?? {}
    expect((await send('DELETE', `/e/${project.widgetKey}/uploads/${id}`)).status).toBe(204)
    expect((await head(id)).status).toBe(404)
    expect((await patch(id, 4, '5678')).status).toBe(404)
    expect((await send('DELETE', `/e/${project.widgetKey}/uploads/${id}`)).status).toBe(404)
    const { rows } = await first.client.query('select from app.removed_files where storage_key = $1', [storage_key])
    expect(rows).toHaveLength(1)
    // The id is free again, and independent of the bytes that are still to be removed.
    await createUpload({ id })
    expect((await readRow(id))?.storage_key).not.toBe(storage_key)
  })

  it('leaves alone what belongs to feedback', async () => {
    const id = randomUUID()
    await createUpload({ id })
    const item = await createFeedback(first.client, { organizationId: project.organizationId, projectId: project.id })
    await first.client.query(
      "insert into feedback_attachments (organization_id, id, feedback_id, kind) values ($1, $2, $3, 'file')",
      [project.organizationId, id, item.id],
    )
    expect(await send('DELETE', `/e/${project.widgetKey}/uploads/${id}`)).toMatchObject({
      status: 409,
      code: 'upload_claimed',
    })
    expect((await patch(id, 0, '1234567890')).status).toBe(204)
    expect(await readRow(id)).toMatchObject({ state: 'processing' })
  })
})

describe('OPTIONS', () => {
  it('lets browsers of any page go on', async () => {
    for (const path of ['uploads', `uploads/${randomUUID()}`]) {
      const answer = await send('OPTIONS', `/e/${project.widgetKey}/${path}`, { origin: 'https://shop.example.com' })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-methods')).toBe('POST, HEAD, PATCH, DELETE')
      expect(answer.headers.get('access-control-allow-headers')).toContain('upload-metadata')
    }
  })
})

describe('the limits of a visitor', () => {
  it('count files begun and bytes sent, each project for itself', async () => {
    const server = await startTestServer(
      { DATA_DIR: dataDir, UPLOAD_RATE_PER_MINUTE: '3', UPLOAD_MEGABYTES_PER_HOUR: '1' },
      { url: first.databaseUrl },
    )
    try {
      const ids = Array.from({ length: 4 }, () => randomUUID())
      const statuses: number[] = []
      for (const id of ids)
        statuses.push((await createUpload({ id, to: server }, { 'upload-length': '3000000' })).status)
      expect(statuses).toEqual([201, 201, 201, 429])
      expect((await createUpload({ to: server, key: sibling.widgetKey })).status).toBe(201)
      const [id = ''] = ids
      const refused = await patch(id, 0, new Uint8Array(3_000_000), { to: server })
      expect(refused).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
      // Bytes below the limit are kept: the rest follows later.
      const arrived = Number((await head(id)).headers.get('upload-offset'))
      expect(arrived).toBeGreaterThan(500_000)
      expect(arrived).toBeLessThanOrEqual(1_200_000)
    } finally {
      await server.stop()
    }
  })
})

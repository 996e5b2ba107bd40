import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from '#doubles/free-port.ts'
import { type S3Double, startS3Double } from '#doubles/s3.ts'
import { eventually, type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { sendFile } from '#server/testing/uploads.ts'

/* The same with a bucket instead of a disk. Servers share nothing but the database, the bucket and the secret. */
const secret = { INSTANCE_SECRET: 'one secret for all servers, at least 32 long' }
let double: S3Double
let fixture: FilesFixture
let second: TestServer
beforeAll(async () => {
  double = await startS3Double()
  fixture = await openFilesFixture({ ...double.settings, ...secret })
  second = await startTestServer({ ...double.settings, ...secret }, { url: fixture.server.databaseUrl })
})
afterAll(async () => {
  await second.stop()
  await fixture.stop()
  await double.stop()
})

const encode = (value: string) => Buffer.from(value).toString('base64')

describe('files in a bucket', () => {
  it('arrive in parts at either server, and are shown by both', async () => {
    const { server, project, submit, settle } = fixture
    const id = randomUUID()
    const bytes = makePng(300, 200)
    const path = `/e/${project.widgetKey}/uploads`
    const created = await fetch(server.url + path, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-defer-length': '1',
        'upload-metadata': `id ${encode(id)},kind ${encode('screenshot')}`,
      },
    })
    expect(created.status).toBe(201)
    const size = Math.ceil(bytes.length / 5)
    for (let offset = 0, turn = 0; offset < bytes.length; offset += size, turn += 1) {
      const to = turn % 2 === 0 ? second : server
      const part = bytes.subarray(offset, offset + size)
      const reply = await fetch(`${to.url}${path}/${id}`, {
        method: 'PATCH',
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
          ...(offset + size >= bytes.length && { 'upload-length': String(bytes.length) }),
        },
        body: Uint8Array.from(part),
      })
      expect(reply.status, await reply.text()).toBe(204)
      expect(reply.headers.get('upload-offset')).toBe(String(offset + part.length))
    }
    const [attachment] = await settle(await submit([{ id, kind: 'screenshot' }]))
    expect(attachment).toMatchObject({ state: 'ready', width: 300, height: 200, bytes: bytes.length })
    for (const { url } of [server, second]) {
      const whole = await fetch(url + attachment?.url)
      expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
      const part = await fetch(url + attachment?.url, { headers: { range: 'bytes=10-19' } })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)
    }
  })

  it('are gone with their item', async () => {
    const attachment = await fixture.attach({ kind: 'screenshot', bytes: makePng() })
    await fixture.server.client.query(
      'delete from feedback where id = (select feedback_id from feedback_attachments where id = $1)',
      [attachment.id],
    )
    await eventually(async () => (await fixture.server.client.query('select from app.removed_files')).rows.length).toBe(
      0,
    )
    expect((await fetch(fixture.server.url + attachment.url)).status).toBe(404)
  })
})

describe('while the bucket is away', () => {
  it('text is taken, files are asked to come later, and nothing of theirs is lost', async () => {
    const { server, project, submit } = fixture
    const away = { ...double.settings, S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`, ...secret }
    const without = await startTestServer(away, { url: server.databaseUrl })
    try {
      const id = randomUUID()
      const headers = { 'tus-resumable': '1.0.0' }
      const created = await fetch(`${without.url}/e/${project.widgetKey}/uploads`, {
        method: 'POST',
        headers: {
          ...headers,
          'upload-length': '4',
          'upload-metadata': `id ${encode(id)},kind ${encode('file')}`,
        },
      })
      expect(created.status).toBe(201)
      const octets = { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      const send = (to: { url: string }) =>
        fetch(`${to.url}/e/${project.widgetKey}/uploads/${id}`, { method: 'PATCH', headers: octets, body: 'text' })
      const refused = await send(without)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBeTruthy()
      expect(((await refused.json()) as { code: string }).code).toBe('unavailable')
      await submit([{ id, kind: 'file' }])
      expect((await send(server)).status).toBe(204)
    } finally {
      await without.stop()
    }
  })

  it('a file is not shown, and it is said that it may be later', async () => {
    const attachment = await fixture.attach({ kind: 'screenshot', bytes: makePng() })
    const away = { ...double.settings, S3_ENDPOINT: `http://127.0.0.1:${await findFreePort()}`, ...secret }
    const without = await startTestServer(away, { url: fixture.server.databaseUrl })
    try {
      expect((await fetch(without.url + attachment.url)).status).toBe(503)
    } finally {
      await without.stop()
    }
  })
})

describe('a server without the secret', () => {
  it('shows no file of the others', async () => {
    const id = await sendFile(fixture.server, fixture.project.widgetKey, { kind: 'screenshot', bytes: makePng() })
    const [attachment] = await fixture.settle(await fixture.submit([{ id, kind: 'screenshot' }]))
    const other = await startTestServer(double.settings, { url: fixture.server.databaseUrl })
    try {
      expect((await fetch(other.url + attachment?.url)).status).toBe(404)
    } finally {
      await other.stop()
    }
  })
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Attachment } from '#contract/files.ts'
import { loadInstanceSecret } from '#server/platform/secret/instance-secret.ts'
import { createMember, createUser } from '#server/testing/builders.ts'
import { type FilesFixture, makePng, openFilesFixture } from '#server/testing/files-fixture.ts'
import { createFileLinks } from './file-link.ts'

let fixture: FilesFixture
beforeAll(async () => {
  fixture = await openFilesFixture()
})
afterAll(() => fixture.stop())

describe('the address of a file', () => {
  let attachment: Attachment
  let url: string
  const bytes = makePng(200, 100)
  beforeAll(async () => {
    attachment = await fixture.attach({ kind: 'screenshot', bytes })
    url = fixture.server.url + attachment.url
  })

  it.each([
    ['bytes=0-9', 206, 0, 10],
    ['bytes=5-', 206, 5, bytes.length],
    ['bytes=-7', 206, bytes.length - 7, bytes.length],
    ['bytes=-999999999', 206, 0, bytes.length],
    ['bytes=0-999999999', 206, 0, bytes.length],
    ['bytes=9-5', 200, 0, bytes.length],
    ['bytes=0-1,4-5', 200, 0, bytes.length],
    ['bytes=x', 200, 0, bytes.length],
  ])('answers %s with %i', async (range, status, start, end) => {
    const reply = await fetch(url, { headers: { range } })
    const body = Buffer.from(await reply.arrayBuffer())
    expect(reply.status).toBe(status)
    expect(body.equals(bytes.subarray(start, end))).toBe(true)
    expect(reply.headers.get('content-length')).toBe(String(end - start))
    expect(reply.headers.get('accept-ranges')).toBe('bytes')
    if (status === 206) expect(reply.headers.get('content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`)
  })

  it.each([`bytes=${bytes.length}-`, 'bytes=-0'])('has no part %s', async (range) => {
    const reply = await fetch(url, { headers: { range } })
    expect(reply.status).toBe(416)
    expect(reply.headers.get('content-range')).toBe(`bytes */${bytes.length}`)
  })

  it('tells a browser that it has the file already', async () => {
    const etag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200)
    expect((await fetch(url, { headers: { range: 'bytes=0-1', 'if-range': etag } })).status).toBe(206)
  })

  it('leads nowhere once a bit of it is changed', async () => {
    const sealed = Buffer.from(attachment.url?.split('/').at(-1) ?? '', 'base64url')
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      const reply = await fetch(`${fixture.server.url}/f/${changed.toString('base64url')}`)
      expect([at, reply.status]).toEqual([at, 404])
    }
    for (const token of [
      '',
      'x',
      '..%2f..%2fauth-keys.json',
      `${attachment.url?.slice(3)}=`,
      'A'.repeat(71),
      'A'.repeat(900),
    ]) {
      expect([token, (await fetch(`${fixture.server.url}/f/${token}`)).status]).toEqual([token, 404])
    }
  })

  it('ends within the hour, and was made by this instance alone', async () => {
    const { rows } = await fixture.server.client.query('select storage_key from uploads where id = $1', [attachment.id])
    const link = { storageKey: rows[0].storage_key as string, form: 'original' } as const
    const key = (await loadInstanceSecret({ dataDir: fixture.dataDir, configured: null })).deriveKey(
      'addresses of files',
    )
    const at = (ms: number) => createFileLinks(key, '', () => Date.now() - ms).make(link)
    expect((await fetch(fixture.server.url + at(0))).status).toBe(200)
    expect((await fetch(fixture.server.url + at(1_700_000))).status).toBe(200)
    expect((await fetch(fixture.server.url + at(3_601_000))).status).toBe(404)
    const foreign = createFileLinks(Buffer.alloc(32)).make(link)
    expect((await fetch(fixture.server.url + foreign)).status).toBe(404)
  })

  it('is not given out to who may not see the item', async () => {
    const stranger = await fixture.server.signIn(await createUser(fixture.server.client))
    const viewer = await fixture.server.signIn(
      await createMember(fixture.server.client, { organizationId: fixture.project.organizationId, role: 'viewer' }),
    )
    const feedbackId = await fixture.submit([{ id: randomUUID(), kind: 'file' }])
    expect((await fixture.readItem(feedbackId, viewer)).attachments).toHaveLength(1)
    const path = `/api/v1/organizations/${fixture.project.organizationId}/feedback/${feedbackId}`
    expect((await fixture.server.call(path, { token: stranger })).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxBlogPictureBytes } from '#contract/blog-posts.ts'
import { createUser } from '#server/testing/builders.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

/* Pictures of posts, over HTTP. */

let server: TestServer
let token: string

beforeAll(async () => {
  server = await startTestServer({ API_RATE_PER_MINUTE: '100000' })
  token = await server.signIn(await createUser(server.client))
})
afterAll(() => server.stop())

const upload = (bytes: Buffer) =>
  fetch(`${server.url}/api/v1/superadmin/blog/pictures`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })

async function store(bytes: Buffer): Promise<{ id: string; url: string }> {
  const reply = await upload(bytes)
  const text = await reply.text()
  expect(reply.status, text).toBe(201)
  return JSON.parse(text) as { id: string; url: string }
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const webp = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), Buffer.from('ffd9', 'hex')])
const avif = Buffer.concat([Buffer.from('0000001c66747970', 'hex'), Buffer.from('avif\0\0\0\0mif1avifmiaf', 'latin1')])

describe('a picture of a post', () => {
  it.each([
    ['image/gif', 'gif', gif],
    ['image/png', 'png', png],
    ['image/webp', 'webp', webp],
    ['image/jpeg', 'jpg', jpeg],
    ['image/avif', 'avif', avif],
  ])('of type %s is served to anyone, permanently and without scripts', async (mime, ending, bytes) => {
    const { id, url } = await store(bytes)
    expect(url).toBe(`/blog/pictures/${id}.${ending}`)
    const reply = await fetch(server.url + url)
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, mime])
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true)
    const again = await fetch(server.url + url, { headers: { 'if-none-match': reply.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
    // Uploaded once more, it is the same.
    expect(await store(bytes)).toEqual({ id, url })
  })

  it.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['a PNG with markup behind it', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])],
    ['a part of a PNG', png.subarray(0, 30)],
    ['an MP4', Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isom\0\0\0\0isomiso2')])],
    ['a box without an end', Buffer.from('ffffffff66747970', 'hex')],
  ])('is refused if it is %s', async (_, bytes) => {
    const reply = await upload(bytes)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      fields: [{ path: 'body', message: 'must be a PNG, JPEG, WebP, AVIF or GIF picture' }],
    })
  })

  it('is in the audit log', async () => {
    const { url } = await store(gif)
    const { rows } = await server.client.query(
      "select actor_kind from audit_log where action = 'blog_picture.uploaded' and target_name = $1",
      [url],
    )
    expect(rows).toEqual([{ actor_kind: 'superadmin' }])
  })

  it('is refused if it is too large', async () => {
    const reply = await upload(Buffer.concat([png.subarray(0, 8), Buffer.alloc(maxBlogPictureBytes)]))
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })

  it('is refused if nothing is sent, or something else than bytes', async () => {
    expect((await upload(Buffer.alloc(0))).status).toBe(400)
    const sent = await server.call('/api/v1/superadmin/blog/pictures', { token, body: { data: 'R0lGODlh' } })
    expect(sent.status).toBe(415)
  })

  it('is not found under another name', async () => {
    const { id } = await store(gif)
    const none = '01a1fbfe-0000-7000-8000-000000000000.gif'
    for (const name of [`${id}.png`, id, `${id}.gif.html`, `..%2f${id}.gif`, none, '%00']) {
      expect((await fetch(`${server.url}/blog/pictures/${name}`)).status, name).toBe(404)
    }
  })
})

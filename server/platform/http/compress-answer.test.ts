import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { compressAnswer } from './compress-answer.ts'

const text = JSON.stringify({ items: Array.from({ length: 200 }, (_, n) => `Chair ${n} wobbles`) })
const app = Fastify()
const add = (path: string, headers: Record<string, string>, body: () => string | Buffer | Readable, status = 200) =>
  app.get(path, { onSend: compressAnswer }, (_request, reply) => reply.code(status).headers(headers).send(body()))
const json = { 'content-type': 'application/json; charset=utf-8' }
add('/json', json, () => text)
add(
  '/named',
  { ...json, etag: '"v1"', vary: 'accept-language', 'content-length': String(Buffer.byteLength(text)) },
  () => text,
)
add('/small', json, () => '{"ok":true}')
add('/picture', { 'content-type': 'image/png' }, () => Buffer.alloc(5000))
add('/packed', { ...json, 'content-encoding': 'gzip' }, () => Buffer.alloc(5000))
add('/part', json, () => text, 206)
add('/untouched', { ...json, 'cache-control': 'no-transform' }, () => text)
add('/events', { 'content-type': 'text/event-stream' }, () => Readable.from([text]))
afterAll(() => app.close())

const get = (url: string, accepted?: string) =>
  app.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } })

describe('an answer', () => {
  it.each([
    ['br', 'gzip, deflate, br', brotliDecompressSync],
    ['gzip', 'gzip, br;q=0', gunzipSync],
  ])('is compressed by %s for a client that accepts %s', async (encoding, accepted, unpack) => {
    const reply = await get('/json', accepted)
    expect(reply.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
    expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length))
    expect(reply.rawPayload.length).toBeLessThan(text.length / 4)
    expect(unpack(reply.rawPayload).toString()).toBe(text)
  })

  it('is plain for a client that accepts no encoding, and caches are told that it may differ', async () => {
    const reply = await get('/json')
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect([reply.headers.vary, reply.body]).toEqual(['accept-encoding', text])
  })

  it('has a weak entity tag, the length of its own bytes, and keeps what else it differs by', async () => {
    const reply = await get('/named', 'br')
    expect(reply.headers).toMatchObject({ etag: 'W/"v1"', vary: 'accept-language, accept-encoding' })
    expect(reply.headers['content-length']).toBe(String(reply.rawPayload.length))
    expect((await get('/named')).headers).toMatchObject({ etag: '"v1"', 'content-length': String(text.length) })
  })

  it.each(['/small', '/picture', '/part', '/untouched', '/events'])('stays as it is: %s', async (path) => {
    const reply = await get(path, 'br, gzip')
    expect(reply.headers['content-encoding']).toBeUndefined()
    expect(reply.rawPayload).toEqual((await get(path)).rawPayload)
  })

  it('is not compressed twice', async () => {
    const reply = await get('/packed', 'br, gzip')
    expect([reply.headers['content-encoding'], reply.rawPayload.length]).toEqual(['gzip', 5000])
  })
})

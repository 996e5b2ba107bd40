import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actFor } from '../database/actor.ts'
import { writeOrigin } from '../database/request-origin.ts'
import { createLog } from '../log/log.ts'
import { prepareRoutes } from './add-route.ts'
import { createHttpServer } from './create-http-server.ts'
import { ProductError } from './product-error.ts'
import { perMinute } from './token-buckets.ts'

const stop = new AbortController()
const app = createHttpServer({ log: createLog({ level: 'silent' }), trustProxy: [], stopping: stop.signal })
let port: number

beforeAll(async () => {
  const strangers = {
    verifyAccessToken: () => Promise.reject(new Error()),
    findStanding: async () => undefined,
    recordSuperadmin: async () => {},
    recordActivity: () => {},
  }
  prepareRoutes(app, {
    callerLookup: strangers,
    keyLookup: { findKey: async () => undefined, noteUse: () => {} },
    answerOnce: (_request, _caller, run) => run(),
    apiBuckets: perMinute(1),
    keyBuckets: perMinute(1),
  })
  app.earlyAnswers.push((request, response) => {
    if (request.url !== '/early') return false
    response.end('early')
    return true
  })
  app.get('/works', async () => ({ works: true }))
  app.get('/busy', async () => {
    throw new ProductError('unavailable')
  })
  app.get('/down', async () => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  })
  app.get('/removed', async () => {
    throw Object.assign(new Error('new row violates row-level security policy for table "exports"'), { code: '42501' })
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  // A TCP server's address is an object.
  port = (app.server.address() as { port: number }).port
})
afterAll(() => app.close())

/** Sends bytes as they are, and returns the whole answer of a server that closes the connection. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('the origin of a request', () => {
  const userId = randomUUID()
  async function read(trustProxy: string[], signedIn: boolean) {
    const other = createHttpServer({ log: createLog({ level: 'silent' }), trustProxy, stopping: stop.signal })
    other.addHook('onRequest', async (request) => {
      if (signedIn) request.caller = { actor: actFor(userId, randomUUID()), role: 'owner', isSuperadmin: false }
    })
    other.get('/origin', async () => writeOrigin())
    const headers = {
      'x-forwarded-for': '198.51.100.1, 203.0.113.9',
      'x-real-ip': '192.0.2.1',
      'user-agent': 'x'.repeat(2000),
    }
    const reply = await other.inject({ url: '/origin', headers, remoteAddress: '127.0.0.1' })
    return { ...JSON.parse(reply.payload), requestId: undefined } as Record<string, unknown>
  }

  it('is the connection’s address, or what a trusted proxy says last', async () => {
    const own = { kind: 'user', userId, userAgent: 'x'.repeat(1000) }
    expect(await read([], true)).toEqual({ ...own, ip: '127.0.0.1' })
    expect(await read(['127.0.0.1'], true)).toEqual({ ...own, ip: '203.0.113.9' })
    expect(await read(['10.0.0.0/8'], true)).toEqual({ ...own, ip: '127.0.0.1' })
  })

  it('tells nothing of a visitor', async () => {
    expect(await read([], false)).toEqual({ kind: 'visitor' })
  })
})

describe('a request', () => {
  it('of a member who is removed meanwhile is refused with 403', async () => {
    const answer = await sendRaw('GET /removed HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    expect(answer).toContain('permission_denied')
  })

  it.each([
    ['the same', '/works', 'a.example', 'a.example'],
    ['different', '/works', 'a.example', 'b.example'],
    ['different, of an early answer', '/early', 'a.example', 'b.example'],
  ])('with two Host headers (%s) is refused with 400', async (_name, path, first, second) => {
    const answer = await sendRaw(
      `GET ${path} HTTP/1.1\r\nHost: ${first}\r\nhOST: ${second}\r\nConnection: close\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('application/problem+json')
    expect(answer).toContain('more than one Host header')
  })

  it('with one Host header and others that look like it is answered', async () => {
    const answer = await sendRaw('GET /works HTTP/1.1\r\nHost: a\r\nX-Host: b\r\nHos: c\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(await sendRaw('GET /early HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a 503', () => {
  it.each(['/busy', '/down'])('of %s is a problem document with Retry-After', async (path) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`)
    expect(reply.status).toBe(503)
    expect(reply.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(await reply.json()).toMatchObject({ code: 'unavailable', status: 503 })
  })
})

describe('a server that stops', () => {
  it('answers, and ends each connection', async () => {
    stop.abort()
    const answer = await sendRaw('GET /works HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(answer.toLowerCase()).toContain('connection: close')
  })

  it('also answers what arrives on a kept connection while it closes', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => {
      // Half a request keeps the connection busy while the server closes.
      socket.write('GET /works HTTP/1.1\r\nHost: a\r\n')
      setImmediate(() => {
        void app.close()
        setImmediate(() => socket.write('\r\n'))
      })
    })
    socket.on('data', (chunk) => {
      answer += chunk.toString()
    })
    socket.on('close', () => resolve())
    await closed
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('a server below a path', () => {
  const below = createHttpServer({
    log: createLog({ level: 'silent' }),
    trustProxy: [],
    stopping: stop.signal,
    basePath: '/feedback',
  })
  let url: string
  beforeAll(async () => {
    below.earlyAnswers.push((request, response) => {
      if (request.url !== '/early') return false
      response.end('early')
      return true
    })
    below.get('/here', async (_request, reply) => reply.code(201).header('location', '/there').send({ here: true }))
    below.get('/away', async (_request, reply) => reply.redirect('https://example.com/x'))
    url = await below.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => below.close())

  it('answers with and without the path', async () => {
    expect((await fetch(`${url}/feedback/here?a=1`)).status).toBe(201)
    expect((await fetch(`${url}/here`)).status).toBe(201)
    expect((await fetch(`${url}/feedback-form/here`)).status).toBe(404)
    expect(await (await fetch(`${url}/feedback/early`)).text()).toBe('early')
  })

  it('adds the path to addresses of its own in Location, and to no others', async () => {
    expect((await fetch(`${url}/feedback/here`)).headers.get('location')).toBe('/feedback/there')
    const away = await fetch(`${url}/feedback/away`, { redirect: 'manual' })
    expect(away.headers.get('location')).toBe('https://example.com/x')
  })
})

import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { ServerBuild } from 'react-router'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Post } from '#contract/blog.ts'
import type { Guide } from '#contract/docs.ts'
import type { SiteContent } from '#contract/site-content.ts'
import { createLog } from '../log/log.ts'
import { prepareRoutes } from './add-route.ts'
import { createHttpServer } from './create-http-server.ts'
import { registerSecurityHeaders } from './security-headers.ts'
import { perMinute } from './token-buckets.ts'
import { addWebApp } from './web-app.ts'

/* The pages of the built web app. */
const publicConfig = {
  appUrl: 'https://earshot.example',
  supabaseUrl: 'https://earshot.example',
  supabaseAnonKey: 'public',
}
/** Public pages with parameters exist for these alone. */
const siteContent: SiteContent = {
  listPlans: async () => [],
  getOperator: () => ({ name: null, address: null }),
  readLegalText: async () => ({ html: '<p>Text</p>', title: 'Privacy policy', isTemplate: true }),
  listGuides: async () => [],
  listPosts: async () => [],
  readPost: async (slug) => {
    if (slug === 'broken') throw new Error('The posts are away.')
    return slug === 'first' || slug === 'second' ? writePost(slug) : undefined
  },
  readGuide: async (path) => (path === 'first' || path === 'second' ? writeGuide(path) : undefined),
}
/** What the server has logged, a JSON line each. */
const logLines: string[] = []
let app: FastifyInstance
let build: ServerBuild

beforeAll(async () => {
  app = await createPages(publicConfig)
  const file = join(resolve(import.meta.dirname, '../../..'), 'build/web/server/index.js')
  build = (await import(pathToFileURL(file).href)) as ServerBuild
})
afterAll(() => app.close())

function writePost(slug: string): Post {
  const words = { title: `The ${slug} post`, description: 'Words.', tags: [], html: '<p>Text</p>' }
  const times = { publishedAt: '2026-01-31T00:00:00.000Z', updatedAt: '2026-01-31T00:00:00.000Z', readingMinutes: 1 }
  const search = { seoTitle: words.title, seoDescription: words.description }
  return { slug, ...words, ...times, ...search, authorName: '', coverUrl: null, older: null, newer: null }
}

function writeGuide(path: string): Guide {
  const words = { title: `The ${path} guide`, description: 'Words.', section: 'Help', html: '<p>Text</p>' }
  return { path, ...words, changed: null, headings: [], editUrl: null, previous: null, next: null }
}

async function createPages(config: typeof publicConfig): Promise<FastifyInstance> {
  const stopping = new AbortController().signal
  const pages = createHttpServer({
    log: createLog({ level: 'error', destination: { write: (line) => void logLines.push(line) } }),
    trustProxy: ['127.0.0.1'],
    stopping,
  })
  const lookup = {
    verifyAccessToken: () => Promise.reject(new Error()),
    findStanding: async () => undefined,
    recordSuperadmin: async () => {},
    recordActivity: () => {},
  }
  prepareRoutes(pages, {
    callerLookup: lookup,
    keyLookup: { findKey: async () => undefined, noteUse: () => {} },
    answerOnce: (_request, _caller, run) => run(),
    apiBuckets: perMinute(1),
    keyBuckets: perMinute(1),
  })
  await registerSecurityHeaders(pages, {
    appUrl: config.appUrl,
    connectSources: [],
    scriptSources: [],
    imageSources: [],
    frameSources: [],
  })
  // Settings that are not given are absent in tests alone.
  await addWebApp(pages, {
    publicConfig: config as Parameters<typeof addWebApp>[1]['publicConfig'],
    development: false,
    siteContent,
  })
  return pages
}

/** The page with the nonces of its answer taken out, and what else there is to compare. */
async function get(url: string, headers: Record<string, string> = {}) {
  const reply = await app.inject({ url, headers })
  const policy = String(reply.headers['content-security-policy'])
  const nonces = [...policy.matchAll(/'nonce-([^']+)'/g)].map(([, nonce = '']) => nonce)
  const html = nonces.reduce((text, nonce) => text.replaceAll(nonce, 'NONCE'), reply.body)
  return { status: reply.statusCode, html, nonces, raw: reply.body, headers: reply.headers }
}

interface Address {
  readonly address: string
  /** With other values of its parameters. */
  readonly other: string
  /** Whether the page depends on its parameters. */
  readonly isOfPath: boolean
}

/** Every address of the web app, with two values for each parameter. */
function listAddresses(): Address[] {
  const isPublic = (id: string | undefined): boolean => {
    const route = id === undefined ? undefined : build.routes[id]
    // React Router leaves a handle's type to the app.
    const handle = route?.module.handle as { isPublic?: boolean } | undefined
    return handle?.isPublic === true || (route !== undefined && isPublic(route.parentId))
  }
  const readPath = (id: string | undefined): string => {
    const route = id === undefined ? undefined : build.routes[id]
    return route ? [readPath(route.parentId), route.path].filter(Boolean).join('/') : ''
  }
  const leaves = Object.values(build.routes).filter((route) => route?.path !== undefined || route?.index)
  return leaves.map((route) => {
    const path = `/${readPath(route?.id)}`
    const fill = (value: string) => path.replaceAll(/:\w+/g, value).replace('*', `${value}/nowhere`)
    const isOfPath = path.includes(':') && isPublic(route?.id)
    return { address: fill(isOfPath ? 'first' : 'first-secret'), other: fill('second'), isOfPath }
  })
}

const query =
  '?q=query-secret&error=x&error_code=otp_expired&error_description=query-secret&success=true&message=query-secret' +
  '&redirect=%2Fdashboard&email=query-secret%40b.example&token=query-secret&item=1&code=query-secret&type=recovery'

describe('a page', () => {
  it('is the same for everyone: whatever its parameters, its query and the headers are', async () => {
    const addresses = listAddresses()
    expect(addresses.length).toBeGreaterThan(20)
    for (const { address, other, isOfPath } of addresses) {
      const page = await get(address)
      // The error page is no page of a route.
      expect(page.status, address).toBe(address.endsWith('/nowhere') ? 404 : 200)
      for (const [url, headers] of [
        ...(isOfPath ? [] : [[other, {}] as const]),
        [address + query, {}],
        [address, { cookie: 'header-secret', authorization: 'Bearer header-secret', host: 'header-secret' }],
      ] as const) {
        const again = await get(url, headers)
        expect([again.status, again.html === page.html, again.raw.includes('secret')], url).toEqual([
          page.status,
          true,
          false,
        ])
      }
    }
  })

  it('that is public depends on its path, and there is none for other paths', async () => {
    const addresses = listAddresses().filter(({ isOfPath }) => isOfPath)
    expect(addresses.map(({ address }) => address)).toContain('/docs/guides/first')
    for (const { address, other } of addresses) {
      const [page, second] = [await get(address), await get(other)]
      expect([page.status, second.status], address).toEqual([200, 200])
      expect(page.html === second.html).toBe(false)
      const nowhere = address.replace('first', 'nonsense-secret')
      for (const url of [nowhere, nowhere + query]) {
        const missing = await get(url)
        expect([missing.status, missing.raw.includes('secret')], url).toEqual([404, false])
      }
    }
  })

  it('carries the nonces of its own answer, and no other', async () => {
    const [one, other] = [await get('/login'), await get('/login')]
    expect(one.nonces).toHaveLength(2)
    for (const page of [one, other]) {
      const used = [...page.raw.matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce)
      expect(used.length).toBeGreaterThan(10)
      expect(new Set(used)).toEqual(new Set(page.nonces))
    }
    expect(one.nonces.some((nonce) => other.raw.includes(nonce))).toBe(false)
    expect(one.headers['cache-control']).toBe('no-store')
  })

  it.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('is sent by %s as it was compressed once, with the nonces of its answer', async (encoding, unpack) => {
    const ask = async (address: string) => {
      const reply = await app.inject({ url: address, headers: { 'accept-encoding': encoding } })
      const policy = String(reply.headers['content-security-policy'])
      const nonces = [...policy.matchAll(/'nonce-([^']+)'/g)].map(([, nonce = '']) => nonce)
      return { headers: reply.headers, nonces, packed: reply.rawPayload }
    }
    for (const { address } of listAddresses()) {
      const [one, other] = [await ask(address), await ask(address)]
      expect(one.headers, address).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      for (const { nonces, packed } of [one, other]) {
        const html = nonces.reduce((text, nonce) => text.replaceAll(nonce, 'NONCE'), unpack(packed).toString())
        expect(html === (await get(address)).html, address).toBe(true)
      }
      // The nonces are two of 32 characters; gzip ends in a checksum. Compressed again, nearly all bytes would differ.
      const differing = one.packed.filter((byte, index) => byte !== other.packed[index])
      expect(differing.length, address).toBeLessThanOrEqual(68)
    }
  })

  it('keeps the status and the headers of its route', async () => {
    expect((await get('/nowhere/at/all')).status).toBe(404)
    expect((await get('/conversation/token')).headers['referrer-policy']).toBe('no-referrer')
    const head = await app.inject({ method: 'HEAD', url: '/' })
    expect([head.statusCode, head.body]).toEqual([200, ''])
  })

  it('shows what the server has to show, and runs none of the app', async () => {
    const { html } = await get('/pricing')
    expect(html).toContain('This instance is self-hosted and free')
    expect([...html.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      expect.stringMatching(/^\/assets\/site-script-[\w-]+\.js$/),
    ])
  })

  it('contains the settings of its server', async () => {
    const others = await createPages({ ...publicConfig, appUrl: 'https://other.example' })
    try {
      expect((await others.inject('/')).body).toContain('https://other.example/')
      expect((await get('/')).raw).toContain('https://earshot.example/')
    } finally {
      await others.close()
    }
  })
})

describe('a public page that fails', () => {
  it('names its request, by which the log says why, and reloads', async () => {
    const { status, html, headers } = await get('/blog/broken')
    const id = String(headers['x-request-id'])
    expect([status, html]).toEqual([500, expect.stringContaining('Oops! Something went wrong')])
    expect(html).toMatch(new RegExp(`Request ID <code[^>]*>${id}</code>`))
    expect(html.match(/<button[^>]* data-reload/g)).toHaveLength(2)
    // The page is sent before its line is written.
    await expect.poll(() => logLines.some((line) => line.includes(id))).toBe(true)
    expect(JSON.parse(logLines.find((line) => line.includes(id)) ?? '')).toMatchObject({
      requestId: id,
      status: 500,
      err: { message: 'The posts are away.' },
    })
    expect((await get('/blog/nothing')).html).not.toContain('Request ID')
  })
})

describe('a request for the data of a page', () => {
  it('is answered by React Router, for each address so often', async () => {
    const ask = (ip: string) => app.inject({ url: '/nowhere.data', headers: { 'x-forwarded-for': ip } })
    const first = await ask('203.0.113.1')
    expect(first.headers['content-type']).toContain('text/x-script')
    const statuses = []
    for (let index = 0; index < 130; index += 1) statuses.push((await ask('203.0.113.1')).statusCode)
    expect(statuses.at(-1)).toBe(429)
    expect((await ask('203.0.113.2')).statusCode).not.toBe(429)
    // Pages of the cache have no limit.
    expect((await app.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.1' } })).statusCode).toBe(200)
  })
})

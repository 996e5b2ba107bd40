/*
 * The web app's pages and files: what was built into build/web, or, while developing, what Vite makes of the sources.
 */

import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'
import type { SiteContent } from '#contract/site-content.ts'
import { spend } from './add-route.ts'
import { readBasePath } from './base-path.ts'
import { chooseEncoding } from './choose-encoding.ts'
import { compressAnswer } from './compress-answer.ts'
import type { Nonces } from './nonces.ts'
import { createPageCache } from './page-cache.ts'
import { perMinute, rateKeyOf } from './token-buckets.ts'

export interface WebAppOptions {
  readonly publicConfig: PublicConfig
  readonly siteContent: SiteContent
  /** Serve the sources through Vite with hot reload instead of the build. */
  readonly development: boolean
}

const root = resolve(import.meta.dirname, '../../..')
const clientFolder = join(root, 'build/web/client')
const serverBuild = join(root, 'build/web/server/index.js')
/** Where addresses of built files begin in React Router’s list of them. */
const listedFile = /(?<=")(?=\/assets\/)/g
const fileList = /^assets\/manifest-[\w-]+\.js$/
const oneYearMs = 365 * 86_400_000
/** For one IP address: the browser asks for data of a page that does not exist, and rarely for anything else. */
const uncachedPerMinute = 120

/** What the app's server entry offers beyond React Router's own interface. */
interface EntryModule {
  setBasePath(path: string): void
  setPageContext(
    context: RouterContextProvider,
    page: {
      scriptNonce: string
      styleNonce: string
      publicConfig: PublicConfig
      siteContent: SiteContent
      request?: { id: string; noteFailure: (error: unknown) => void } | undefined
    },
  ): void
}

/**
 * Answers every address that no other route has: files of the build, then pages. Register it last.
 *
 * @throws Error when the web app isn't built.
 */
export async function addWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const answer = options.development
    ? answerFromSources(await serveSources(app), options)
    : answerFromBuild(await serveBuild(app, readBasePath(options.publicConfig.appUrl ?? 'http://localhost')), options)
  app.route({ method: ['GET', 'HEAD'], url: '/', handler: answer, exposeHeadRoute: false })
  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: answer, exposeHeadRoute: false })
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type LoadBuild = () => Promise<ServerBuild>

/** While developing, every page is rendered for its request. */
function answerFromSources(loadBuild: LoadBuild, options: WebAppOptions): Answer {
  return async (request, reply) => renderPage(request, reply, await loadBuild(), options)
}

/** Pages come from the cache. Whatever else React Router answers is rendered, for each address so often. */
function answerFromBuild(build: ServerBuild, options: WebAppOptions): Answer {
  const buckets = perMinute(uncachedPerMinute)
  const handle = createRequestHandler(build, 'production')
  const pages = createPageCache(build, async (path, nonces) => {
    const request = new Request(toOwnUrl(path, options.publicConfig))
    const page = await handle(request, createContext(build, nonces, options))
    return { status: page.status, headers: [...page.headers], body: Buffer.from(await page.arrayBuffer()) }
  })
  return async (request, reply) => {
    const pathname = request.url.split('?', 1)[0] ?? ''
    // React Router's requests for the data of a page.
    const isData = pathname.endsWith('.data')
    const onRender = () => void spend(buckets, rateKeyOf(request.ip))
    const asked = { nonces: reply.cspNonce, acceptedEncodings: request.headers['accept-encoding'], onRender }
    const page = isData ? undefined : await pages.find(pathname, asked)
    if (page) return setHeaders(reply.code(page.status), page.headers).send(page.body)
    onRender()
    return renderPage(request, reply, build, options)
  }
}

/** Every file gets a route of its own, so that what isn't a file is a page, without a look at the disk. */
async function serveBuild(app: FastifyInstance, basePath: string): Promise<ServerBuild> {
  if (!existsSync(serverBuild)) throw new Error('The web app is not built. Run `npm run build`.')
  const files = (await readdir(clientFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(clientFolder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const known = new Set(files)
  await app.register(fastifyStatic, { root: clientFolder, serve: false })
  for (const file of files.filter((name) => !/\.(br|gz)$/.test(name))) {
    // Names under assets/ hold a hash of the content.
    const immutable = file.startsWith('assets/')
    if (basePath !== '' && fileList.test(file)) {
      await addMovedList(app, file, basePath)
      continue
    }
    app.get(`/${file}`, (request, reply) => {
      const accepted = request.headers['accept-encoding']
      const encoding = chooseEncoding(accepted, (each) => known.has(file + suffixes[each]))
      reply.header('vary', 'accept-encoding')
      if (encoding) reply.header('content-encoding', encoding).type(contentTypes[extensionOf(file)] ?? '')
      return reply.sendFile(encoding ? file + suffixes[encoding] : file, {
        contentType: encoding === undefined,
        ...(immutable ? { maxAge: oneYearMs, immutable: true } : { maxAge: 0 }),
      })
    })
  }
  // React Router's build of this repository.
  return moveBuild((await import(pathToFileURL(serverBuild).href)) as ServerBuild, basePath)
}

/** React Router’s list of files, as it is below the base path. */
async function addMovedList(app: FastifyInstance, file: string, basePath: string): Promise<void> {
  const list = (await readFile(join(clientFolder, file), 'utf8')).replaceAll(listedFile, basePath)
  app.get(`/${file}`, { onSend: compressAnswer }, (_request, reply) =>
    reply
      .type(contentTypes.js ?? '')
      .header('cache-control', `public, max-age=${oneYearMs / 1000}, immutable`)
      .send(list),
  )
}

/** The build as it is below the base path: built for the root, it runs anywhere. */
function moveBuild(build: ServerBuild, basePath: string): ServerBuild {
  entryOf(build).setBasePath(basePath)
  if (basePath === '') return build
  // Only addresses differ.
  const assets = JSON.parse(JSON.stringify(build.assets).replaceAll(listedFile, basePath)) as ServerBuild['assets']
  return { ...build, assets, basename: basePath, publicPath: `${basePath}/` }
}

function entryOf(build: ServerBuild): EntryModule {
  // Our entry.server.tsx exports more than React Router's type says.
  return build.entry.module as unknown as EntryModule
}

/** Of the compressed copies that the build left beside a file. */
const suffixes = { br: '.br', gzip: '.gz' } as const

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

async function serveSources(app: FastifyInstance): Promise<LoadBuild> {
  // Only here: production has no Vite.
  const { createServer } = await import('vite')
  const vite = await createServer({
    root,
    // The reload socket shares the port: one address for everything.
    server: { middlewareMode: true, hmr: { server: app.server } },
    appType: 'custom',
  })
  app.addHook('onClose', () => vite.close())
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/api/') || request.url.startsWith('/auth/v1/') || request.url.startsWith('/e/')) return
    const passed = await new Promise<boolean>((done) => {
      reply.raw.once('close', () => done(false))
      vite.middlewares(request.raw, reply.raw, () => done(true))
    })
    if (!passed) reply.hijack()
  })
  // React Router's build of this repository.
  return async () => (await vite.ssrLoadModule('virtual:react-router/server-build')) as ServerBuild
}

async function renderPage(
  request: FastifyRequest,
  reply: FastifyReply,
  build: ServerBuild,
  options: WebAppOptions,
): Promise<FastifyReply> {
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  const page = await createRequestHandler(build, options.development ? 'development' : 'production')(
    new Request(toOwnUrl(request.url, options.publicConfig), {
      method: request.method,
      headers: copyHeaders(request),
      signal: gone.signal,
    }),
    createContext(build, reply.cspNonce, options, request),
  )
  // The DOM's and Node's types of the same class differ.
  const body = page.body ? Readable.fromWeb(page.body as ReadableStream) : null
  return setHeaders(reply.code(page.status), page.headers).send(body)
}

/** The configured address, not the Host header, which can hold anything; and no relative address, which could name a host. */
function toOwnUrl(path: string, { appUrl }: PublicConfig): string {
  return `${appUrl ?? 'http://localhost'}${path}`
}

/** @param request undefined: a page for everyone, which names no one's request. */
function createContext(
  build: ServerBuild,
  nonces: Nonces,
  options: WebAppOptions,
  request?: FastifyRequest,
): RouterContextProvider {
  const { publicConfig, siteContent } = options
  const context = new RouterContextProvider()
  entryOf(build).setPageContext(context, {
    scriptNonce: nonces.script,
    styleNonce: nonces.style,
    publicConfig,
    siteContent,
    request: request && {
      id: request.id,
      noteFailure: (err) => {
        // The first is the cause of the others.
        request.failure ??= { code: 'page_failed', err }
      },
    },
  })
  return context
}

function setHeaders(reply: FastifyReply, headers: Iterable<readonly [string, string]>): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value)
  // A page contains nonces: it is good for one answer only.
  return reply.header('cache-control', 'no-store')
}

function copyHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const entry of Array.isArray(value) ? value : [value ?? '']) {
      if (!name.startsWith(':')) headers.append(name, entry)
    }
  }
  return headers
}

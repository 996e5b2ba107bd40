/*
 * The web app's pages and files: what was built into build/web, or, while developing, what Vite makes of the sources.
 */
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { pathToFileURL } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import type { PublicConfig } from '#contract/config.ts'

export interface WebAppOptions {
  readonly publicConfig: PublicConfig
  /** Serve the sources through Vite with hot reload instead of the build. */
  readonly development: boolean
}

const root = resolve(import.meta.dirname, '../../..')
const clientFolder = join(root, 'build/web/client')
const serverBuild = join(root, 'build/web/server/index.js')
const oneYearMs = 365 * 86_400_000

/** What the app's server entry offers beyond React Router's own interface. */
interface EntryModule {
  setPageContext(
    context: RouterContextProvider,
    page: { scriptNonce: string; styleNonce: string; publicConfig: PublicConfig },
  ): void
}

/**
 * Answers every address that no other route has: files of the build, then pages. Register it last.
 *
 * @throws Error when the web app isn't built.
 */
export async function addWebApp(app: FastifyInstance, options: WebAppOptions): Promise<void> {
  const loadBuild = options.development ? await serveSources(app) : await serveBuild(app)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => renderPage(request, reply, loadBuild, options)
  app.route({ method: ['GET', 'HEAD'], url: '/', handler: answer, exposeHeadRoute: false })
  app.route({ method: ['GET', 'HEAD'], url: '/*', handler: answer, exposeHeadRoute: false })
}

type LoadBuild = () => Promise<ServerBuild>

/** Every file gets a route of its own, so that what isn't a file is a page, without a look at the disk. */
async function serveBuild(app: FastifyInstance): Promise<LoadBuild> {
  if (!existsSync(serverBuild)) throw new Error('The web app is not built. Run `npm run build`.')
  const files = (await readdir(clientFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(clientFolder, join(entry.parentPath, entry.name)).split(sep).join('/'))
  const known = new Set(files)
  await app.register(fastifyStatic, { root: clientFolder, serve: false })
  for (const file of files.filter((name) => !/\.(br|gz)$/.test(name))) {
    // Names under assets/ hold a hash of the content.
    const immutable = file.startsWith('assets/')
    app.get(`/${file}`, (request, reply) => {
      const encoding = chooseEncoding(request.headers['accept-encoding'], file, known)
      reply.header('vary', 'accept-encoding')
      if (encoding) reply.header('content-encoding', encoding.name).type(contentTypes[extensionOf(file)] ?? '')
      return reply.sendFile(encoding?.file ?? file, {
        contentType: encoding === undefined,
        ...(immutable ? { maxAge: oneYearMs, immutable: true } : { maxAge: 0 }),
      })
    })
  }
  // React Router's build of this repository.
  const build = (await import(pathToFileURL(serverBuild).href)) as ServerBuild
  return async () => build
}

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

/** The best of the compressed copies that the build left beside the file and the browser understands. */
function chooseEncoding(accepted: string | undefined, file: string, known: ReadonlySet<string>) {
  return [
    { name: 'br', file: `${file}.br` },
    { name: 'gzip', file: `${file}.gz` },
  ].find(({ name, file: copy }) => accepted?.includes(name) === true && known.has(copy))
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
  loadBuild: LoadBuild,
  { publicConfig, development }: WebAppOptions,
): Promise<FastifyReply> {
  const build = await loadBuild()
  const handle = createRequestHandler(build, development ? 'development' : 'production')
  const gone = new AbortController()
  request.raw.once('close', () => gone.abort())
  const context = new RouterContextProvider()
  // Our entry.server.tsx exports more than React Router's type says.
  const entry = build.entry.module as unknown as EntryModule
  entry.setPageContext(context, {
    scriptNonce: reply.cspNonce.script,
    styleNonce: reply.cspNonce.style,
    publicConfig,
  })
  const page = await handle(
    // The configured origin, not the Host header, which can hold anything; and no relative address, which could name a host.
    new Request(`${new URL(publicConfig.appUrl ?? 'http://localhost').origin}${request.url}`, {
      method: request.method,
      headers: copyHeaders(request),
      signal: gone.signal,
    }),
    context,
  )
  reply.code(page.status)
  for (const [name, value] of page.headers) reply.header(name, value)
  // A page holds a nonce: it is good for one answer only.
  reply.header('cache-control', 'no-store')
  // The DOM's and Node's types of the same class differ.
  return reply.send(page.body ? Readable.fromWeb(page.body as ReadableStream) : null)
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

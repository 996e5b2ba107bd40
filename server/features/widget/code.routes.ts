import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { widgetLocales } from '#contract/widget-settings.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Counters } from './counters.ts'
import { type CodeWidget, createDemoWidget } from './demo-widget.ts'
import { createEarlyLoader } from './early-loader.ts'
import { readLanguage, takesBrotli } from './read-browser.ts'
import { type Rendered, renderLoader, renderTexts, type ShownWidget, versionOf } from './render.ts'
import type { WidgetBuild } from './widget-build.ts'
import type { WidgetCache } from './widget-cache.ts'

export interface CodeParts {
  readonly widgets: WidgetCache
  readonly build: WidgetBuild
  readonly counters: Counters
  readonly metrics: Metrics | null
  readonly appUrl: string
}

/** The widget's code: the loader and the texts of each project, and the stages that all projects share. */
export async function codeRoutes(scope: FastifyInstance, parts: CodeParts): Promise<void> {
  bareHeaders(scope)
  const renderOnce = rememberRendered()
  const demo = createDemoWidget(parts.appUrl)
  const find: Find = async (key) => (key === demo.key ? demo : parts.widgets.find(key))
  loaderRoute(scope, parts, find, renderOnce)
  textsRoute(scope, parts, find, renderOnce)
  samplePageRoutes(scope, parts.build)
  await stageRoutes(scope, parts.build)
}

/** Left on: `strict-transport-security` and `x-content-type-options`. */
const scriptHeaders = {
  enableCSPNonces: false,
  contentSecurityPolicy: false,
  crossOriginOpenerPolicy: false,
  // Set for every origin, see `openToEveryOrigin`.
  crossOriginResourcePolicy: false,
  originAgentCluster: false,
  referrerPolicy: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
} as const

/**
 * Scripts need few headers: they frame nothing and are framed by nothing, and each page's own policy rules what they may
 * do. The policy of our pages, with its nonces, would be a third of what a visitor downloads of some of them.
 */
function bareHeaders(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    // As Helmet keeps a route's option `helmet`: its own hook came first, and routes of static files take no options.
    route.config = Object.assign(route.config ?? {}, { helmet: scriptHeaders })
  })
  scope.addHook('onRequest', (_request, reply, done) => {
    // Scripts are asked for by their address: nothing reads these.
    reply.removeHeader('access-control-expose-headers')
    done()
  })
}

type Find = (key: string) => Promise<CodeWidget | undefined>

function loaderRoute(scope: FastifyInstance, parts: CodeParts, find: Find, renderOnce: Render): void {
  const { widgets, build, counters } = parts
  const ownHost = new URL(parts.appUrl).hostname
  const early = createEarlyLoader(parts)
  scope.earlyAnswers.push(early.answer)
  /** On Earshot's own pages: the preview, and the trial page. */
  const showHere = (widget: CodeWidget, draftToken?: string): ShownWidget => ({
    ...show(widget, draftToken),
    hosts: [ownHost],
  })

  scope.get<{ Params: { file: string }; Querystring: { draft?: unknown; own?: unknown } }>(
    '/e/:file',
    async (request, reply) => {
      const key = /^(.+)\.js$/.exec(request.params.file)?.[1] ?? ''
      const { draft, own } = request.query
      const language = readLanguage(request.headers)
      if (typeof draft === 'string') {
        const widget = await widgets.findDraft(key, draft)
        if (!widget) return sendUnknownWidget(reply)
        return sendCode(request, reply, await renderLoader(build, showHere(widget, draft), language), 'no-store')
      }
      const widget = await find(key)
      if (!widget) return sendUnknownWidget(reply)
      if (widget.isArchived) return sendHiddenWidget(reply, 'is archived')
      if (widget.isSuspended) return sendHiddenWidget(reply, 'collects no feedback at the moment')
      // Tests neither count as an installation nor are cached.
      if (own !== undefined) {
        return sendCode(request, reply, await renderLoader(build, showHere(widget), language), 'no-store')
      }
      counters.noteLoad(widget.key)
      const rendered = await renderOnce(widget, `loader ${language}`, () => renderLoader(build, show(widget), language))
      reply.header('vary', 'accept-encoding, accept-language')
      // Pages get changed settings after five seconds. Until then, and while the server is unreachable, the old code serves.
      reply.raw.once('finish', () => {
        const { statusCode: status } = reply
        early.keep(widget, request.headers, { status, headers: reply.getHeaders(), rendered })
      })
      return sendCode(
        request,
        reply,
        rendered,
        'public, max-age=5, stale-while-revalidate=86400, stale-if-error=604800',
      )
    },
  )
}

function textsRoute(scope: FastifyInstance, { widgets, build }: CodeParts, find: Find, renderOnce: Render): void {
  scope.get<{ Params: { widgetKey: string; file: string } }>('/e/:widgetKey/:file', async (request, reply) => {
    const { widgetKey, file } = request.params
    const [, name = '', version = ''] = /^([a-z]{2})-([A-Za-z0-9_-]{8,22})\.js$/.exec(file) ?? []
    const locale = widgetLocales.find((each) => each === name) ?? 'en'
    const draft = version.length === 22 ? await widgets.findDraft(widgetKey, version) : undefined
    if (draft) return sendCode(request, reply, await renderTexts(build, show(draft, version), locale), 'no-store')
    const widget = version === '' ? undefined : await find(widgetKey)
    if (!widget) return sendUnknownWidget(reply)
    const rendered = await renderOnce(widget, locale, () => renderTexts(build, show(widget), locale))
    // An older loader asks by its own version's name: it gets the current code, uncached under this name.
    const isPresent = version === versionOf(build, show(widget))
    return sendCode(request, reply, rendered, isPresent ? 'public, max-age=31536000, immutable' : 'no-store')
  })
}

function samplePageRoutes(scope: FastifyInstance, build: WidgetBuild): void {
  const send = (reply: FastifyReply, policy: string, page: string) =>
    reply
      .headers({ 'content-security-policy': policy, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      .type('text/html; charset=utf-8')
      .send(page)
  scope.get('/e/preview', async (_request, reply) => send(reply, strictPolicy, build.previewPage))
  scope.get<{ Querystring: { policy?: unknown } }>('/e/trial', async ({ query }, reply) =>
    send(reply, query.policy === 'strict' ? strictPolicy : framePolicy, build.trialPage),
  )
}

async function stageRoutes(scope: FastifyInstance, build: WidgetBuild): Promise<void> {
  await scope.register(fastifyStatic, {
    root: build.folder,
    prefix: '/e/a/',
    decorateReply: false,
    index: false,
    // The folder's name is a hash of its content: its files never change. The loader is not in it.
    immutable: true,
    preCompressed: true,
    acceptRanges: false,
    lastModified: false,
    maxAge: '1y',
    allowedPath: (path) => /^\/[0-9a-f]{10}\/[a-z-]+\.(js|css)$/.test(path),
  })
}

/** The widget as the project's own sites get it. */
function show(widget: CodeWidget, draftToken?: string): ShownWidget {
  return {
    key: widget.key,
    hosts: [widget.domain, ...widget.extraOrigins],
    settings: widget.settings,
    ...(draftToken !== undefined && { draftToken }),
  }
}

const framePolicy = "frame-ancestors 'self'"
// Invented pages that our screens frame. As strict as the policy that the widget supports.
const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  framePolicy,
].join('; ')

type Render = (widget: CodeWidget, name: string, make: () => Promise<Rendered>) => Promise<Rendered>

/** Makes each piece of code once per widget and change: a changed widget is another object. */
function rememberRendered(): Render {
  const rendered = new WeakMap<CodeWidget, Map<string, Promise<Rendered>>>()
  return (widget, name, make) => {
    const own = rendered.get(widget) ?? new Map<string, Promise<Rendered>>()
    rendered.set(widget, own)
    const code = own.get(name) ?? make()
    own.set(name, code)
    return code
  }
}

async function sendCode(
  request: FastifyRequest,
  reply: FastifyReply,
  { code, brotli, etag }: Rendered,
  cacheControl: string,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': cacheControl, etag }).type('text/javascript; charset=utf-8')
  if (!reply.hasHeader('vary')) reply.header('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return takesBrotli(request.headers) ? reply.header('content-encoding', 'br').send(brotli) : reply.send(code)
}

// Reloaded pages show no button. An open page gets an error when it sends to an archived project; a suspended
// organisation's keeps what it gets.
function sendHiddenWidget(reply: FastifyReply, why: string): FastifyReply {
  return reply
    .code(200)
    .header('cache-control', 'public, max-age=5')
    .type('text/javascript; charset=utf-8')
    .send(`console.info("Earshot: this project ${why}, so its widget is not shown.")\n`)
}

// Unknown key: an error page would be a script error on the visitor's site, so a console warning is sent instead.
function sendUnknownWidget(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/javascript; charset=utf-8')
    .send('console.warn("Earshot: unknown widget key. Copy the snippet again from your project.")\n')
}

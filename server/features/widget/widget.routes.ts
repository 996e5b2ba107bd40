import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { submitFeedback } from '#contract/widget.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { toProductError } from '#server/platform/http/to-product-error.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { LoadNotes } from './load-notes.ts'
import { renderLoader, type WidgetBuild } from './loader.ts'
import type { Ingest, Visit } from './widget.service.ts'
import type { WidgetCache } from './widget-cache.ts'

export interface WidgetParts {
  readonly ingest: Ingest
  readonly widgets: WidgetCache
  readonly build: WidgetBuild
  readonly loads: LoadNotes
  readonly ingestBuckets: TokenBuckets
  readonly metrics: Metrics | null
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined
  }
}

/** What pages of other people's websites ask for: everything here answers any origin, and none of it knows cookies. */
export async function widgetRoutes(app: FastifyInstance, parts: WidgetParts): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest('visit', undefined)
    scope.addHook('onRequest', async (_request, reply) => {
      allowEveryOrigin(reply)
    })
    await serveCode(scope, parts)
    await scope.register(async (inner) => receiveSubmissions(inner, parts))
  })
}

async function serveCode(scope: FastifyInstance, { widgets, build, loads }: WidgetParts): Promise<void> {
  scope.get('/e/:file', async (request, reply) => {
    const key = /^(.+)\.js$/.exec((request.params as { file: string }).file)?.[1]
    const widget = key === undefined ? undefined : await widgets.find(key)
    if (!widget) return sendUnknownWidget(reply)
    loads.note(widget.key)
    const { code, brotli, etag } = await renderLoader(build, widget)
    // A changed setting is on every page five seconds later; until then, and while we are away, the old one serves.
    reply.header('cache-control', 'public, max-age=5, stale-while-revalidate=86400, stale-if-error=604800')
    reply.headers({ etag, vary: 'accept-encoding' }).type('text/javascript; charset=utf-8')
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const takesBrotli = /(^|[\s,])br([\s,;]|$)/.test(request.headers['accept-encoding'] ?? '')
    return takesBrotli ? reply.header('content-encoding', 'br').send(brotli) : reply.send(code)
  })

  await scope.register(fastifyStatic, {
    root: build.folder,
    prefix: '/e/a/',
    decorateReply: false,
    index: false,
    // Their names hold a hash of their content: they never change. The loader has no such name and is not served here.
    immutable: true,
    preCompressed: true,
    maxAge: '1y',
    allowedPath: (path) => /-[A-Za-z0-9_-]{8,}\.js$/.test(path),
  })
}

// A script that is not there must not break the page that asked for it: it says what is wrong in the console.
function sendUnknownWidget(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('cache-control', 'no-store')
    .type('text/javascript; charset=utf-8')
    .send('console.warn("Earshot: unknown widget key. Copy the snippet again from your project.")\n')
}

function receiveSubmissions(scope: FastifyInstance, { ingest, ingestBuckets, metrics }: WidgetParts): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.headers(answerHeaders)
  })
  // Before the body is read: whether this sender may send here at all, and how often.
  scope.addHook('onRequest', async (request) => {
    if (request.method !== 'POST') return
    const { widgetKey } = request.params as { widgetKey: string }
    spend(ingestBuckets, `${widgetKey} ${rateKeyOf(request.ip)}`)
    request.visit = await ingest.admit(widgetKey, request.headers.origin)
  })

  scope.addHook('onError', async (_request, _reply, error) => {
    metrics?.countIngest(toProductError(error).status < 500 ? 'refused' : 'failed')
  })

  scope.options('/e/:widgetKey/submissions', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .code(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '86400',
      })
      .send(),
  )

  addRoute(
    scope,
    submitFeedback,
    async ({ body, request }) => {
      const { receipt, isReplay } = await ingest.store(visitOf(request), body)
      metrics?.countIngest(isReplay ? 'replayed' : 'accepted')
      return isReplay ? answer(200, receipt, { 'idempotent-replayed': 'true' }) : answer(201, receipt)
    },
    // The pages' policy, with nonces made for each answer, is a tenth of the whole cost of a submission.
    { helmet: false },
  )
}

// An answer of ours is data: nothing in it may run, frame or be taken for another type.
const answerHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

function visitOf(request: FastifyRequest): Visit {
  if (!request.visit) throw new Error('the visit was not judged before the submission was stored')
  return request.visit
}

function allowEveryOrigin(reply: FastifyReply): void {
  reply.headers({
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'idempotent-replayed, retry-after, x-request-id',
    'cross-origin-resource-policy': 'cross-origin',
  })
}

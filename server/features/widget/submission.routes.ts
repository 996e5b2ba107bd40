import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { proofHeader, submitFeedback } from '#contract/widget.ts'
import type { Admission } from '#server/platform/admission/admission.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { makeRefusal } from '#server/platform/http/refuse-overload.ts'
import { toProductError } from '#server/platform/http/to-product-error.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { dataOnly, openToEveryOrigin } from './answer-headers.ts'
import type { Counters } from './counters.ts'
import { allowPreflight } from './preflight.ts'
import { type Ingest, requireOpen, type Sender, type Visit } from './widget.service.ts'

interface SubmissionParts {
  readonly ingest: Ingest
  readonly admission: Admission
  readonly counters: Counters
  readonly ingestBuckets: TokenBuckets
  readonly metrics: Metrics | null
  readonly quotas: Pick<Quotas, 'require'>
}

declare module 'fastify' {
  interface FastifyRequest {
    visit: Visit | undefined
  }
}

/** The address of a submission without a query, as the widget asks it. */
const address = /^\/e\/([\w-]+)\/submissions$/

/** Where visitors' browsers leave what they have to say. */
export function submissionRoutes(scope: FastifyInstance, parts: SubmissionParts): void {
  const { ingest, admission, counters, ingestBuckets, metrics, quotas } = parts
  scope.decorateRequest('visit', undefined)
  const refuse = makeRefusal(Object.entries({ ...openToEveryOrigin, ...dataOnly }).flat())
  // First of all: beyond what the server sustains, most requests end here.
  scope.earlyAnswers.push((request, response) => {
    if (request.method !== 'POST') return false
    const widgetKey = address.exec(request.url ?? '')?.[1]
    if (widgetKey === undefined || !admission.isClosed(widgetKey)) return false
    metrics?.countIngest('refused')
    refuse(response, randomUUID())
    return true
  })
  // Before the body is read: whether this sender may send here at all, how often, and whether it can be stored soon.
  scope.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'POST') return
    spend(ingestBuckets, senderKeyOf(request))
    request.visit = await ingest.admit(widgetKeyOf(request), request.headers.origin)
    requireOpen(request.visit)
    await quotas.require({ kind: 'submission' })
    if (await admission.enter(widgetKeyOf(request))) return
    metrics?.countIngest('refused')
    refuse(reply.hijack().raw, request.id)
  })

  scope.addHook('onError', async (_request, _reply, error) => {
    const { code, status } = toProductError(error)
    metrics?.countIngest(status < 500 || code === 'read_only' ? 'refused' : 'failed')
  })

  allowPreflight(scope, '/e/:widgetKey/submissions', 'POST', `content-type, ${proofHeader}`)

  addRoute(
    scope,
    submitFeedback,
    async ({ body, request }) => {
      const visit = visitOf(request)
      const sender = describeSender(request, ingestBuckets)
      const { receipt, isReplay } = await admission.run(() => ingest.store(visit, body, sender))
      metrics?.countIngest(isReplay ? 'replayed' : 'accepted')
      if (isReplay) return answer(200, receipt, { 'idempotent-replayed': 'true' })
      if (visit.source === 'widget') counters.count(visit.widget, 'submitted')
      return answer(201, receipt)
    },
    // The pages' policy, with nonces made for each answer, is a tenth of the whole cost of a submission.
    { helmet: false },
  )
}

function widgetKeyOf(request: FastifyRequest): string {
  // The route's path has this parameter.
  return (request.params as { widgetKey: string }).widgetKey
}

function senderKeyOf(request: FastifyRequest): string {
  return `${widgetKeyOf(request)} ${rateKeyOf(request.ip)}`
}

function describeSender(request: FastifyRequest, buckets: TokenBuckets): Sender {
  const key = senderKeyOf(request)
  const proof = request.headers[proofHeader]
  return {
    key,
    hasOrigin: request.headers.origin !== undefined,
    userAgent: request.headers['user-agent'] ?? '',
    spentShare: buckets.spentShare(key),
    proof: typeof proof === 'string' ? proof : undefined,
  }
}

function visitOf(request: FastifyRequest): Visit {
  if (!request.visit) throw new Error('the visit was not judged before the submission was stored')
  return request.visit
}

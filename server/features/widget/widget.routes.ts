import type { FastifyInstance } from 'fastify'
import type { Admission } from '#server/platform/admission/admission.ts'
import type { TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Metrics } from '#server/platform/metrics/metrics.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { dataOnly, openToEveryOrigin } from './answer-headers.ts'
import { codeRoutes } from './code.routes.ts'
import { counterRoutes } from './counter.routes.ts'
import type { Counters } from './counters.ts'
import { ownItemsRoutes } from './own-items.routes.ts'
import type { OwnItems } from './own-items.service.ts'
import { submissionRoutes } from './submission.routes.ts'
import type { Ingest } from './widget.service.ts'
import type { WidgetBuild } from './widget-build.ts'
import type { WidgetCache } from './widget-cache.ts'

export interface WidgetParts {
  readonly ingest: Ingest
  readonly admission: Admission
  readonly ownItems: OwnItems
  readonly widgets: WidgetCache
  readonly build: WidgetBuild
  readonly counters: Counters
  readonly ingestBuckets: TokenBuckets
  readonly metrics: Metrics | null
  readonly quotas: Pick<Quotas, 'require'>
  readonly appUrl: string
}

/** What pages of other people's websites ask for: everything here answers any origin, and none of it knows cookies. */
export async function widgetRoutes(app: FastifyInstance, parts: WidgetParts): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.headers(openToEveryOrigin)
      done()
    })
    await scope.register(async (inner) => codeRoutes(inner, parts))
    await scope.register(async (inner) => {
      inner.addHook('onRequest', (_request, reply, done) => {
        reply.headers(dataOnly)
        done()
      })
      counterRoutes(inner, parts)
      ownItemsRoutes(inner, parts)
      await inner.register(async (innermost) => submissionRoutes(innermost, parts))
    })
  })
}

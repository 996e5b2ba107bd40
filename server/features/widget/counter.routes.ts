import type { FastifyInstance } from 'fastify'
import { spend } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Counters } from './counters.ts'
import type { Ingest } from './widget.service.ts'

interface CounterParts {
  readonly ingest: Ingest
  readonly counters: Counters
  readonly ingestBuckets: TokenBuckets
}

const events = { loaded: 'loaded', opened: 'opened', closed: 'closed' } as const

/**
 * Beacons about the widget's use on pages. Browsers discard the response, so it is empty, also for an unknown widget.
 */
export function counterRoutes(scope: FastifyInstance, { ingest, counters, ingestBuckets }: CounterParts): void {
  scope.register(async (inner) => {
    // Beacons carry no body worth reading, under whatever type their browser gives them.
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 1024 }, (_request, _body, done) => done(null))
    inner.post<{ Params: { widgetKey: string; event: string } }>(
      '/e/:widgetKey/n/:event',
      {
        helmet: false,
        schema: { hide: true },
        config: { evenReadOnly: 'counted in memory, and written when it is over' },
      },
      async (request, reply) => {
        const { widgetKey, event } = request.params
        spend(ingestBuckets, `n ${widgetKey} ${rateKeyOf(request.ip)}`)
        // An own key, see the condition.
        const known = Object.hasOwn(events, event) ? events[event as keyof typeof events] : undefined
        // Test pages and foreign origins don't count.
        const visit = known && (await ingest.admit(widgetKey, request.headers.origin).catch(forgive))
        if (known && visit?.source === 'widget') counters.count(visit.widget, known)
        return reply.code(204).send()
      },
    )
  })
}

function forgive(error: unknown): undefined {
  if (error instanceof ProductError) return undefined
  throw error
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listOwnItems, VisitorHeaders } from '#contract/widget.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { OwnItems } from './own-items.service.ts'
import { allowPreflight } from './preflight.ts'
import type { Ingest } from './widget.service.ts'

interface OwnItemsParts {
  readonly ingest: Ingest
  readonly ownItems: OwnItems
  readonly ingestBuckets: TokenBuckets
}

/** What a visitor has sent, for that visitor. */
export function ownItemsRoutes(scope: FastifyInstance, { ingest, ownItems, ingestBuckets }: OwnItemsParts): void {
  allowPreflight(scope, '/e/:widgetKey/items', 'GET', Object.values(VisitorHeaders).join(', '))

  addRoute(
    scope,
    listOwnItems,
    async ({ params, request }) => {
      spend(ingestBuckets, `items ${params.widgetKey} ${rateKeyOf(request.ip)}`)
      const { widget } = await ingest.admit(params.widgetKey, request.headers.origin)
      const items = await ownItems.list(widget, {
        key: readHeader(request, VisitorHeaders.key),
        id: readHeader(request, VisitorHeaders.id),
        hash: readHeader(request, VisitorHeaders.hash),
      })
      return answer(200, { items }, { 'cache-control': 'no-store' })
    },
    { helmet: false },
  )
}

/** A header's value; ids may hold any letters, so browsers send them percent-encoded. */
function readHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  if (typeof value !== 'string') return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

import type { FastifyInstance } from 'fastify'
import type { Metrics } from './metrics.ts'

/**
 * Serves `GET /metrics` and times every request. Without metrics, the route answers 404, and no request is timed. Call
 * it before the routes are added: Fastify gives hooks only to routes that come after.
 */
export function addMetrics(app: FastifyInstance, metrics: Metrics | null): void {
  if (!metrics) {
    app.get('/metrics', (_request, reply) => {
      reply.callNotFound()
    })
    return
  }
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unmatched'
    metrics.observeRequest(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
  })
  app.get('/metrics', async (_request, reply) => {
    const { text, contentType } = await metrics.print()
    return reply.header('cache-control', 'no-store').type(contentType).send(text)
  })
}

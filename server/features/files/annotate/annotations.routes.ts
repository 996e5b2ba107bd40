import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { addAnnotation, deleteAnnotation } from '#contract/annotations.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Annotations } from './annotations.service.ts'

export function annotationRoutes(app: FastifyInstance, annotations: Annotations): void {
  app.register(async (scope) => {
    // The body is the picture's own bytes: they go to the storage as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    addRoute(scope, addAnnotation, async ({ params, query, caller, request }) => {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw new ProductError('unsupported_media_type', { detail: 'Send the picture without compression.' })
      }
      const announced = Number(request.headers['content-length'] ?? 0)
      const file = request.body instanceof Readable ? request.body : Readable.from([])
      const annotation = { ...params, id: query.id.toLowerCase(), of: query.of.toLowerCase() }
      const { attachment, isNew } = await annotations.add(caller.actor, annotation, file, announced)
      return isNew ? answer(201, attachment) : answer(200, attachment, { 'idempotent-replayed': 'true' })
    })
  })

  addRoute(app, deleteAnnotation, async ({ params, caller }) => {
    const { organizationId, feedbackId, annotationId } = params
    await annotations.remove(caller.actor, { organizationId, feedbackId, id: annotationId.toLowerCase() })
    return answer(204, null)
  })
}

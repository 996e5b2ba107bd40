import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import {
  cancelImport,
  checkImport,
  createImport,
  getImport,
  listImportProblems,
  listImports,
  maxImportBytes,
  startImport,
  undoImport,
  uploadImportFile,
} from '#contract/imports.ts'
import { listImportValues } from '#contract/value-mapping.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Imports } from './imports.service.ts'

export function importRoutes(app: FastifyInstance, imports: Imports): void {
  addRoute(app, createImport, async ({ params, body, caller }) => {
    const made = await imports.create(caller.actor, params.organizationId, body)
    return made.isNew ? answer(201, made.import) : answer(200, made.import, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, listImports, async ({ params, caller }) =>
    answer(200, { items: await imports.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, getImport, async ({ params, caller }) =>
    answer(200, await imports.get(caller.actor, params.organizationId, params.importId)),
  )

  app.register(async (scope) => {
    // The body is the file's own bytes: they go to the storage as they come.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    addRoute(scope, uploadImportFile, async ({ params, caller, request }) => {
      // Nothing is unpacked here: a small body that unpacks to a huge one is the attack.
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
        throw new ProductError('unsupported_media_type', { detail: 'Send the file without compression.' })
      }
      if (Number(request.headers['content-length'] ?? 0) > maxImportBytes) throw new ProductError('file_too_large')
      const file = request.body instanceof Readable ? request.body : Readable.from([])
      return answer(200, await imports.receive(caller.actor, params.organizationId, params.importId, file))
    })
  })

  addRoute(app, listImportValues, async ({ params, body, caller }) =>
    answer(200, await imports.listValues(caller.actor, params.organizationId, params.importId, body.columns)),
  )

  addRoute(app, checkImport, async ({ params, body, caller }) =>
    answer(200, await imports.check(caller.actor, params.organizationId, params.importId, body)),
  )

  addRoute(app, startImport, async ({ params, caller }) =>
    answer(200, await imports.start(caller.actor, params.organizationId, params.importId)),
  )

  addRoute(app, listImportProblems, async ({ params, caller }) =>
    answer(200, { items: await imports.listProblems(caller.actor, params.organizationId, params.importId) }),
  )

  addRoute(app, cancelImport, async ({ params, caller }) =>
    answer(200, await imports.cancel(caller.actor, params.organizationId, params.importId)),
  )

  addRoute(app, undoImport, async ({ params, caller }) =>
    answer(200, await imports.undo(caller.actor, params.organizationId, params.importId)),
  )
}

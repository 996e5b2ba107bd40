import type { FastifyInstance } from 'fastify'
import { getBulkOperation, startBulkOperation, undoBulkOperation } from '#contract/bulk.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { BulkOperations } from './bulk.service.ts'

export function bulkRoutes(app: FastifyInstance, operations: BulkOperations): void {
  addRoute(app, startBulkOperation, async ({ params, body, caller }) => {
    const { operation, isNew } = await operations.start(caller.actor, params.organizationId, body)
    return isNew ? answer(201, operation) : answer(200, operation, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, getBulkOperation, async ({ params, caller }) =>
    answer(200, await operations.get(caller.actor, params.organizationId, params.operationId)),
  )

  addRoute(app, undoBulkOperation, async ({ params, caller }) =>
    answer(200, await operations.undo(caller.actor, params.organizationId, params.operationId)),
  )
}

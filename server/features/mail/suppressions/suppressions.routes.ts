import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/email-suppressions.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Suppressions } from './suppressions.service.ts'

export function suppressionRoutes(app: FastifyInstance, suppressions: Suppressions): void {
  addRoute(app, contract.listSuppressions, async ({ query }) => answer(200, await suppressions.list(query)))
  addRoute(app, contract.addSuppression, async ({ body }) => answer(201, await suppressions.add(body.address)))
  addRoute(app, contract.removeSuppression, async ({ params }) => {
    await suppressions.remove(params.suppressionId)
    return answer(204, null)
  })
  addDownload(app, contract.exportSuppressions, ({ body }) => suppressions.export(body))
}

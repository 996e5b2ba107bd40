import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/email-suppressions.ts'
import { downloadOptions } from '#server/platform/events/record-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Suppressions } from './suppressions.service.ts'

export function suppressionRoutes(app: FastifyInstance, suppressions: Suppressions): void {
  addRoute(app, contract.listSuppressions, async ({ query }) => answer(200, await suppressions.list(query)))
  addRoute(app, contract.addSuppression, async ({ body }) => answer(201, await suppressions.add(body.address)))
  addRoute(app, contract.removeSuppression, async ({ params }) => {
    await suppressions.remove(params.suppressionId)
    return answer(204, null)
  })
  addRoute(
    app,
    contract.exportSuppressions,
    async ({ body }) =>
      // A stream is sent as it is; the contract can only call it text.
      answer(200, (await suppressions.export(body.search)) as unknown as string, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="suppressed-${new Date().toISOString().slice(0, 10)}.csv"`,
      }),
    downloadOptions,
  )
}

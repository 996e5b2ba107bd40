import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-emails.ts'
import { downloadOptions } from '#server/platform/events/record-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Outbox } from './outbox.service.ts'

export function outboxRoutes(app: FastifyInstance, outbox: Outbox): void {
  addRoute(app, contract.listOutboxEmails, async ({ query }) => answer(200, await outbox.list(query)))
  addRoute(app, contract.getOutboxSummary, async () => answer(200, await outbox.summarise()))
  addRoute(app, contract.getOutboxEmail, async ({ params }) => answer(200, await outbox.get(params.emailId)))
  addRoute(app, contract.retryEmail, async ({ params }) => {
    await outbox.retry(params.emailId)
    return answer(202, { id: params.emailId })
  })
  addRoute(app, contract.retryFailedEmails, async () => answer(202, { retried: await outbox.retryFailed() }))
  addRoute(
    app,
    contract.exportOutboxEmails,
    async ({ body }) =>
      // A stream is sent as it is; the contract can only call it text.
      answer(200, (await outbox.export(body)) as unknown as string, {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="emails-${new Date().toISOString().slice(0, 10)}.csv"`,
      }),
    downloadOptions,
  )
}

import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-emails.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
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
  addDownload(app, contract.exportOutboxEmails, ({ body }) => outbox.export(body))
}

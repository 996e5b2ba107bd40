import type { FastifyInstance } from 'fastify'
import { v7 as uuidV7 } from 'uuid'
import * as contract from '#contract/email-templates.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { EmailTemplates } from './email-templates.service.ts'
import type { TemplateTransfer } from './transfer.service.ts'
import type { TemplateVersions } from './versions.service.ts'

interface TemplateParts {
  readonly templates: EmailTemplates
  readonly versions: TemplateVersions
  readonly transfer: TemplateTransfer
}

/** What superadmins do with the words of emails. */
export function emailTemplateRoutes(app: FastifyInstance, { templates, versions, transfer }: TemplateParts): void {
  addRoute(app, contract.listEmailTemplates, async () => answer(200, { items: await templates.list() }))
  addRoute(app, contract.exportEmailTemplates, async () => answer(200, await transfer.export()))
  addRoute(app, contract.importEmailTemplates, async ({ body, caller }) =>
    answer(200, { changes: await transfer.import(caller.actor.userId, body) }),
  )
  addRoute(app, contract.getEmailTemplate, async ({ params }) =>
    answer(200, await templates.get(params.emailTemplateId)),
  )
  addRoute(app, contract.saveEmailTemplate, async ({ params, body, caller }) =>
    answer(200, await templates.save(caller.actor.userId, params.emailTemplateId, body)),
  )
  addRoute(app, contract.resetEmailTemplate, async ({ params, body, caller }) =>
    answer(200, await templates.reset(caller.actor.userId, params.emailTemplateId, body.version)),
  )
  addRoute(
    app,
    contract.previewEmailTemplate,
    async ({ params, body }) => answer(200, templates.preview(params.emailTemplateId, body)),
    { evenReadOnly: 'it only renders' },
  )
  addRoute(app, contract.testEmailTemplate, async ({ params, body, caller }) =>
    answer(202, await templates.test(caller.actor.userId, params.emailTemplateId, body, uuidV7())),
  )
  addRoute(app, contract.listEmailTemplateRevisions, async ({ params, query }) =>
    answer(200, await versions.listRevisions(params.emailTemplateId, query.before)),
  )
  addRoute(app, contract.getEmailTemplateRevision, async ({ params }) =>
    answer(200, await versions.getRevision(params.emailTemplateId, params.emailRevisionId)),
  )
  addRoute(app, contract.restoreEmailTemplateRevision, async ({ params, body, caller }) => {
    const { emailTemplateId, emailRevisionId } = params
    return answer(
      200,
      await versions.restoreRevision(caller.actor.userId, emailTemplateId, emailRevisionId, body.version),
    )
  })
}

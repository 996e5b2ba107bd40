import type { FastifyInstance } from 'fastify'
import {
  createReplyTemplate,
  deleteReplyTemplate,
  listReplyTemplates,
  updateReplyTemplate,
} from '#contract/reply-templates.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { ReplyTemplates } from './templates.service.ts'

export function templatesRoutes(app: FastifyInstance, templates: ReplyTemplates): void {
  addRoute(app, listReplyTemplates, async ({ params, caller }) =>
    answer(200, { items: await templates.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createReplyTemplate, async ({ params, body, caller }) => {
    const { template, isNew } = await templates.create(caller.actor, params.organizationId, body)
    return isNew ? answer(201, template) : answer(200, template, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, updateReplyTemplate, async ({ params, body, caller }) =>
    answer(200, await templates.update(caller.actor, params.organizationId, params.templateId, body)),
  )

  addRoute(app, deleteReplyTemplate, async ({ params, caller }) => {
    await templates.delete(caller.actor, params.organizationId, params.templateId)
    return answer(204, null)
  })
}

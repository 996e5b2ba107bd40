import type { FastifyInstance } from 'fastify'
import { getDelivery, listDeliveries, replayDeliveries, retryDelivery, testIntegration } from '#contract/deliveries.ts'
import {
  createIntegration,
  deleteIntegration,
  listIntegrations,
  listIntegrationTypes,
  rotateIntegrationSecret,
  updateIntegration,
} from '#contract/integrations.ts'
import { createIssues, linkIssue, listIssueLinks, unlinkIssue } from '#contract/issue-links.ts'
import { listTrackerStatuses, previewIssue } from '#contract/issue-preview.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Deliveries } from './delivery/deliveries.service.ts'
import type { Integrations } from './integrations.service.ts'
import type { IssueLinks } from './issues/links.service.ts'
import type { IssuePreviews } from './issues/previews.service.ts'

const defaultOverlapHours = 24

export function integrationsRoutes(
  app: FastifyInstance,
  {
    integrations,
    deliveries,
    links,
    previews,
  }: { integrations: Integrations; deliveries: Deliveries; links: IssueLinks; previews: IssuePreviews },
): void {
  addRoute(app, listIntegrationTypes, async () => answer(200, { items: integrations.listTypes() }))

  addRoute(app, listIntegrations, async ({ params, caller }) =>
    answer(200, { items: await integrations.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createIntegration, async ({ params, body, caller }) =>
    answer(201, await integrations.create(caller.actor, params.organizationId, body)),
  )

  addRoute(app, updateIntegration, async ({ params, body, caller }) =>
    answer(200, await integrations.update(caller.actor, params, body)),
  )

  addRoute(app, rotateIntegrationSecret, async ({ params, body, caller }) => {
    const overlapHours = body.overlapHours ?? defaultOverlapHours
    return answer(201, { secret: await integrations.rotateSecret(caller.actor, params, overlapHours) })
  })

  addRoute(app, testIntegration, async ({ params, caller }) => answer(200, await deliveries.test(caller.actor, params)))

  addRoute(app, replayDeliveries, async ({ params, body, caller }) =>
    answer(202, { queued: await deliveries.replay(caller.actor, params, new Date(body.since)) }),
  )

  addRoute(app, listDeliveries, async ({ params, query, caller }) =>
    answer(200, await deliveries.list(caller.actor, params, query)),
  )

  addRoute(app, getDelivery, async ({ params, caller }) => answer(200, await deliveries.get(caller.actor, params)))

  addRoute(app, retryDelivery, async ({ params, caller }) => answer(202, await deliveries.retry(caller.actor, params)))

  addRoute(app, listIssueLinks, async ({ params, caller }) =>
    answer(200, { items: await links.list(caller.actor, params) }),
  )

  addRoute(app, linkIssue, async ({ params, body, caller }) =>
    answer(201, await links.link(caller.actor, params, body)),
  )

  addRoute(app, unlinkIssue, async ({ params, caller }) => {
    await links.unlink(caller.actor, params, params.linkId)
    return answer(204, null)
  })

  addRoute(app, createIssues, async ({ params, body, caller }) =>
    answer(202, { created: await links.createMany(caller.actor, params, body.feedbackIds) }),
  )

  addRoute(app, listTrackerStatuses, async ({ params, caller }) =>
    answer(200, { items: await previews.listStatuses(caller.actor, params) }),
  )

  addRoute(app, previewIssue, async ({ params, body, caller }) =>
    answer(200, { issue: await previews.preview(caller.actor, params, body) }),
  )

  addRoute(app, deleteIntegration, async ({ params, caller }) => {
    await integrations.remove(caller.actor, params)
    return answer(204, null)
  })
}

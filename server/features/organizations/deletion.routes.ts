import type { FastifyInstance } from 'fastify'
import {
  deleteOrganization,
  getOrganizationContents,
  getOrganizationDeletion,
  restoreOrganization,
} from '#contract/organization-deletion.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Deletions } from './deletion.service.ts'

/** Routes that delete and restore an organisation. */
export function deletionRoutes(app: FastifyInstance, deletions: Deletions): void {
  addRoute(app, getOrganizationContents, async ({ params, caller }) =>
    answer(200, await deletions.count(caller.actor, params.organizationId)),
  )

  addRoute(app, deleteOrganization, async ({ params, body, caller }) => {
    const deleteAfter = await deletions.request(caller.actor, params.organizationId, body.name)
    return answer(200, { deleteAfter: deleteAfter.toISOString() })
  })

  addRoute(app, getOrganizationDeletion, async ({ params, caller }) =>
    answer(200, await deletions.find(caller.actor, params.organizationId)),
  )

  addRoute(app, restoreOrganization, async ({ params, caller }) => {
    await deletions.restore(caller.actor, params.organizationId)
    return answer(204, null)
  })
}

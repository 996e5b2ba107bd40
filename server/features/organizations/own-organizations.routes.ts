import type { FastifyInstance } from 'fastify'
import {
  createOrganization,
  findOrganizationOf,
  listOwnOrganizations,
  selectOrganization,
} from '#contract/own-organizations.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { OwnOrganizations } from './own-organizations.service.ts'

/** Routes of a user's own organisations: list, create, switch. */
export function ownOrganizationsRoutes(app: FastifyInstance, organizations: OwnOrganizations): void {
  addRoute(app, listOwnOrganizations, async ({ query, caller }) =>
    answer(200, await organizations.list(caller.actor, query)),
  )

  addRoute(app, createOrganization, async ({ body, caller }) => {
    const { organization, isNew } = await organizations.create(caller.actor, body)
    return isNew ? answer(201, organization) : answer(200, organization)
  })

  addRoute(app, findOrganizationOf, async ({ params, caller }) =>
    answer(200, await organizations.findOf(caller.actor, params.linked, params.id)),
  )

  addRoute(app, selectOrganization, async ({ params, caller }) => {
    await organizations.select(caller.actor, params.organizationId)
    return answer(204, null)
  })
}

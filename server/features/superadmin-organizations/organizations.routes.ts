import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-organizations.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { OrganizationActs } from './organization-acts.service.ts'
import type { InstanceOrganizations } from './organizations.service.ts'

interface OrganizationRouteParts {
  readonly organizations: InstanceOrganizations
  readonly acts: OrganizationActs
}

export function organizationsRoutes(app: FastifyInstance, { organizations, acts }: OrganizationRouteParts): void {
  addRoute(app, contract.listInstanceOrganizations, async ({ query }) => answer(200, await organizations.list(query)))
  addRoute(app, contract.getInstanceOrganization, async ({ params }) =>
    answer(200, await organizations.get(params.organizationId)),
  )
  addRoute(app, contract.getInstanceOrganizationStorage, async ({ params }) =>
    answer(200, await organizations.getStorage(params.organizationId)),
  )
  addDownload(app, contract.exportInstanceOrganizations, ({ body }) => organizations.export(body))
  actRoutes(app, acts)
}

function actRoutes(app: FastifyInstance, acts: OrganizationActs): void {
  addRoute(app, contract.suspendOrganization, async ({ params: { organizationId }, body, caller }) =>
    answer(200, await acts.suspend({ organizationId, userId: caller.actor.userId }, body)),
  )
  addRoute(app, contract.liftSuspension, async ({ params: { organizationId }, caller }) =>
    answer(200, await acts.lift({ organizationId, userId: caller.actor.userId })),
  )
  addRoute(app, contract.deleteInstanceOrganization, async ({ params: { organizationId }, body, caller }) =>
    answer(200, await acts.delete({ organizationId, userId: caller.actor.userId }, body)),
  )
  addRoute(app, contract.removeInstanceOrganization, async ({ params: { organizationId }, body, caller }) =>
    answer(202, await acts.remove({ organizationId, userId: caller.actor.userId }, body)),
  )
}

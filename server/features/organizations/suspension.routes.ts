import type { FastifyInstance } from 'fastify'
import { getOrganizationSuspension } from '#contract/organization-suspension.ts'
import type { Database } from '#server/platform/database/database.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { findSuspension } from './suspension.queries.ts'

/** What members of a suspended organisation are told. Superadmins suspend it: `superadmin-organizations`. */
export function suspensionRoutes(app: FastifyInstance, database: Database): void {
  addRoute(app, getOrganizationSuspension, async ({ params, caller }) => {
    const suspension = await database.withTenant(caller.actor, (tx) => findSuspension(tx, params.organizationId))
    if (!suspension) throw new ProductError('suspension_not_found')
    return answer(200, suspension)
  })
}

import type { Quotas } from '#server/features/quotas/quotas.service.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createOrganizationActs } from './organization-acts.service.ts'
import { organizationsRoutes } from './organizations.routes.ts'
import { createInstanceOrganizations } from './organizations.service.ts'

/** The organisations of the instance, for those who run it. They restore them as owners do. */
export function createSuperadminOrganizationsFeature(
  { config, database }: Platform,
  { quotas }: { quotas: Pick<Quotas, 'readStored'> },
): Feature {
  const organizations = createInstanceOrganizations(database, quotas)
  const acts = createOrganizationActs(database, config)
  return {
    name: 'superadmin-organizations',
    routes: (app) => organizationsRoutes(app, { organizations, acts }),
  }
}

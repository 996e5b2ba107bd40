import type { Feature } from '#server/platform/feature.ts'
import type { CallerLookup } from '#server/platform/http/guard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createInvitations } from './invitations.service.ts'
import { createMembers } from './members.service.ts'
import { organizationsRoutes } from './organizations.routes.ts'
import { applyInstanceSettings, createStandingLookup } from './organizations.service.ts'

export interface OrganizationsFeature extends Feature {
  readonly findStanding: CallerLookup['findStanding']
}

export function createOrganizationsFeature({ config, database }: Platform): OrganizationsFeature {
  return {
    name: 'organizations',
    start: () => applyInstanceSettings(database, config),
    routes: (app) =>
      organizationsRoutes(app, {
        invitations: createInvitations(database, config),
        members: createMembers(database),
      }),
    findStanding: createStandingLookup(database),
  }
}

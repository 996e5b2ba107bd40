import type { Feature } from '#server/platform/feature.ts'
import type { CallerLookup } from '#server/platform/http/guard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createDeletionJobs, type DeletionNeeds } from './deletion.jobs.ts'
import { deletionRoutes } from './deletion.routes.ts'
import { createDeletions } from './deletion.service.ts'
import { createInvitations } from './invitations.service.ts'
import { createActivityRecorder } from './member-activity.ts'
import { createMembers } from './members.service.ts'
import { organizationsRoutes } from './organizations.routes.ts'
import { applyInstanceSettings, createStandingLookup } from './organizations.service.ts'
import { ownOrganizationsRoutes } from './own-organizations.routes.ts'
import { createOwnOrganizations } from './own-organizations.service.ts'
import { createOrganizationProfiles } from './profile.service.ts'
import { suspensionRoutes } from './suspension.routes.ts'

export interface OrganizationsFeature extends Feature {
  readonly findStanding: CallerLookup['findStanding']
  readonly recordActivity: CallerLookup['recordActivity']
}

export function createOrganizationsFeature(
  { config, database, log }: Platform,
  needs: DeletionNeeds,
): OrganizationsFeature {
  return {
    name: 'organizations',
    start: () => applyInstanceSettings(database, config),
    routes: (app) => {
      organizationsRoutes(app, {
        invitations: createInvitations(database, config),
        members: createMembers(database),
        profiles: createOrganizationProfiles(database),
      })
      ownOrganizationsRoutes(app, createOwnOrganizations(database))
      deletionRoutes(app, createDeletions(database, config))
      suspensionRoutes(app, database)
    },
    jobs: () => createDeletionJobs(database, needs),
    findStanding: createStandingLookup(database),
    recordActivity: createActivityRecorder(database, log),
  }
}

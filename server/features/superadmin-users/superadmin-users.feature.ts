import type { Recovery } from '#server/features/auth/auth.feature.ts'
import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createUserActs } from './user-acts.service.ts'
import { usersRoutes } from './users.routes.ts'
import { createUsers } from './users.service.ts'

/** The accounts of the instance: found, confirmed, banned, signed out, made superadmin. */
export function createSuperadminUsersFeature({ database }: Platform, { recovery }: { recovery: Recovery }): Feature {
  return {
    name: 'superadmin-users',
    routes: (app) => usersRoutes(app, createUsers(database, recovery), createUserActs(database, recovery)),
  }
}

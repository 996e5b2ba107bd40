import type { Feature } from '#server/platform/feature.ts'
import type { CallerLookup } from '#server/platform/http/guard.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createImpersonationTokens } from './impersonation-token.ts'
import { createImpersonationsJobs } from './impersonations.jobs.ts'
import { findStanding } from './impersonations.queries.ts'
import { impersonationsRoutes } from './impersonations.routes.ts'
import { createImpersonations } from './impersonations.service.ts'

export interface ImpersonationsFeature extends Feature {
  /** Makes guards accept tokens of impersonations, beside those of sessions. */
  extendLookup(lookup: CallerLookup): CallerLookup
}

/** Superadmins who use the product as one of its users (decision 029). */
export function createImpersonationsFeature({ config, database, secret }: Platform): ImpersonationsFeature {
  const tokens = createImpersonationTokens(secret.deriveKey('tokens of impersonations'), config.appUrl)
  return {
    name: 'impersonations',
    routes: (app) => impersonationsRoutes(app, createImpersonations(database, tokens)),
    jobs: () => createImpersonationsJobs(database),
    extendLookup: (lookup) => ({
      ...lookup,
      verifyAccessToken: async (token) => (await tokens.verify(token)) ?? lookup.verifyAccessToken(token),
      findStanding: (actor, organizationId) =>
        actor.impersonation
          ? findStanding(database, actor, actor.impersonation, organizationId)
          : lookup.findStanding(actor, organizationId),
    }),
  }
}

import type { Feature } from '#server/platform/feature.ts'
import { defineCron } from '#server/platform/jobs/job.ts'
import type { Platform } from '#server/platform/platform.ts'
import { connectedAppsRoutes } from './connected-apps.routes.ts'
import { createConnections } from './connections.service.ts'
import { pruneSecrets } from './oauth.queries.ts'
import { oauthRoutes } from './oauth.routes.ts'
import { createOAuthTokens, type OAuthTokens } from './tokens.service.ts'

export interface OAuthFeature extends Feature {
  /** How guards learn in whose name an app calls. */
  readonly findHolder: OAuthTokens['findHolder']
}

const hourMs = 3_600_000

/** The authorisation server for `/mcp`: members connect apps to an organisation, and disconnect them. */
export function createOAuthFeature({ buckets, config, database }: Platform): OAuthFeature {
  const { appUrl } = config
  const tokens = createOAuthTokens(database, appUrl)
  return {
    name: 'oauth',
    routes: async (app) => {
      connectedAppsRoutes(app, createConnections(database, appUrl))
      const capacity = config.oauth.registrationsPerHour
      const registrationBuckets = buckets.create({ name: 'oauth_registration', capacity, refillMs: hourMs })
      const tokenBuckets = buckets.perMinute('oauth_token', config.oauth.tokensPerMinute)
      await oauthRoutes(app, { appUrl, database, tokens, registrationBuckets, tokenBuckets })
    },
    jobs: () => [
      defineCron('prune_oauth', { at: '41 3 * * *', catchUpHours: 24 }, () =>
        database.asSystem('secrets of every organisation expire', pruneSecrets),
      ),
    ],
    findHolder: tokens.findHolder,
  }
}

import type { FastifyInstance } from 'fastify'
import type { PublicConfig } from '#contract/config.ts'
import type { Features } from './features.ts'
import { listOutsideSources } from './outside-sources.ts'
import { addHealth } from './platform/health/health-routes.ts'
import type { Checks } from './platform/health/run-checks.ts'
import { prepareRoutes } from './platform/http/add-route.ts'
import { readBasePath } from './platform/http/base-path.ts'
import { createHttpServer, refuseUnknownRoutes } from './platform/http/create-http-server.ts'
import { registerOpenApi } from './platform/http/openapi.ts'
import { registerSecurityHeaders } from './platform/http/security-headers.ts'
import { createAnswerOnce } from './platform/idempotency/answer-once.ts'
import { addMetrics } from './platform/metrics/metrics-routes.ts'
import type { Platform } from './platform/platform.ts'
import { refuseWrites } from './platform/read-only/refuse-writes.ts'
import { publicConfigRoutes } from './public-config.ts'

export interface AppParts {
  readonly publicConfig: PublicConfig
  readonly checks: Checks
  /** Adds every page's address; left out by tests of the API alone. */
  readonly addPages?: (app: FastifyInstance) => Promise<void>
}

/** Everything that answers a request: what all routes share, then the routes of each feature. */
export async function createApp(
  { buckets, config, database, log, metrics, readOnly, stopping }: Platform,
  { all, audit, auth, organizations, apiKeys, impersonations }: Features,
  { publicConfig, checks, addPages }: AppParts,
): Promise<FastifyInstance> {
  const app = createHttpServer({
    log,
    trustProxy: config.trustProxy,
    stopping,
    basePath: readBasePath(config.appUrl),
  })
  refuseWrites(app, readOnly)
  const { verifyAccessToken } = auth
  prepareRoutes(app, {
    callerLookup: impersonations.extendLookup({
      verifyAccessToken,
      findStanding: organizations.findStanding,
      recordSuperadmin: audit.recordSuperadmin,
      recordActivity: organizations.recordActivity,
    }),
    keyLookup: apiKeys.keyLookup,
    answerOnce: createAnswerOnce(database),
    apiBuckets: buckets.perMinute('api', config.apiRatePerMinute),
    keyBuckets: buckets.perMinute('api_key', config.keyRatePerMinute),
  })

  await registerSecurityHeaders(app, {
    appUrl: config.appUrl,
    ...listOutsideSources(config),
  })
  const allChecks: Checks = Object.assign(
    { writes: async () => (readOnly.current() ? 'read_only' : undefined) },
    checks,
    ...all.map((feature) => feature.checks),
  )
  addHealth(app, { checks: allChecks, log, stopping })
  addMetrics(app, metrics)
  await registerOpenApi(app, { appUrl: config.appUrl, version: config.appVersion })

  publicConfigRoutes(app, publicConfig)
  for (const feature of all) await feature.routes?.(app, { checks: allChecks })

  refuseUnknownRoutes(app)
  // Last, because it answers every address that is left.
  await addPages?.(app)
  return app
}

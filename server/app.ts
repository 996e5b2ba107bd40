/*
 * The route map: everything that answers a request, in the order in which it is registered.
 */
import type { FastifyInstance } from 'fastify'
import type { PublicConfig } from '#contract/config.ts'
import type { Config } from './config.ts'
import { analyticsRoutes } from './features/analytics/analytics.routes.ts'
import type { Analytics } from './features/analytics/analytics.service.ts'
import { accountRoutes } from './features/auth/account.routes.ts'
import type { Accounts } from './features/auth/account.service.ts'
import { authRoutes } from './features/auth/auth.routes.ts'
import type { Auth } from './features/auth/auth.service.ts'
import { rpcRoutes } from './features/auth/rpc/rpc.routes.ts'
import { type ConversationParts, conversationRoutes } from './features/feedback/conversation/conversation.routes.ts'
import { type ExportParts, exportRoutes } from './features/feedback/export/exports.routes.ts'
import { feedbackRoutes } from './features/feedback/feedback.routes.ts'
import type { Feedback } from './features/feedback/feedback.service.ts'
import type { FeedbackFeed } from './features/feedback/feedback-feed.ts'
import { importRoutes } from './features/feedback/import/imports.routes.ts'
import type { Imports } from './features/feedback/import/imports.service.ts'
import { mergeRoutes } from './features/feedback/merge/merge.routes.ts'
import type { Merges } from './features/feedback/merge/merge.service.ts'
import { trashRoutes } from './features/feedback/retention/trash.routes.ts'
import type { Trash } from './features/feedback/retention.service.ts'
import { type TriageParts, triageRoutes } from './features/feedback/triage.routes.ts'
import { visitorRoutes } from './features/feedback/visitors/visitors.routes.ts'
import type { Visitors } from './features/feedback/visitors.service.ts'
import type { UploadParts } from './features/files/receive/upload-parts.ts'
import { uploadRoutes } from './features/files/receive/uploads.routes.ts'
import { type FileParts, fileRoutes } from './features/files/serve/files.routes.ts'
import { notificationsRoutes } from './features/notifications/notifications.routes.ts'
import type { Notifications } from './features/notifications/preferences.service.ts'
import type { Subscriptions } from './features/notifications/subscriptions.service.ts'
import type { Invitations } from './features/organizations/invitations.service.ts'
import type { Members } from './features/organizations/members.service.ts'
import { organizationsRoutes } from './features/organizations/organizations.routes.ts'
import { projectsRoutes } from './features/projects/projects.routes.ts'
import type { Projects } from './features/projects/projects.service.ts'
import { widgetSettingsRoutes } from './features/widget/settings/widget-settings.routes.ts'
import type { WidgetSettingsService } from './features/widget/settings/widget-settings.service.ts'
import { type WidgetParts, widgetRoutes } from './features/widget/widget.routes.ts'
import { addHealth } from './platform/health/health-routes.ts'
import type { ReadyChecks } from './platform/health/run-checks.ts'
import { prepareRoutes } from './platform/http/add-route.ts'
import { createHttpServer, refuseUnknownRoutes } from './platform/http/create-http-server.ts'
import type { CallerLookup } from './platform/http/guard.ts'
import { registerOpenApi } from './platform/http/openapi.ts'
import { registerSecurityHeaders } from './platform/http/security-headers.ts'
import { createTokenBuckets } from './platform/http/token-buckets.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { addMetrics } from './platform/metrics/metrics-routes.ts'
import { publicConfigRoutes } from './public-config.ts'

/** What the routes are made of; put together in start.ts. */
export interface AppParts {
  readonly config: Config
  readonly publicConfig: PublicConfig
  readonly log: Log
  /** Null: not measured. */
  readonly metrics: Metrics | null
  readonly checks: ReadyChecks
  /** Adds every page's address; left out by tests of the API alone. */
  readonly addPages?: (app: FastifyInstance) => Promise<void>
  readonly findStanding: CallerLookup['findStanding']
  readonly auth: Auth
  readonly accounts: Accounts
  readonly invitations: Invitations
  readonly members: Members
  readonly notifications: Notifications
  readonly subscriptions: Subscriptions
  readonly projects: Projects
  readonly feedback: Feedback
  readonly feed: FeedbackFeed
  readonly analytics: Analytics
  readonly trash: Trash
  readonly visitors: Visitors
  readonly conversations: Omit<ConversationParts, 'visitorBuckets'>
  readonly merges: Merges
  readonly triage: TriageParts
  readonly exports: ExportParts
  readonly imports: Imports
  readonly files: FileParts
  readonly uploads: Omit<UploadParts, 'creationBuckets' | 'requestBuckets' | 'byteBuckets'>
  readonly widgetSettings: WidgetSettingsService
  readonly widget: Omit<WidgetParts, 'ingestBuckets' | 'metrics' | 'appUrl'>
}

export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, publicConfig } = parts
  const app = createHttpServer({ log: parts.log, trustProxy: config.trustProxy })
  const perMinute = (capacity: number) => createTokenBuckets({ capacity, refillMs: 60_000 })
  prepareRoutes(app, {
    callerLookup: { verifyAccessToken: parts.auth.verifyAccessToken, findStanding: parts.findStanding },
    apiBuckets: perMinute(config.apiRatePerMinute),
  })

  await registerSecurityHeaders(app, {
    appUrl: config.appUrl,
    connectOrigins: [config.supabase?.url, config.public.posthogHost]
      .filter((url) => typeof url === 'string')
      .map((url) => new URL(url).origin),
  })
  addHealth(app, { checks: parts.checks, log: parts.log })
  addMetrics(app, parts.metrics)
  await registerOpenApi(app, { appUrl: config.appUrl, version: config.appVersion })

  publicConfigRoutes(app, publicConfig)
  accountRoutes(app, parts.accounts)
  organizationsRoutes(app, { invitations: parts.invitations, members: parts.members })
  notificationsRoutes(app, {
    notifications: parts.notifications,
    subscriptions: parts.subscriptions,
    publicBuckets: perMinute(60),
  })
  projectsRoutes(app, parts.projects)
  feedbackRoutes(app, { feedback: parts.feedback, feed: parts.feed })
  analyticsRoutes(app, parts.analytics)
  trashRoutes(app, parts.trash)
  visitorRoutes(app, parts.visitors)
  conversationRoutes(app, { ...parts.conversations, visitorBuckets: perMinute(config.ingestRatePerMinute) })
  mergeRoutes(app, parts.merges)
  triageRoutes(app, parts.triage)
  exportRoutes(app, parts.exports)
  importRoutes(app, parts.imports)
  widgetSettingsRoutes(app, { settings: parts.widgetSettings, build: parts.widget.build })
  await widgetRoutes(app, {
    ...parts.widget,
    appUrl: config.appUrl,
    metrics: parts.metrics,
    ingestBuckets: perMinute(config.ingestRatePerMinute),
  })
  fileRoutes(app, parts.files)
  uploadRoutes(app, {
    ...parts.uploads,
    creationBuckets: perMinute(config.uploads.ratePerMinute),
    // A recording of ten minutes is three hundred parts, and several may be on their way.
    requestBuckets: perMinute(config.uploads.ratePerMinute * 20),
    byteBuckets: createTokenBuckets({ capacity: config.uploads.megabytesPerHour * 1024, refillMs: 3_600_000 }),
  })
  // A Supabase project serves these two itself.
  if (!config.supabase) {
    await app.register(authRoutes, { prefix: '/auth/v1', auth: parts.auth })
    await app.register(rpcRoutes, { prefix: '/rest/v1/rpc', auth: parts.auth })
  }

  refuseUnknownRoutes(app)
  // Last, because it answers every address that is left.
  await parts.addPages?.(app)
  return app
}

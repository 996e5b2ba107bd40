import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createAnalytics } from './features/analytics/analytics.service.ts'
import { createAccounts } from './features/auth/account.service.ts'
import { createAuth } from './features/auth/auth.service.ts'
import { createAnswers } from './features/feedback/conversation/answers.service.ts'
import { createComments } from './features/feedback/conversation/comments.service.ts'
import { createConversationLinks } from './features/feedback/conversation/conversation-link.ts'
import { createExportLinks } from './features/feedback/export/export-link.ts'
import { createExports } from './features/feedback/export/exports.service.ts'
import { createFeedback } from './features/feedback/feedback.service.ts'
import { openFeedbackFeed } from './features/feedback/feedback-feed.ts'
import { createImports } from './features/feedback/import/imports.service.ts'
import { createMerges } from './features/feedback/merge/merge.service.ts'
import { createTrash } from './features/feedback/retention.service.ts'
import { createVisitors } from './features/feedback/visitors.service.ts'
import { createFiles } from './features/files/files.service.ts'
import { findMediaTools } from './features/files/media/media-tools.ts'
import { createFileLinks } from './features/files/serve/file-link.ts'
import { createNotifications } from './features/notifications/preferences.service.ts'
import { createSubscriptions } from './features/notifications/subscriptions.service.ts'
import { createUnsubscribeLinks, type UnsubscribeLinks } from './features/notifications/unsubscribe-link.ts'
import { createInvitations } from './features/organizations/invitations.service.ts'
import { createMembers } from './features/organizations/members.service.ts'
import { applyInstanceSettings, createStandingLookup } from './features/organizations/organizations.service.ts'
import { createProjects } from './features/projects/projects.service.ts'
import { createProofOfWork } from './features/widget/abuse/proof-of-work.ts'
import { createRecentWords } from './features/widget/abuse/recent-words.ts'
import { createCounters } from './features/widget/counters.ts'
import { createIdentityKeys } from './features/widget/identity.ts'
import { createOwnItems } from './features/widget/own-items.service.ts'
import { createWidgetSettings } from './features/widget/settings/widget-settings.service.ts'
import { createIngest } from './features/widget/widget.service.ts'
import { readWidgetBuild } from './features/widget/widget-build.ts'
import { openWidgetCache } from './features/widget/widget-cache.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { createDiskCheck } from './platform/health/disk-check.ts'
import { addWebApp } from './platform/http/web-app.ts'
import { startWorker, type Worker } from './platform/jobs/worker.ts'
import { openNamedLocks } from './platform/locks/named-locks.ts'
import type { Log } from './platform/log/log.ts'
import { openMailTransport } from './platform/mail/mail-transport.ts'
import { createMetrics } from './platform/metrics/metrics.ts'
import { loadInstanceSecret } from './platform/secret/instance-secret.ts'
import { openStorage } from './platform/storage/open-storage.ts'
import { toPublicConfig } from './public-config.ts'
import { createJobs, createLongJobs, createTransferJobs } from './worker.ts'

export interface RunningServer {
  /** Where it listens. */
  readonly url: string
  /** Answers what is under way, finishes the jobs at hand, closes every connection. */
  stop(): Promise<void>
}

const patienceMs = 5_000
const widgetBuildFolder = resolve(import.meta.dirname, '../build/widget')

/**
 * Starts the services that the configuration names, on a database that is migrated.
 *
 * @param options.withPages false serves the API and the widget alone, so that their tests need no built web app.
 * @throws when the database can't be reached, the port is taken, or web and widget are not built.
 */
export async function startServer(
  config: Config & { databaseUrl: string },
  log: Log,
  { withPages = true }: { withPages?: boolean } = {},
): Promise<RunningServer> {
  const stops: (() => Promise<void> | void)[] = []
  // What was opened last is closed first.
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    const database = openDatabase({
      url: config.databaseUrl,
      log,
      maxConnections: config.databaseMaxConnections,
    })
    stops.push(() => database.close())
    await applyInstanceSettings(database, config)

    const worker = config.services.worker ? await startJobs(config, log, database, stops) : undefined
    const url = config.services.web ? await startWeb(config, log, database, worker, stops, withPages) : ''
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startJobs(
  config: Config & { databaseUrl: string },
  log: Log,
  database: Database,
  stops: (() => Promise<void> | void)[],
): Promise<Worker> {
  const catcherUrl = config.production ? null : `smtp://localhost:${config.mailCatcher.smtpPort}`
  const transport = openMailTransport({ smtpUrl: config.smtpUrl ?? catcherUrl, from: config.mailFrom })
  stops.push(() => transport.close())
  const ending = new AbortController()
  const media = { ...config.media, signal: ending.signal, log }
  const files = {
    storage: openStorage(config),
    mediaTools: findMediaTools(media),
    keepHours: config.uploads.keepHours,
  }
  const links = await loadUnsubscribeLinks(config)
  const workers = { url: config.databaseUrl, log }
  const worker = await startWorker({
    ...workers,
    jobs: createJobs(config, { database, transport, log, links, ...files }),
  })
  stops.push(() => worker.stop())
  const longJobs = createLongJobs({ database, ...files })
  const longWorker = await startWorker({ ...workers, jobs: longJobs, concurrency: config.media.jobs })
  stops.push(() => longWorker.stop())
  const apart = { databaseUrl: config.databaseUrl, storage: { dataDir: config.dataDir, s3: config.s3 } }
  const transferJobs = createTransferJobs({ database, log, storage: files.storage, apart, signal: ending.signal })
  const transferWorker = await startWorker({ ...workers, jobs: transferJobs, concurrency: 2 })
  stops.push(() => transferWorker.stop())
  // What takes minutes is not waited for: it is ended, and done again by whoever works next.
  stops.push(() => ending.abort())
  return worker
}

async function loadUnsubscribeLinks(config: Config): Promise<UnsubscribeLinks> {
  const secret = await loadInstanceSecret({ dataDir: config.dataDir, configured: config.instanceSecret })
  return createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe'))
}

async function startWeb(
  config: Config & { databaseUrl: string },
  log: Log,
  database: Database,
  worker: Worker | undefined,
  stops: (() => Promise<void> | void)[],
  withPages: boolean,
): Promise<string> {
  const auth = await createAuth({ config, database, log })
  const feed = await openFeedbackFeed(database)
  stops.push(() => feed.close())
  const widgets = await openWidgetCache(database)
  stops.push(() => widgets.close())
  const counters = createCounters(database, log)
  stops.push(() => counters.close())
  const secret = await loadInstanceSecret({ dataDir: config.dataDir, configured: config.instanceSecret })
  const identityKeys = createIdentityKeys(secret.deriveKey)
  const ingest = createIngest({
    database,
    widgets,
    identityKeys,
    proofs: createProofOfWork(secret.deriveKey('proof of work')),
    recentWords: createRecentWords(),
    appUrl: config.appUrl,
  })
  stops.push(() => ingest.drain())

  const build = await readWidgetBuild(widgetBuildFolder)
  const locks = openNamedLocks({ url: config.databaseUrl, log })
  stops.push(() => locks.close())
  const storage = openStorage(config)
  const links = createFileLinks(secret.deriveKey('addresses of files'))

  const conversationLinks = createConversationLinks(secret.deriveKey('addresses of conversations'))
  const feedback = createFeedback(database, createFiles(links))
  const exportLinks = createExportLinks(secret.deriveKey('addresses of exports'))

  const metrics = config.metricsEnabled ? createMetrics() : null
  metrics?.watchPool('app', () => database.connections())

  const publicConfig = toPublicConfig(config, auth.publishableKey)
  const app = await createApp({
    config,
    publicConfig,
    ...(withPages && {
      addPages: (pages: FastifyInstance) => addWebApp(pages, { publicConfig, development: config.hotReload }),
    }),
    log,
    metrics,
    checks: {
      database: () => database.ping(),
      jobs: async () => worker?.check(),
      disk: createDiskCheck(config.dataDir),
    },
    findStanding: createStandingLookup(database),
    auth,
    accounts: createAccounts(database),
    invitations: createInvitations(database, config),
    members: createMembers(database),
    notifications: createNotifications(database),
    subscriptions: createSubscriptions(database, await loadUnsubscribeLinks(config)),
    projects: createProjects(database),
    feedback,
    feed,
    analytics: createAnalytics(database),
    trash: createTrash(database),
    visitors: createVisitors(database, storage),
    conversations: {
      comments: createComments({ database, links: conversationLinks, appUrl: config.appUrl }),
      answers: createAnswers({ database, links: conversationLinks }),
    },
    merges: createMerges(database, feedback),
    triage: { database },
    imports: createImports(database, storage),
    exports: { database, storage, exports: createExports(database, exportLinks), links: exportLinks },
    files: { database, storage, links },
    uploads: { database, storage, locks, ingest },
    widgetSettings: createWidgetSettings(database, build, identityKeys),
    widget: { ingest, ownItems: createOwnItems(database, identityKeys), widgets, counters, build },
  })
  stops.push(async () => {
    // Followers never hang up by themselves, and others may be slow: after a while, whoever is left is cut off.
    await feed.close()
    const patience = setTimeout(() => app.server.closeAllConnections(), patienceMs)
    await app.close()
    clearTimeout(patience)
  })
  return app.listen({ port: config.port, host: config.host })
}

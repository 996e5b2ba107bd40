import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { DeliveredItems } from '../feedback/delivered-items.service.ts'
import type { Feedback } from '../feedback/feedback.service.ts'
import type { TrackedItems } from '../feedback/tracked-items.service.ts'
import { createDeliveries } from './delivery/deliveries.service.ts'
import { createDeliveryWorker } from './delivery/delivery-worker.ts'
import { workQueue } from './delivery/work-queue.ts'
import { githubAppRoutes } from './github-app/github-app.routes.ts'
import { createGithubApps } from './github-app/github-app.service.ts'
import { createIntegrationJobs } from './integrations.jobs.ts'
import { integrationsRoutes } from './integrations.routes.ts'
import { createIntegrations } from './integrations.service.ts'
import { createIntegrationSubscribers } from './integrations.subscribers.ts'
import { hooksRoutes } from './issues/hooks.routes.ts'
import { createIssueLinks, type IssueLinks } from './issues/links.service.ts'
import { createPollJob } from './issues/poll-trackers.ts'
import { createIssuePreviews } from './issues/previews.service.ts'
import { createTrackerHookJobs } from './issues/tracker-hooks.jobs.ts'
import { createMemberEmails } from './member-emails.ts'
import { createRenewJob } from './renew-seals.ts'

export interface IntegrationsFeature extends Feature {
  readonly links: IssueLinks
}

/** Connections to other services, and the delivery of events to them. */
export function createIntegrationsFeature(
  platform: Platform,
  { items, tracked, feedback }: { items: DeliveredItems; tracked: TrackedItems; feedback: Pick<Feedback, 'list'> },
): IntegrationsFeature {
  const { buckets, config, database, log, outbound, readOnly, seals, yielding } = platform
  const emails = createMemberEmails({ database, appUrl: config.appUrl })
  const parts = { database, log, outbound, seals, items, tracked, emails, appUrl: config.appUrl }
  const worker = createDeliveryWorker({
    database,
    log,
    readOnly,
    work: (queue, isOurs) => workQueue({ ...parts, yielding }, queue, isOurs),
  })
  const links = createIssueLinks(database)
  let isWorking = false
  return {
    name: 'integrations',
    links,
    start: async (services) => {
      if (!services.worker) return
      await worker.start()
      isWorking = true
    },
    routes: async (app) => {
      const integrations = createIntegrations({ database, outbound, seals, emails })
      integrationsRoutes(app, {
        integrations,
        deliveries: createDeliveries(parts),
        links,
        previews: createIssuePreviews({ ...parts, feedback }),
      })
      const { appUrl } = config
      githubAppRoutes(app, createGithubApps({ database, outbound, seals, integrations, appUrl }))
      await hooksRoutes(app, { database, seals, buckets: buckets.perMinute('hook', config.ingestRatePerMinute) })
    },
    jobs: () => [
      ...createIntegrationJobs(database),
      createRenewJob({ database, log, seals }),
      createPollJob({ database, log, outbound, seals }),
      ...createTrackerHookJobs(parts),
    ],
    subscribers: createIntegrationSubscribers(platform, items),
    stop: async () => {
      if (isWorking) await worker.stop()
    },
  }
}

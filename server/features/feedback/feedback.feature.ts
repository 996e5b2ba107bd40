import { createPlaces } from '#server/platform/admission/places.ts'
import type { Feature } from '#server/platform/feature.ts'
import { readBasePath } from '#server/platform/http/base-path.ts'
import { createSharedLimit } from '#server/platform/limits/shared-limit.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { FilesFeature } from '../files/files.feature.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import type { WidgetFeature } from '../widget/widget.feature.ts'
import { keyRoutes } from './api/key.routes.ts'
import { createBulkJobs } from './bulk/bulk.jobs.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { createBulkOperations } from './bulk/bulk.service.ts'
import { createAnswers } from './conversation/answers.service.ts'
import { type Comments, createComments } from './conversation/comments.service.ts'
import { conversationRoutes } from './conversation/conversation.routes.ts'
import { createConversationLinks } from './conversation/conversation-link.ts'
import { createResolutionEmails } from './conversation/resolutions.ts'
import { createDeliveredItems, type DeliveredItems } from './delivered-items.service.ts'
import { createExportLinks } from './export/export-link.ts'
import { createExportJobs } from './export/exports.jobs.ts'
import { exportRoutes } from './export/exports.routes.ts'
import { createExports } from './export/exports.service.ts'
import { keyExportRoutes } from './export/key-exports.routes.ts'
import { feedbackRoutes } from './feedback.routes.ts'
import { createFeedback, type Feedback } from './feedback.service.ts'
import { createFeedbackSubscribers } from './feedback.subscribers.ts'
import { createFeedbackFeed } from './feedback-feed.ts'
import { createImportJobs } from './import/imports.jobs.ts'
import { importRoutes } from './import/imports.routes.ts'
import { createImports } from './import/imports.service.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { createMerges, type Merges } from './merge/merge.service.ts'
import { createPresenceJobs } from './presence/presence.jobs.ts'
import { presenceRoutes } from './presence/presence.routes.ts'
import { createPresenceBoard } from './presence/presence.service.ts'
import { createReadJobs } from './reads.jobs.ts'
import { createRetentionJobs } from './retention/retention.jobs.ts'
import { createTrash, removeForgottenVisitors, removeProjectFeedback, type Sum } from './retention/retention.service.ts'
import { trashRoutes } from './retention/trash.routes.ts'
import { createSnoozeJobs } from './snooze.jobs.ts'
import { templatesRoutes } from './templates/templates.routes.ts'
import { createReplyTemplates } from './templates/templates.service.ts'
import { createTestItems, type TestItems } from './test-items.service.ts'
import { createTrackedItems, type TrackedItems } from './tracked-items.service.ts'
import { createViewJobs } from './views/views.jobs.ts'
import { viewsRoutes } from './views/views.routes.ts'
import { createSavedViews } from './views/views.service.ts'
import { createVisitorJoins } from './visitors/joins.service.ts'
import { keyVisitorRoutes } from './visitors/key-visitors.routes.ts'
import { createVisitorJobs } from './visitors/visitors.jobs.ts'
import { visitorRoutes } from './visitors/visitors.routes.ts'
import { createVisitors } from './visitors/visitors.service.ts'

const dayMs = 86_400_000
// Emails to strangers in our name: more than a busy team sends in a day is abuse.
const visitorEmailsPerDay = 2000

/** What the dashboard's routes and the public API call, for other ways to items. */
export interface FeedbackServices {
  readonly feedback: Feedback
  readonly comments: Comments
  readonly merges: Pick<Merges, 'listSimilar'>
}

export interface FeedbackFeature extends Feature {
  /** Items for integrations. */
  readonly deliveredItems: DeliveredItems
  readonly trackedItems: TrackedItems
  readonly services: FeedbackServices
  readonly testItems: TestItems
  /** Permanently deletes all feedback of a project, a batch at a time. */
  removeProjectFeedback(project: { organizationId: string; projectId: string }): Promise<Sum>
  /** Deletes visitors who have no feedback left. */
  removeForgottenVisitors(): Promise<void>
}

export interface FeedbackNeeds {
  readonly files: FilesFeature
  readonly quotas: Quotas
  readonly widget: Pick<WidgetFeature, 'storeFromApi'>
}

/** Items and all that a team does with them; a folder for each. */
export function createFeedbackFeature(platform: Platform, { files, quotas, widget }: FeedbackNeeds): FeedbackFeature {
  const { buckets, config, database, readOnly, storage, secret } = platform
  const { appUrl } = config
  const feedback = createFeedback(database, files.files)
  const links = createConversationLinks(secret.deriveKey('addresses of conversations'))
  const limit = createSharedLimit({ name: 'reply', capacity: visitorEmailsPerDay, refillMs: dayMs }, database)
  const comments = createComments({ database, links, limit, appUrl })
  const resolutions = createResolutionEmails({ database, links, limit, appUrl })
  const merges = createMerges(database, feedback)
  const feed = createFeedbackFeed(database)
  return {
    name: 'feedback',
    services: { feedback, comments, merges },
    routes: (app) => {
      const exportLinks = createExportLinks(secret.deriveKey('addresses of exports'), readBasePath(appUrl))
      feedbackRoutes(app, { feedback, feed, places: createPlaces({ perOwner: 30, inAll: config.maxLiveConnections }) })
      trashRoutes(app, createTrash(database))
      const visitors = createVisitors(database, storage)
      visitorRoutes(app, visitors, createVisitorJoins(database))
      keyVisitorRoutes(app, visitors)
      const operations = createBulkOperations(database)
      keyRoutes(app, { feedback, comments, operations, store: widget.storeFromApi, database, quotas })
      conversationRoutes(app, {
        comments,
        answers: createAnswers({ database, links }),
        visitorBuckets: buckets.perMinute('conversation', config.ingestRatePerMinute),
      })
      mergeRoutes(app, merges)
      bulkRoutes(app, operations)
      viewsRoutes(app, createSavedViews(database))
      templatesRoutes(app, createReplyTemplates(database))
      presenceRoutes(app, createPresenceBoard(database))
      const exports = createExports(database, exportLinks, quotas)
      exportRoutes(app, { database, storage, exports, links: exportLinks })
      keyExportRoutes(app, { database, storage, exports })
      importRoutes(app, createImports({ database, storage, quotas }))
      // Followers never hang up by themselves: the server would wait for them.
      app.addHook('preClose', async () => feed.close())
      // Open pages learn that it began or ended from the answer to whatever they ask next.
      readOnly.onChange(() => feed.wakeAll())
    },
    jobs: () => [
      ...createRetentionJobs(database),
      ...createBulkJobs(database),
      ...createReadJobs(database),
      ...createSnoozeJobs(database),
      ...createPresenceJobs(database),
      ...createViewJobs(database),
      ...createVisitorJobs(platform),
      ...createExportJobs({ ...platform, quotas }),
      ...createImportJobs(platform),
      resolutions.job,
    ],
    deliveredItems: createDeliveredItems(files.files),
    trackedItems: createTrackedItems(database),
    testItems: createTestItems(database),
    subscribers: [feed.subscriber, resolutions.subscriber, ...createFeedbackSubscribers(database)],
    removeProjectFeedback: (project) => removeProjectFeedback(database, project),
    removeForgottenVisitors: () => removeForgottenVisitors(database),
    stop: () => feed.close(),
  }
}

import { createPlaces } from '#server/platform/admission/places.ts'
import type { Feature } from '#server/platform/feature.ts'
import { perMinute } from '#server/platform/http/token-buckets.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { FilesFeature } from '../files/files.feature.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { createBulkJobs } from './bulk/bulk.jobs.ts'
import { bulkRoutes } from './bulk/bulk.routes.ts'
import { createBulkOperations } from './bulk/bulk.service.ts'
import { createAnswers } from './conversation/answers.service.ts'
import { createComments } from './conversation/comments.service.ts'
import { conversationRoutes } from './conversation/conversation.routes.ts'
import { createConversationLinks } from './conversation/conversation-link.ts'
import { createExportLinks } from './export/export-link.ts'
import { createExportJobs } from './export/exports.jobs.ts'
import { exportRoutes } from './export/exports.routes.ts'
import { createExports } from './export/exports.service.ts'
import { feedbackRoutes } from './feedback.routes.ts'
import { createFeedback } from './feedback.service.ts'
import { createFeedbackSubscribers } from './feedback.subscribers.ts'
import { createFeedbackFeed } from './feedback-feed.ts'
import { createImportJobs } from './import/imports.jobs.ts'
import { importRoutes } from './import/imports.routes.ts'
import { createImports } from './import/imports.service.ts'
import { mergeRoutes } from './merge/merge.routes.ts'
import { createMerges } from './merge/merge.service.ts'
import { createPresenceJobs } from './presence/presence.jobs.ts'
import { presenceRoutes } from './presence/presence.routes.ts'
import { createPresenceBoard } from './presence/presence.service.ts'
import { createRetentionJobs } from './retention/retention.jobs.ts'
import { createTrash, removeForgottenVisitors, removeProjectFeedback, type Sum } from './retention/retention.service.ts'
import { trashRoutes } from './retention/trash.routes.ts'
import { createViewJobs } from './views/views.jobs.ts'
import { viewsRoutes } from './views/views.routes.ts'
import { createSavedViews } from './views/views.service.ts'
import { createVisitorJobs } from './visitors/visitors.jobs.ts'
import { visitorRoutes } from './visitors/visitors.routes.ts'
import { createVisitors } from './visitors/visitors.service.ts'

export interface FeedbackFeature extends Feature {
  /** Permanently deletes all feedback of a project, a batch at a time. */
  removeProjectFeedback(project: { organizationId: string; projectId: string }): Promise<Sum>
  /** Deletes visitors who have no feedback left. */
  removeForgottenVisitors(): Promise<void>
}

export interface FeedbackNeeds {
  readonly files: FilesFeature
  readonly quotas: Quotas
}

/** Items and all that a team does with them; a folder for each. */
export function createFeedbackFeature(platform: Platform, { files, quotas }: FeedbackNeeds): FeedbackFeature {
  const { config, database, storage, secret } = platform
  const { appUrl } = config
  const feedback = createFeedback(database, files.files)
  const feed = createFeedbackFeed(database)
  return {
    name: 'feedback',
    routes: (app) => {
      const links = createConversationLinks(secret.deriveKey('addresses of conversations'))
      const exportLinks = createExportLinks(secret.deriveKey('addresses of exports'))
      feedbackRoutes(app, { feedback, feed, places: createPlaces({ perOwner: 30, inAll: config.maxLiveConnections }) })
      trashRoutes(app, createTrash(database))
      visitorRoutes(app, createVisitors(database, storage))
      conversationRoutes(app, {
        comments: createComments({ database, links, appUrl }),
        answers: createAnswers({ database, links }),
        visitorBuckets: perMinute(config.ingestRatePerMinute),
      })
      mergeRoutes(app, createMerges(database, feedback))
      bulkRoutes(app, createBulkOperations(database))
      viewsRoutes(app, createSavedViews(database))
      presenceRoutes(app, createPresenceBoard(database))
      exportRoutes(app, {
        database,
        storage,
        exports: createExports(database, exportLinks, quotas),
        links: exportLinks,
      })
      importRoutes(app, createImports({ database, storage, quotas }))
      // Followers never hang up by themselves: the server would wait for them.
      app.addHook('preClose', async () => feed.close())
    },
    jobs: () => [
      ...createRetentionJobs(database),
      ...createBulkJobs(database),
      ...createPresenceJobs(database),
      ...createViewJobs(database),
      ...createVisitorJobs(platform),
      ...createExportJobs({ ...platform, quotas }),
      ...createImportJobs(platform),
    ],
    subscribers: [feed.subscriber, ...createFeedbackSubscribers(database)],
    removeProjectFeedback: (project) => removeProjectFeedback(database, project),
    removeForgottenVisitors: () => removeForgottenVisitors(database),
    stop: () => feed.close(),
  }
}

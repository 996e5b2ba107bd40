import type { Feature } from '#server/platform/feature.ts'
import { perMinute } from '#server/platform/http/token-buckets.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createNotificationJobs } from './notifications.jobs.ts'
import { notificationsRoutes } from './notifications.routes.ts'
import { createNotificationSubscribers } from './notifications.subscribers.ts'
import { createNotifications } from './preferences.service.ts'
import { createSubscriptions } from './subscriptions.service.ts'
import { createUnsubscribeLinks } from './unsubscribe-link.ts'

// Unsubscribing needs no account: one address may ask this often.
const publicCallsPerMinute = 60

export function createNotificationsFeature({ config, database, secret }: Platform): Feature {
  const links = createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe'))
  return {
    name: 'notifications',
    routes: (app) =>
      notificationsRoutes(app, {
        notifications: createNotifications(database),
        subscriptions: createSubscriptions(database, links),
        publicBuckets: perMinute(publicCallsPerMinute),
      }),
    jobs: () => createNotificationJobs({ database, links, appUrl: config.appUrl }),
    subscribers: createNotificationSubscribers(database),
  }
}

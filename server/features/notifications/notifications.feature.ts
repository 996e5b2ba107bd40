import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import type { Quotas } from '../quotas/quotas.service.ts'
import { createBillingMailSubscriber } from './billing-mails.subscriber.ts'
import { createFullQuotaSubscriber } from './full-quotas.subscriber.ts'
import { createDisabledMailSubscriber, createEndingTokenJob } from './integration-mails.ts'
import { createNotificationJobs } from './notifications.jobs.ts'
import { notificationsRoutes } from './notifications.routes.ts'
import { createNotificationSubscribers } from './notifications.subscribers.ts'
import { createPlanWarningSubscriber } from './plan-warnings.subscriber.ts'
import { createNotifications } from './preferences.service.ts'
import { createSubscriptions } from './subscriptions.service.ts'
import { createUnsubscribeLinks } from './unsubscribe-link.ts'

// Unsubscribing needs no account: one address may ask this often.
const publicCallsPerMinute = 60

export function createNotificationsFeature(
  { buckets, config, database, secret }: Platform,
  { quotas }: { quotas: Pick<Quotas, 'listFull'> },
): Feature {
  const { appUrl } = config
  const links = createUnsubscribeLinks(secret.deriveKey('addresses that unsubscribe'))
  const parts = { database, links, appUrl }
  return {
    name: 'notifications',
    routes: (app) =>
      notificationsRoutes(app, {
        notifications: createNotifications(database, quotas),
        subscriptions: createSubscriptions(database, links),
        publicBuckets: buckets.perMinute('unsubscribe', publicCallsPerMinute),
      }),
    jobs: () => [...createNotificationJobs(parts), createEndingTokenJob(parts)],
    subscribers: [
      ...createNotificationSubscribers(database),
      createFullQuotaSubscriber(parts),
      createDisabledMailSubscriber(parts),
      createPlanWarningSubscriber(parts),
      createBillingMailSubscriber(parts),
    ],
  }
}

import type { Feature } from '#server/platform/feature.ts'
import type { Platform } from '#server/platform/platform.ts'
import { createCapture } from './capture.ts'
import { createWidgetSumsJob } from './product-analytics.jobs.ts'
import { createCaptureSubscriber } from './product-analytics.subscriber.ts'

/**
 * Tells the operator's PostHog what happens on the server. Without its key, nothing is read, queued or sent. Browsers tell
 * it what happens on screens only (`web/lib/analytics.ts`), so nothing is counted twice.
 */
export function createProductAnalyticsFeature({ config, database, log }: Platform): Feature {
  const name = 'product-analytics'
  const { posthogKey: key, posthogHost: host, analyticsConsent } = config.public
  if (key === null || host === null) return { name }
  const capture = createCapture({ key, host, namesPeople: analyticsConsent === 'not_needed', log })
  return {
    name,
    subscribers: [createCaptureSubscriber(database, capture)],
    jobs: () => [createWidgetSumsJob(database, capture)],
  }
}

import type { PublicConfig } from '#contract/config.ts'
import { redactAnalytics } from '#contract/redact-analytics.ts'
import { describeError } from './describe-error.ts'
import type { Measuring, Service } from './service.ts'
import { watchErrors } from './watch-errors.ts'
import { watchPerformance } from './watch-performance.ts'

/** Opens the configured services. One that can't be loaded is left out. Properties are redacted before they reach one. */
export async function openMeasuring(config: PublicConfig): Promise<Measuring> {
  const { posthogKey, posthogHost, sentryDsn, gaMeasurementId } = config
  const opening: Promise<Service>[] = []
  if (posthogKey && posthogHost) {
    opening.push(import('./posthog.ts').then(({ openPosthog }) => openPosthog(posthogKey, posthogHost)))
  }
  if (sentryDsn) opening.push(import('./sentry.ts').then(({ openSentry }) => openSentry(sentryDsn, config)))
  if (gaMeasurementId) {
    opening.push(
      import('./google-analytics.ts').then(({ openGoogleAnalytics }) => openGoogleAnalytics(gaMeasurementId)),
    )
  }
  const services = (await Promise.allSettled(opening)).flatMap((each) =>
    each.status === 'fulfilled' ? [each.value] : [],
  )
  const capture: Measuring['capture'] = (name, properties) => {
    for (const service of services) service.capture?.(name, redactAnalytics(properties))
  }
  const watching = [watchErrors(capture), watchPerformance(capture)]
  return {
    capture,
    identify: (userId) => {
      for (const service of services) service.identify?.(userId)
    },
    forget: () => {
      for (const service of services) service.forget?.()
    },
    group: (group) => {
      for (const service of services) service.group?.(group)
    },
    reportError: (error, context) => {
      capture('error_occurred', { error_message: describeError(error), context })
      for (const service of services) service.reportError?.(error, context)
    },
    purchase: (purchase) => {
      for (const service of services) service.purchase?.(purchase)
    },
    refund: (refund) => {
      for (const service of services) service.refund?.(refund)
    },
    end: () => {
      for (const stop of watching) stop()
      for (const service of services) service.end()
    },
  }
}

import type { PublicConfig } from '#contract/config.ts'
import { redactAnalytics } from '#contract/redact-analytics.ts'
import { describeError } from './describe-error.ts'
import { watchErrors } from './watch-errors.ts'
import { watchPerformance } from './watch-performance.ts'

export type Properties = Readonly<Record<string, unknown>>

/** The organisation that events belong to. */
export interface Group {
  readonly id: string
  readonly subscriptionPlan: string | null
  readonly subscriptionStatus: string | null
}

/** `price` in units of the currency. */
export interface Purchase {
  readonly transactionId: string
  readonly plan: string
  readonly price: number
  readonly interval: string
  readonly coupon: string | null
}

/** `amount` in units of the currency. */
export interface Refund {
  readonly transactionId: string
  readonly plan: string | null
  readonly amount: number
}

/** A service that is told what happens. Each does what it can. */
export interface Service {
  capture?(name: string, properties: Properties): void
  identify?(userId: string): void
  forget?(): void
  group?(group: Group): void
  reportError?(error: unknown, context: string): void
  purchase?(purchase: Purchase): void
  refund?(refund: Refund): void
  /** Stops it and deletes what it stored in the browser. */
  end(): void
}

export type Measuring = Required<Service>

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

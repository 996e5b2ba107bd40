import type { AnalyticsProperties, ScreenEvent } from '#contract/analytics-events.ts'
import type { PublicConfig } from '#contract/config.ts'
import type { Group, Measuring, Purchase, Refund } from './measuring/service.ts'
import { isImpersonated, readStored, storageKeys } from './storage.ts'

/*
 * What screens tell the services that the operator configured: product analytics, web analytics, error reports. Their code is
 * loaded late, and only with a key and, where it is asked for, the person's consent.
 */

/** The name of an event with its properties. */
export type CapturedEvent = {
  [N in ScreenEvent]: object extends AnalyticsProperties<N> ? [name: N] : [name: N, properties: AnalyticsProperties<N>]
}[ScreenEvent]

type Use = (measuring: Measuring) => void

let measuring: Measuring | undefined
/** Calls queued until the services are loaded; undefined when there are none. */
let waiting: Use[] | undefined = []
let isLoading = false
/** Who is signed in, and where, for services that are loaded later. Null: no one is; undefined: not known yet. */
let personId: string | null | undefined
let group: Group | undefined

/** Whether a service is configured. Of someone who is impersonated nothing is told. */
export function isMeasuringConfigured({ posthogKey, sentryDsn, gaMeasurementId }: PublicConfig): boolean {
  return Boolean(posthogKey || sentryDsn || gaMeasurementId) && !isImpersonated()
}

/** Whether people decide themselves what this browser reports. */
export function mayChooseAnalytics(config: PublicConfig): boolean {
  return config.analyticsConsent === 'required' && isMeasuringConfigured(config)
}

/** Loads the configured services, if there are any and the person has not to agree first. Later calls change nothing. */
export function startAnalytics(config: PublicConfig): void {
  const isAllowed = config.analyticsConsent !== 'required' || readStored(storageKeys.analyticsConsent) === 'accepted'
  if (isMeasuringConfigured(config) && isAllowed) void loadMeasuring(config)
  else waiting = undefined
}

/** Loads the services. @throws never: blockers keep them away, and nothing depends on them. */
export async function loadMeasuring(config: PublicConfig): Promise<void> {
  if (measuring || isLoading) return
  isLoading = true
  waiting ??= []
  try {
    const { openMeasuring } = await import('./measuring/measuring.ts')
    const opened = await openMeasuring(config)
    // The person may have declined meanwhile.
    if (waiting) follow(opened, waiting)
    else opened.end()
  } catch {
    // Nothing is counted.
  }
  isLoading = false
  waiting = undefined
}

function follow(opened: Measuring, told: readonly Use[]): void {
  measuring = opened
  if (personId === null) opened.forget()
  else if (personId !== undefined) opened.identify(personId)
  if (group) opened.group(group)
  for (const use of told) use(opened)
}

/** Ends all services and deletes what they stored, after the person has declined. */
export function endMeasuring(): void {
  waiting = undefined
  measuring?.end()
  measuring = undefined
}

function tell(use: Use): void {
  if (measuring) use(measuring)
  else waiting?.push(use)
}

/** Counts something that happened on a screen. What the server sees is counted there. */
export function captureEvent(...[name, properties]: CapturedEvent): void {
  tell((services) => services.capture(name, properties ?? {}))
}

/** Reports an error that a screen shows. `context`: where. */
export function reportError(error: unknown, context: string): void {
  tell((services) => services.reportError(error, context))
}

/** Counts a payment in web analytics. `read` is called only if there are any; undefined: there was no payment. */
export function capturePurchase(read: () => Promise<Purchase | undefined>): void {
  tell((services) => {
    read().then(
      (purchase) => purchase && services.purchase(purchase),
      // It can't be read: it is not counted.
      () => {},
    )
  })
}

/** Counts money given back in web analytics. */
export function captureRefund(refund: Refund): void {
  tell((services) => services.refund(refund))
}

/** Assigns later events to this person. Sends the id alone. */
export function identifyPerson(userId: string): void {
  personId = userId
  measuring?.identify(userId)
}

/** Resets the identity: later events are anonymous, and stored ids of earlier visits are cleared. */
export function forgetPerson(): void {
  personId = null
  group = undefined
  measuring?.forget()
}

/** From now on, events are also the organisation's. */
export function groupByOrganization(organization: Group): void {
  group = organization
  measuring?.group(organization)
}

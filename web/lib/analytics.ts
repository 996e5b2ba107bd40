import type { PostHog, PostHogConfig } from 'posthog-js'
import type { PublicConfig } from '#contract/config.ts'
import { redactAnalytics } from '#contract/redact-analytics.ts'

type Properties = Readonly<Record<string, string | number | boolean | null>>
type Use = (client: PostHog) => void

let client: PostHog | undefined
/** Calls queued until the client is loaded; undefined when analytics is off. */
let waiting: Use[] | undefined = []

/**
 * Starts product analytics if a key for it is configured; otherwise nothing is loaded, kept or sent. Later calls change
 * nothing.
 */
export function startAnalytics({ posthogKey, posthogHost }: PublicConfig): void {
  if (client || !waiting) return
  if (!posthogKey || !posthogHost) {
    waiting = undefined
    return
  }
  import('posthog-js')
    .then(({ default: posthog }) => {
      if (client) return
      posthog.init(posthogKey, { ...options, api_host: posthogHost })
      client = posthog
      const told = waiting ?? []
      waiting = undefined
      for (const use of told) use(posthog)
    })
    // Blockers keep it away, and nothing depends on it.
    .catch(() => {
      waiting = undefined
    })
}

const options: Partial<PostHogConfig> = {
  person_profiles: 'identified_only',
  capture_pageview: false,
  capture_pageleave: true,
  autocapture: true,
  persistence: 'localStorage+cookie',
  // Clicked text is mostly visitors' messages or names.
  mask_all_text: true,
  mask_all_element_attributes: true,
  session_recording: { maskAllInputs: true, maskTextSelector: '*' },
  before_send: (event) => redactAnalytics(event),
  // Code comes from our own origin alone; what would be loaded from there, recording and surveys, stays off.
  disable_external_dependency_loading: true,
  advanced_disable_flags: true,
  disable_surveys: true,
}

function tell(use: Use): void {
  if (client) use(client)
  else waiting?.push(use)
}

/** Counts something that happened. */
export function captureEvent(name: string, properties: Properties = {}): void {
  tell((posthog) => posthog.capture(name, properties))
}

/** Assigns later events to this person. Sends the id alone. */
export function identifyPerson(userId: string): void {
  tell((posthog) => {
    if (posthog.get_distinct_id() !== userId) posthog.identify(userId)
  })
}

/** Resets the identity: later events are anonymous, and stored ids of earlier visits are cleared. */
export function forgetPerson(): void {
  tell((posthog) => {
    if (posthog.get_property('$user_id') !== undefined) posthog.reset()
  })
}

/** From now on, events are also the organisation's. */
export function groupByOrganization(organizationId: string, properties: Properties): void {
  tell((posthog) => posthog.group('organization', organizationId, properties))
}

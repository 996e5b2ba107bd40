import posthog, { type PostHogConfig } from 'posthog-js'
import { redactAnalytics } from '#contract/redact-analytics.ts'
import { deleteStored } from './delete-stored.ts'
import type { Service } from './service.ts'

/** False after a withdrawal: its listeners stay, and nothing of theirs is kept or sent. */
let isOn = false

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
  before_send: (event) => (isOn ? redactAnalytics(event) : null),
  // Code comes from our own origin alone; what would be loaded from there, recording and surveys, stays off.
  disable_external_dependency_loading: true,
  advanced_disable_flags: true,
  disable_surveys: true,
}

/** Product analytics. */
export function openPosthog(key: string, host: string): Service {
  isOn = true
  if (posthog.__loaded) posthog.set_config({ disable_persistence: false })
  else posthog.init(key, { ...options, api_host: host })
  return {
    capture: (name, properties) => posthog.capture(name, properties),
    identify: (userId) => {
      if (posthog.get_distinct_id() !== userId) posthog.identify(userId)
    },
    forget: () => {
      if (posthog.get_property('$user_id') !== undefined) posthog.reset()
    },
    group: ({ id, subscriptionPlan, subscriptionStatus }) =>
      posthog.group('organization', id, {
        subscription_plan: subscriptionPlan,
        subscription_status: subscriptionStatus,
      }),
    end: () => {
      isOn = false
      posthog.reset(true)
      posthog.set_config({ disable_persistence: true })
      deleteStored((name) => name.startsWith(`ph_${key}_`))
    },
  }
}

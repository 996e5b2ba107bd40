import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'

const Setting = nullable(Type.String())

/** What a browser needs to know of this instance. Null where nothing is configured. Nothing here is secret. */
export const PublicConfig = Type.Object({
  supabaseUrl: Setting,
  supabaseAnonKey: Setting,
  stripePublishableKey: Setting,
  /** Stripe's script, where plans are paid within the app; null: on a page of Stripe. */
  stripeScriptUrl: Setting,
  /** Plans are paid for in a sandbox of Stripe: no money moves. */
  testPayments: Type.Boolean(),
  appUrl: Setting,
  appVersion: Setting,
  sentryDsn: Setting,
  gaMeasurementId: Setting,
  posthogKey: Setting,
  posthogHost: Setting,
  /** `required`: none of the services above is loaded before the person has agreed. */
  analyticsConsent: Type.Enum(['required', 'not_needed']),
  /** Share of page loads whose timings are reported with errors. */
  traceSampleRate: Type.Number(),
  /** Whether sign-in with Google is offered. */
  googleSignIn: Type.Boolean(),
})
export type PublicConfig = Static<typeof PublicConfig>

export const getConfig = route({
  operationId: 'getConfig',
  method: 'GET',
  path: '/api/v1/config',
  summary: 'Read the public runtime configuration',
  tag: 'config',
  replies: { 200: PublicConfig },
  errors: [],
  access: { kind: 'public' },
  rate: 'none',
})

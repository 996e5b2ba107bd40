import Type, { type Static } from 'typebox'
import { FeedbackType } from './feedback.ts'
import { route } from './route.ts'
import { Email, Uuid, visitorText } from './text.ts'

/** Largest submission accepted, in bytes of JSON. */
export const maxSubmissionBytes = 256 * 1024
/** Longest message a visitor may send, in characters. */
export const maxMessageLength = 10_000

/** A public widget key: `wk_` and 22 characters of base64url. */
export const WidgetKey = Type.String({ pattern: '^wk_[A-Za-z0-9_-]{22}$', maxLength: 25 })

/**
 * What a visitor sends. The id is made by the widget (UUIDv7) and stays the same over every retry, which is what makes
 * a retry safe.
 */
export const Submission = Type.Object(
  {
    id: Uuid,
    type: FeedbackType,
    message: visitorText({ minLength: 1, maxLength: maxMessageLength }),
    rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    email: Type.Optional(Email),
    name: Type.Optional(visitorText({ minLength: 1, maxLength: 200 })),
    page: Type.Object(
      {
        url: Type.String({ format: 'http-url', maxLength: 4096 }),
        title: Type.Optional(visitorText({ maxLength: 500 })),
      },
      { additionalProperties: false },
    ),
    /** Browser context: what the widget saw. At most 64 kB of JSON and 20 levels deep. */
    context: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100 })),
    /** What the site attached. At most 64 kB of JSON and 20 levels deep. */
    metadata: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100 })),
  },
  { additionalProperties: false },
)
export type Submission = Static<typeof Submission>

/** Proof that the submission is stored: shown to the visitor as `#number`. */
export const Receipt = Type.Object({ id: Uuid, number: Type.Integer() })
export type Receipt = Static<typeof Receipt>

/** What the loader is given with its code, so that a page needs one request before any click. */
export interface LoaderSettings {
  /** The public widget key. */
  readonly key: string
  /** Path of the panel's module on the origin that served the loader. */
  readonly panelPath: string
  /** Hosts the widget works on, with their subdomains; loopback always works and marks items as tests. */
  readonly hosts: readonly string[]
  readonly label: string
  /** Accent colour as `#rrggbb`. */
  readonly color: string
  readonly position: 'bottom-right' | 'bottom-left'
  readonly askRating: boolean
  readonly askEmail: boolean
}

export const submitFeedback = route({
  operationId: 'submitFeedback',
  method: 'POST',
  path: '/e/{widgetKey}/submissions',
  summary: 'Store what a visitor sent; safe to repeat with the same id',
  tag: 'widget',
  params: Type.Object({ widgetKey: Type.String({ maxLength: 64 }) }),
  body: Submission,
  maxBodyBytes: maxSubmissionBytes,
  replies: {
    200: Receipt,
    201: Receipt,
  },
  errors: ['widget_not_found', 'origin_not_allowed', 'id_reused', 'unavailable'],
  access: { kind: 'public' },
  rate: 'ingest',
})

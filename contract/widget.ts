import Type, { type Static } from 'typebox'
import { FeedbackStatus, FeedbackType } from './feedback.ts'
import { AnnouncedAttachment, maxAttachments } from './files.ts'
import { route } from './route.ts'
import { Email, Timestamp, Uuid, visitorText } from './text.ts'

/** Largest submission accepted, in bytes of JSON. */
const maxSubmissionBytes = 256 * 1024
/** Longest message a visitor may send, in characters. */
export const maxMessageLength = 10_000

/**
 * What a visitor sends. The id is made by the widget (UUIDv7) and stays the same over every retry, which is what makes
 * a retry safe.
 */
export const Submission = Type.Object(
  {
    id: Uuid,
    type: FeedbackType,
    /** May be blank when there is a rating, an answer or an attachment. */
    message: visitorText({ maxLength: maxMessageLength }),
    rating: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    /** Net promoter score: how likely the visitor is to recommend. */
    nps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    /** Answers to the project's own questions, by their ids. */
    fields: Type.Optional(
      Type.Record(Type.String({ maxLength: 40 }), Type.Union([visitorText({ maxLength: 2000 }), Type.Boolean()]), {
        maxProperties: 20,
      }),
    ),
    /** Agreed to the consent line. */
    consent: Type.Optional(Type.Boolean()),
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
    /** Marks of the site, for sorting. */
    tags: Type.Optional(Type.Array(visitorText({ minLength: 1, maxLength: 50 }), { maxItems: 20 })),
    /** Who the site says this is; `hash` is the HMAC-SHA256 of the id under the project's secret, in hex. */
    visitor: Type.Optional(
      Type.Object(
        {
          id: visitorText({ minLength: 1, maxLength: 200 }),
          hash: Type.Optional(Type.String({ maxLength: 64 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** Secret of this browser, by which it can later ask for its own items; 22 characters of base64url. */
    visitorKey: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{22}$', maxLength: 22 })),
    /** What will arrive, or has arrived, by tus under these ids. */
    attachments: Type.Optional(Type.Array(AnnouncedAttachment, { maxItems: maxAttachments })),
    /** Signs of a person: how long the form was open, and a field that people do not see. Without it, work is asked for. */
    guard: Type.Optional(
      Type.Object(
        {
          elapsedMs: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
          website: Type.Optional(Type.String({ maxLength: 500 })),
        },
        { additionalProperties: false },
      ),
    ),
    /** What the site attached. At most 64 kB of JSON and 20 levels deep. */
    metadata: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), { maxProperties: 100 })),
  },
  { additionalProperties: false },
)
export type Submission = Static<typeof Submission>

/** Proof that the submission is stored: shown to the visitor as `#number`. */
export const Receipt = Type.Object({ id: Uuid, number: Type.Integer() })
export type Receipt = Static<typeof Receipt>

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
  errors: [
    'widget_not_found',
    'project_archived',
    'origin_not_allowed',
    'id_reused',
    'proof_required',
    'unavailable',
    'disk_nearly_full',
  ],
  access: { kind: 'public' },
  rate: 'ingest',
})

/**
 * Header that proves work, when `proof_required` (428) asked for it: `{challenge}:{nonce}`, where SHA-256 of exactly
 * that text starts with `difficulty` zero bits. The problem's members `challenge` and `difficulty` say what to solve. A
 * proof counts for the submission's id that was asked about.
 */
export const proofHeader = 'x-earshot-proof'

/** Headers by which a visitor asks for items of their own: the browser's secret, or a signed identity. */
export const VisitorHeaders = { key: 'x-visitor-key', id: 'x-visitor-id', hash: 'x-visitor-hash' } as const

/** One of a visitor's own items, as the visitor may see it. */
export const OwnItem = Type.Object({
  id: Uuid,
  number: Type.Integer(),
  type: FeedbackType,
  status: FeedbackStatus,
  /** The first 280 characters. */
  excerpt: Type.String(),
  createdAt: Timestamp,
  /** Names of attached files that were refused after they had arrived. */
  refusedFiles: Type.Array(Type.String()),
  replies: Type.Array(Type.Object({ id: Uuid, authorName: Type.String(), text: Type.String(), createdAt: Timestamp })),
})
export type OwnItem = Static<typeof OwnItem>

export const listOwnItems = route({
  operationId: 'listOwnItems',
  method: 'GET',
  path: '/e/{widgetKey}/items',
  summary: "List a visitor's own items, newest first, at most 50",
  tag: 'widget',
  params: Type.Object({ widgetKey: Type.String({ maxLength: 64 }) }),
  replies: { 200: Type.Object({ items: Type.Array(OwnItem) }) },
  errors: ['widget_not_found', 'origin_not_allowed'],
  access: { kind: 'public' },
  rate: 'ingest',
})

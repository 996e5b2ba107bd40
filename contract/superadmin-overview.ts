import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

/** Parts of the instance that are asked at once, as `GET /ready` asks them. */
const Check = Type.Object({
  name: Type.String(),
  result: Type.Enum(['ok', 'no_worker', 'read_only', 'failed', 'timeout']),
})

/** What asks for someone's attention, the most urgent first. */
export const attentionKinds = [
  'disk_low',
  'jobs_failed',
  'emails_failed',
  'payments_past_due',
  'storage_full',
  'limits_reached',
  'contact_messages',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** Share of the disk below which its free space asks for attention. */
export const lowDiskShare = 0.1

const Count = Type.Integer()
/** A figure of the last thirty days, today last, and its sum in the thirty days before. */
const Course = Type.Object({ total: Count, previousTotal: Count, perDay: Type.Array(Count) })

export const Overview = Type.Object({
  health: Type.Object({
    checks: Type.Array(Check),
    /** Each pool of jobs has one in each process with the service worker. */
    workers: Type.Object({ running: Count, lastSeenAt: nullable(Timestamp) }),
    mail: Type.Object({
      /** Not sent yet. */
      waiting: Count,
      oldestWaitingAt: nullable(Timestamp),
      /** Given up in the last seven days. */
      failed: Count,
    }),
    queue: Type.Object({
      /** Due and not begun. */
      waiting: Count,
      oldestDueAt: nullable(Timestamp),
      /** Given up after their last attempt. */
      failed: Count,
    }),
    /** Of the data folder. */
    disk: Type.Object({ freeBytes: Type.Integer(), totalBytes: Type.Integer() }),
  }),
  attention: Type.Array(Type.Object({ kind: Type.Enum([...attentionKinds]), count: Count })),
  growth: Type.Object({
    /** The day of each value, in UTC. */
    days: Type.Array(Type.String()),
    organizations: Course,
    /** Mean per day, rounded, in place of the sum: an organisation is active on many days. */
    active: Course,
    items: Course,
    loads: Course,
    /** Monthly recurring revenue in cents: now, thirty days ago, and at the end of each day. */
    mrr: Type.Object({ cents: Count, previousCents: Count, perDay: Type.Array(Count) }),
  }),
})
export type Overview = Static<typeof Overview>

const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

export const getOverview = route({
  ...superadmin,
  operationId: 'getOverview',
  method: 'GET',
  path: '/api/v1/superadmin/overview',
  summary: 'Read the health of the instance, what needs attention, and growth',
  replies: { 200: Overview },
  errors: [],
  rate: 'read',
})

const OpenMessage = Type.Object({
  id: Uuid,
  topic: Type.String(),
  name: Type.String(),
  email: Type.String(),
  message: Type.String(),
  createdAt: Timestamp,
})
export type OpenMessage = Static<typeof OpenMessage>

export const listOpenMessages = route({
  ...superadmin,
  operationId: 'listOpenMessages',
  method: 'GET',
  path: '/api/v1/superadmin/contact-messages',
  summary: 'List messages of the contact form that are not marked as answered, the oldest first; at most 50',
  replies: { 200: Type.Object({ items: Type.Array(OpenMessage), count: Count }) },
  errors: [],
  rate: 'read',
})

export const markMessage = route({
  ...superadmin,
  operationId: 'markMessage',
  method: 'PATCH',
  path: '/api/v1/superadmin/contact-messages/{messageId}',
  summary: 'Mark a message of the contact form as answered, or as open again',
  params: Type.Object({ messageId: Uuid }),
  body: Type.Object({ answered: Type.Boolean() }, { additionalProperties: false }),
  replies: { 200: Type.Object({ answeredAt: nullable(Timestamp) }) },
  errors: ['message_not_found'],
  rate: 'write',
})

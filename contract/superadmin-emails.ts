import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/**
 * `queued`: waits for its first or next attempt. `bounced`: sent, and returned later. `failed`: given up. `suppressed`: not
 * sent, because its address gets no emails.
 */
export const emailStatuses = ['queued', 'sent', 'bounced', 'failed', 'suppressed'] as const
export type EmailStatus = (typeof emailStatuses)[number]

/** An email of the outbox. Subject and body are left out: they may contain codes and links that sign someone in. */
export const OutboxEmail = Type.Object({
  id: Uuid,
  kind: Type.String(),
  to: Type.String(),
  status: Type.Enum([...emailStatuses]),
  attempts: Type.Integer(),
  /** Why the last attempt failed, without addresses; null: it did not fail. */
  lastError: nullable(Type.String()),
  createdAt: Timestamp,
  /** When the mail server accepted it. */
  sentAt: nullable(Timestamp),
  /** When it was given up. */
  failedAt: nullable(Timestamp),
  /** Whether its body still exists, so that it can be sent again, or sooner. */
  canRetry: Type.Boolean(),
})
export type OutboxEmail = Static<typeof OutboxEmail>

const EmailAttempt = Type.Object({
  /** The first is 1. */
  number: Type.Integer(),
  at: Timestamp,
  /** What the mail server answered, without addresses, or why there was no answer; null: it accepted the email. */
  answer: nullable(Type.String()),
})

/** An email with its attempts, the oldest first. */
export const OutboxEmailDetail = Type.Object({ ...OutboxEmail.properties, history: Type.Array(EmailAttempt) })
export type OutboxEmailDetail = Static<typeof OutboxEmailDetail>

const filters = {
  /** Part of the recipient's address. */
  search: Type.Optional(line({ maxLength: 254 })),
  kind: Type.Optional(line({ maxLength: 50 })),
  /** About this organisation. */
  organizationId: Type.Optional(Uuid),
  status: Type.Optional(Type.Enum([...emailStatuses])),
  /** Default: the latest first. */
  order: Type.Optional(Type.Enum(['latest', 'oldest'])),
}
const OutboxFilters = Type.Object(filters)
export type OutboxFilters = Static<typeof OutboxFilters>

const OutboxFigures = Type.Object({ sent: Type.Integer(), failed: Type.Integer() })

const OutboxSummary = Type.Object({
  queued: Type.Integer(),
  day: OutboxFigures,
  fortnight: OutboxFigures,
  /** Kinds in the outbox, by name. */
  kinds: Type.Array(Type.String()),
})
export type OutboxSummary = Static<typeof OutboxSummary>

const base = '/api/v1/superadmin/emails'
const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' }, errors: [] } as const

export const listOutboxEmails = route({
  ...ofSuperadmins,
  operationId: 'listOutboxEmails',
  method: 'GET',
  path: base,
  summary: 'List emails of the outbox, without subject and body',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(OutboxEmail), nextCursor: nullable(Type.String()) }) },
  rate: 'read',
})

export const getOutboxSummary = route({
  ...ofSuperadmins,
  operationId: 'getOutboxSummary',
  method: 'GET',
  path: `${base}/summary`,
  summary: 'Count waiting emails, and emails sent and given up in the last 24 hours and 14 days',
  replies: {
    200: OutboxSummary,
  },
  rate: 'read',
})

export const exportOutboxEmails = route({
  ...ofSuperadmins,
  operationId: 'exportOutboxEmails',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download the emails of the outbox as CSV, without subject and body',
  body: Type.Object(filters, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv' }) },
  rate: 'write',
})

const params = Type.Object({ emailId: Uuid })

export const getOutboxEmail = route({
  ...ofSuperadmins,
  operationId: 'getOutboxEmail',
  method: 'GET',
  path: `${base}/{emailId}`,
  summary: 'Read an email of the outbox and its attempts, without subject and body',
  params,
  replies: { 200: OutboxEmailDetail },
  errors: ['email_not_found'],
  rate: 'read',
})

export const retryEmail = route({
  ...ofSuperadmins,
  operationId: 'retryEmail',
  method: 'POST',
  path: `${base}/{emailId}/retry`,
  summary: 'Send a failed email again, or a waiting email now',
  params,
  replies: { 202: Type.Object({ id: Uuid }) },
  errors: ['email_not_found', 'email_not_retryable'],
  rate: 'write',
})

export const retryFailedEmails = route({
  ...ofSuperadmins,
  operationId: 'retryFailedEmails',
  method: 'POST',
  path: `${base}/retries`,
  summary: 'Send failed emails again, the oldest 1,000 of the last 14 days',
  replies: { 202: Type.Object({ retried: Type.Integer() }) },
  rate: 'write',
})

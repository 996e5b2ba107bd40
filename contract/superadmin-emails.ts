import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** `queued`: waits for its first or next attempt. `failed`: given up, its body is deleted. */
export const emailStatuses = ['queued', 'sent', 'failed'] as const
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
})
export type OutboxEmail = Static<typeof OutboxEmail>

const filters = {
  /** Part of the recipient's address. */
  search: Type.Optional(line({ maxLength: 254 })),
  kind: Type.Optional(line({ maxLength: 50 })),
  status: Type.Optional(Type.Enum([...emailStatuses])),
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
  summary: 'List emails of the outbox, latest first, without subject and body',
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
  summary: 'Download the emails of the outbox as CSV, latest first, without subject and body',
  body: Type.Object(filters, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv' }) },
  rate: 'write',
})

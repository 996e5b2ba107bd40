import Type, { type Static } from 'typebox'
import { auditCategories, auditTargets } from './audited-events.ts'
import { actorKinds } from './events.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

const Facts = nullable(Type.Record(Type.String(), Type.Unknown()))

/** Who changed what, when and from where. */
export const AuditEntry = Type.Object({
  id: Uuid,
  createdAt: Timestamp,
  /** Name of the event. */
  action: Type.String(),
  category: Type.Enum([...auditCategories]),
  /** The change in a sentence. */
  summary: Type.String(),
  actor: Type.Object({
    /** `superadmin`: one who is no member. `system`: Earshot itself. */
    kind: Type.Enum([...actorKinds]),
    id: nullable(Uuid),
    /** As it was then. */
    name: nullable(Type.String()),
  }),
  target: Type.Object({
    type: nullable(Type.Enum([...auditTargets])),
    id: nullable(Uuid),
    /** As it was then. */
    name: nullable(Type.String()),
  }),
  /** Facts that the change replaced. */
  before: Facts,
  /** Facts as they are since. */
  after: Facts,
  /** Where the request came from. Null: a visitor, or a job. */
  ip: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  requestId: nullable(Type.String()),
  /** The job that made the change; null: a request. */
  cause: nullable(Type.String()),
})
export type AuditEntry = Static<typeof AuditEntry>

export const auditFilters = {
  /** A user or an API key. */
  actorId: Type.Optional(Uuid),
  actorKind: Type.Optional(Type.Enum([...actorKinds])),
  category: Type.Optional(Type.Enum([...auditCategories])),
  targetId: Type.Optional(Uuid),
  /** Entries from this time on. */
  from: Type.Optional(Timestamp),
  /** Entries before this time. */
  to: Type.Optional(Timestamp),
}
const AuditFilters = Type.Object(auditFilters)
export type AuditFilters = Static<typeof AuditFilters>

export const listAudit = route({
  operationId: 'listAudit',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/audit',
  summary: 'List the audit log, latest first',
  tag: 'audit',
  params: OrganizationParams,
  query: Type.Object(
    {
      ...auditFilters,
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(AuditEntry), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'organization', permission: 'manage_organization' },
  rate: 'read',
})

export const auditFormats = ['csv', 'jsonl'] as const
export type AuditFormat = (typeof auditFormats)[number]

export const exportAudit = route({
  operationId: 'exportAudit',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/audit/exports',
  summary: 'Download the audit log as CSV or JSON Lines, latest first; the download itself is recorded',
  tag: 'audit',
  params: OrganizationParams,
  body: Type.Object({ ...auditFilters, format: Type.Enum([...auditFormats]) }, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv or application/x-ndjson' }) },
  errors: [],
  access: { kind: 'organization', permission: 'manage_organization' },
  rate: 'write',
})

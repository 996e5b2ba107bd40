import Type, { type Static } from 'typebox'
import { AuditEntry, auditFilters, auditFormats } from './audit.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Uuid } from './text.ts'

/** An entry of any organisation. */
export const InstanceAuditEntry = Type.Object({
  ...AuditEntry.properties,
  target: Type.Object({
    /** Entries of the instance have targets of their own: plans, coupons, posts … */
    type: nullable(Type.String()),
    id: nullable(Uuid),
    /** As it was then. */
    name: nullable(Type.String()),
  }),
  /** Null: a change of the instance. The name is null once the organisation is deleted. */
  organization: nullable(Type.Object({ id: Uuid, name: nullable(Type.String()) })),
})
export type InstanceAuditEntry = Static<typeof InstanceAuditEntry>

const instanceAuditFilters = {
  ...auditFilters,
  /** The nil id: changes of the instance itself. */
  organizationId: Type.Optional(Uuid),
  /** Begins of words in the names of actor and target, or in the action: `ada`, `user.ban`. All must be there. */
  search: Type.Optional(line({ maxLength: 200 })),
  /** What a superadmin did as someone else, with its beginning and end. */
  impersonationId: Type.Optional(Uuid),
  /** Default: the latest first. */
  order: Type.Optional(Type.Enum(['latest', 'oldest'])),
}
const InstanceAuditFilters = Type.Object(instanceAuditFilters)
export type InstanceAuditFilters = Static<typeof InstanceAuditFilters>

export const listInstanceAudit = route({
  operationId: 'listInstanceAudit',
  method: 'GET',
  path: '/api/v1/superadmin/audit',
  summary: 'List the audit log of all organisations',
  tag: 'superadmin',
  query: Type.Object(
    {
      ...instanceAuditFilters,
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(InstanceAuditEntry), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'superadmin' },
  rate: 'read',
})

export const exportInstanceAudit = route({
  operationId: 'exportInstanceAudit',
  method: 'POST',
  path: '/api/v1/superadmin/audit/exports',
  summary: 'Download the audit log of the instance as CSV or JSON Lines; the download itself is recorded',
  tag: 'superadmin',
  body: Type.Object({ ...instanceAuditFilters, format: Type.Enum([...auditFormats]) }, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv or application/x-ndjson' }) },
  errors: [],
  access: { kind: 'superadmin' },
  rate: 'write',
})

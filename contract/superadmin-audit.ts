import Type, { type Static } from 'typebox'
import { AuditEntry, auditFilters } from './audit.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/** An entry of any organisation. */
export const InstanceAuditEntry = Type.Object({
  ...AuditEntry.properties,
  /** The name is null once the organisation is deleted. */
  organization: Type.Object({ id: Uuid, name: nullable(Type.String()) }),
})
export type InstanceAuditEntry = Static<typeof InstanceAuditEntry>

export const listInstanceAudit = route({
  operationId: 'listInstanceAudit',
  method: 'GET',
  path: '/api/v1/superadmin/audit',
  summary: 'List the audit log of all organisations, latest first',
  tag: 'superadmin',
  query: Type.Object(
    {
      ...auditFilters,
      organizationId: Type.Optional(Uuid),
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

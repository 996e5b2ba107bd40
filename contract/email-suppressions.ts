import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Email, line, Timestamp, Uuid } from './text.ts'

/** `hard_bounce`: the address does not exist. `complaint`: its reader reported spam. `manual`: a superadmin added it. */
export const suppressionReasons = ['hard_bounce', 'complaint', 'manual'] as const
export type SuppressionReason = (typeof suppressionReasons)[number]

/** An address that gets no emails. */
export const Suppression = Type.Object({
  id: Uuid,
  /** In lower case. */
  address: Type.String(),
  reason: Type.Enum([...suppressionReasons]),
  since: Timestamp,
})
export type Suppression = Static<typeof Suppression>

const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' }, errors: [] } as const
const base = '/api/v1/superadmin/email-suppressions'
const closed = { additionalProperties: false } as const
const filters = {
  /** Part of the address. */
  search: Type.Optional(line({ maxLength: 254 })),
  /** Default: the latest first. */
  order: Type.Optional(Type.Enum(['latest', 'oldest'])),
}
const SuppressionFilters = Type.Object(filters, closed)
export type SuppressionFilters = Static<typeof SuppressionFilters>

export const listSuppressions = route({
  ...ofSuperadmins,
  operationId: 'listSuppressions',
  method: 'GET',
  path: base,
  summary: 'List addresses that get no emails',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(Suppression), nextCursor: nullable(Type.String()) }) },
  rate: 'read',
})

export const exportSuppressions = route({
  ...ofSuperadmins,
  operationId: 'exportSuppressions',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download the addresses that get no emails as CSV',
  body: SuppressionFilters,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  rate: 'write',
})

export const addSuppression = route({
  ...ofSuperadmins,
  operationId: 'addSuppression',
  method: 'POST',
  path: base,
  summary: 'Suppress an address; a suppressed one keeps its reason and time',
  body: Type.Object({ address: Email }, closed),
  replies: { 201: Suppression },
  rate: 'write',
})

export const removeSuppression = route({
  ...ofSuperadmins,
  operationId: 'removeSuppression',
  method: 'DELETE',
  path: `${base}/{suppressionId}`,
  summary: 'Send emails to a suppressed address again',
  params: Type.Object({ suppressionId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['suppression_not_found'],
  rate: 'write',
})

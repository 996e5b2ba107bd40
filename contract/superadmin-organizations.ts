import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { roles } from './permissions.ts'
import { subscriptionStatuses } from './plans.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

export const organizationStates = ['open', 'closed'] as const
export type OrganizationState = (typeof organizationStates)[number]
export const organizationOrders = ['latest', 'oldest', 'name'] as const
export type OrganizationOrder = (typeof organizationOrders)[number]

/** An organisation of the instance. */
export const InstanceOrganization = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  createdAt: Timestamp,
  status: Type.Enum([...subscriptionStatuses]),
  /** Null: none, or one without limits. */
  planName: nullable(Type.String()),
  memberCount: Type.Integer(),
  projectCount: Type.Integer(),
  /** Items received in the last 30 days in UTC, from day sums, which are at most some minutes old. */
  recentItems: Type.Integer(),
  /** Since when it is closed, because it was deleted; null: open. */
  closedAt: nullable(Timestamp),
  /** When a closed organisation is removed with everything in it. */
  deleteAfter: nullable(Timestamp),
})
export type InstanceOrganization = Static<typeof InstanceOrganization>

export const InstanceOrganizationDetail = Type.Object({
  ...InstanceOrganization.properties,
  /** Owners first, then by the time they joined, at most 50. */
  members: Type.Array(
    Type.Object({
      id: Uuid,
      email: Type.String(),
      name: Type.String(),
      role: Type.Enum([...roles]),
      joinedAt: Timestamp,
    }),
  ),
  /** By name, at most 50. */
  projects: Type.Array(Type.Object({ id: Uuid, name: Type.String(), domain: Type.String() })),
  /** The last 30 days in UTC with any use, oldest first. */
  days: Type.Array(
    Type.Object({
      day: Type.String({ description: 'e.g. 2026-01-31' }),
      items: Type.Integer(),
      replies: Type.Integer(),
      loads: Type.Integer(),
    }),
  ),
})
export type InstanceOrganizationDetail = Static<typeof InstanceOrganizationDetail>

const filters = {
  /** Part of the name or of its address. */
  search: Type.Optional(line({ maxLength: 100 })),
  state: Type.Optional(Type.Enum([...organizationStates])),
  /** Default: the latest first. */
  order: Type.Optional(Type.Enum([...organizationOrders])),
}
const OrganizationFilters = Type.Object(filters)
export type OrganizationFilters = Static<typeof OrganizationFilters>

const base = '/api/v1/superadmin/organizations'
const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' }, errors: [] } as const

export const listInstanceOrganizations = route({
  ...ofSuperadmins,
  operationId: 'listInstanceOrganizations',
  method: 'GET',
  path: base,
  summary: 'List the organisations of the instance',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 800 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(InstanceOrganization), nextCursor: nullable(Type.String()) }) },
  rate: 'read',
})

export const exportInstanceOrganizations = route({
  ...ofSuperadmins,
  operationId: 'exportInstanceOrganizations',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download the organisations of the instance as CSV',
  body: Type.Object(filters, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv' }) },
  rate: 'write',
})

export const getInstanceOrganization = route({
  ...ofSuperadmins,
  operationId: 'getInstanceOrganization',
  method: 'GET',
  path: `${base}/{organizationId}`,
  summary: 'Read an organisation with its members, projects and use of 30 days',
  params: OrganizationParams,
  replies: { 200: InstanceOrganizationDetail },
  errors: ['organization_not_found'],
  rate: 'read',
})

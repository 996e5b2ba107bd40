import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { roles } from './permissions.ts'
import { Entitlements, subscriptionStatuses } from './plans.ts'
import { route } from './route.ts'
import { line, lines, Timestamp, Uuid } from './text.ts'

/** `open`: neither suspended nor being deleted. */
export const organizationStates = ['open', 'suspended', 'closed'] as const
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
  /** Since when it is suspended; null: it is not. */
  suspendedAt: nullable(Timestamp),
})
export type InstanceOrganization = Static<typeof InstanceOrganization>

const FileKinds = Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer(), bytes: Type.Integer() }))

/** What an organisation stores, summed up now. */
export const InstanceOrganizationStorage = Type.Object({
  /** Visitors' files by kind, the largest first. */
  files: FileKinds,
  fileBytes: Type.Integer(),
  fileCount: Type.Integer(),
  /** Null: no limit. */
  fileLimitBytes: nullable(Type.Integer()),
  /** Exports that can be downloaded, are waiting or are being written. */
  exportBytes: Type.Integer(),
  exportCount: Type.Integer(),
})
export type InstanceOrganizationStorage = Static<typeof InstanceOrganizationStorage>

export const InstanceOrganizationDetail = Type.Object({
  ...InstanceOrganization.properties,
  /** Null: it is not suspended. */
  suspension: nullable(
    Type.Object({
      /** For superadmins. */
      reason: Type.String(),
      /** For its members; null: there is none. */
      message: nullable(Type.String()),
      /** Null when the account is gone. */
      byName: nullable(Type.String()),
    }),
  ),
  /** Whether its grace is over: rows and files are being removed, and it can't be restored. */
  isBeingRemoved: Type.Boolean(),
  /** Items that are stored, locked ones and spam among them, up to `itemCountLimit`. */
  itemCount: Type.Integer(),
  entitlements: Entitlements,
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
  projects: Type.Array(Type.Object({ id: Uuid, name: Type.String(), domain: Type.String(), widgetKey: Type.String() })),
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

/** Counting the items of a page ends here: this means that many or more. */
export const itemCountLimit = 10_000

const filters = {
  /** Part of the name or of its address. */
  search: Type.Optional(line({ maxLength: 100 })),
  state: Type.Optional(Type.Enum([...organizationStates])),
  status: Type.Optional(Type.Enum([...subscriptionStatuses])),
  planId: Type.Optional(Uuid),
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
  summary: 'Read an organisation with its members, projects, limits and use of 30 days',
  params: OrganizationParams,
  replies: { 200: InstanceOrganizationDetail },
  errors: ['organization_not_found'],
  rate: 'read',
})

export const getInstanceOrganizationStorage = route({
  ...ofSuperadmins,
  operationId: 'getInstanceOrganizationStorage',
  method: 'GET',
  path: `${base}/{organizationId}/storage`,
  summary: 'Sum up the files of an organisation by kind, and its exports',
  params: OrganizationParams,
  replies: { 200: InstanceOrganizationStorage },
  errors: ['organization_not_found'],
  rate: 'read',
})

const Reason = line({ minLength: 1, maxLength: 500 })
const OrganizationName = line({ minLength: 1, maxLength: 100 })

export const NewSuspension = Type.Object(
  {
    /** For superadmins. */
    reason: Reason,
    /** For the organisation's members; null: they are told that it is suspended, and no more. */
    message: nullable(lines({ maxLength: 1000 })),
  },
  { additionalProperties: false },
)
export type NewSuspension = Static<typeof NewSuspension>

export const suspendOrganization = route({
  ...ofSuperadmins,
  operationId: 'suspendOrganization',
  method: 'PUT',
  path: `${base}/{organizationId}/suspension`,
  summary: 'Suspend an organisation, or change reason and message of its suspension; safe to repeat',
  params: OrganizationParams,
  body: NewSuspension,
  replies: { 200: InstanceOrganization },
  errors: ['organization_not_found'],
  rate: 'write',
})

export const liftSuspension = route({
  ...ofSuperadmins,
  operationId: 'liftSuspension',
  method: 'DELETE',
  path: `${base}/{organizationId}/suspension`,
  summary: 'Lift the suspension of an organisation; safe to repeat',
  params: OrganizationParams,
  replies: { 200: InstanceOrganization },
  errors: ['organization_not_found'],
  rate: 'write',
})

/** A typed confirmation, and why. */
const Confirmed = Type.Object({ name: OrganizationName, reason: Reason }, { additionalProperties: false })

export const deleteInstanceOrganization = route({
  ...ofSuperadmins,
  operationId: 'deleteInstanceOrganization',
  method: 'POST',
  path: `${base}/{organizationId}/deletion`,
  summary: 'Delete an organisation: closed at once, and permanently deleted after 30 days; safe to repeat',
  params: OrganizationParams,
  body: Confirmed,
  replies: { 200: InstanceOrganization },
  errors: ['organization_not_found'],
  rate: 'write',
})

export const removeInstanceOrganization = route({
  ...ofSuperadmins,
  operationId: 'removeInstanceOrganization',
  method: 'POST',
  path: `${base}/{organizationId}/removal`,
  summary: 'Permanently delete a closed organisation now, with everything in it; safe to repeat',
  params: OrganizationParams,
  body: Confirmed,
  replies: { 202: InstanceOrganization },
  errors: ['organization_not_found', 'organization_not_closed'],
  rate: 'write',
})

import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { Timestamp } from './text.ts'

/** A suspended organisation, as its members see it. */
export const OrganizationSuspension = Type.Object({
  organizationName: Type.String(),
  suspendedAt: Timestamp,
  /** What the superadmins tell its members; null: nothing. */
  message: nullable(Type.String()),
  /** The caller's. */
  role: Type.Enum(roles),
})
export type OrganizationSuspension = Static<typeof OrganizationSuspension>

export const getOrganizationSuspension = route({
  operationId: 'getOrganizationSuspension',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/suspension',
  summary: 'Read since when the organisation is suspended, and what its members are told',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: OrganizationSuspension },
  errors: ['suspension_not_found'],
  access: { kind: 'organization', permission: 'view_feedback', evenSuspended: 'members' },
  rate: 'read',
})

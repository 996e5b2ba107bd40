import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp } from './text.ts'

/** A deleted organisation can be restored this long. */
export const organizationGraceDays = 30

/** Counting what an organisation holds ends here: this means that many or more. */
export const organizationCountLimit = 10_000

export const OrganizationContents = Type.Object({
  projects: Type.Integer(),
  items: Type.Integer(),
  members: Type.Integer(),
  /** Of at most `limit`. */
  files: Type.Integer(),
  /** Of those files, in bytes. */
  fileBytes: Type.Integer(),
  limit: Type.Integer(),
})
export type OrganizationContents = Static<typeof OrganizationContents>

export const getOrganizationContents = route({
  operationId: 'getOrganizationContents',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/contents',
  summary: 'Count what would be lost with the organisation',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: OrganizationContents },
  errors: [],
  access: { kind: 'organization', permission: 'delete_organization', evenSuspended: 'owners' },
  rate: 'read',
})

/** A closed organisation, as its members see it. */
export const OrganizationDeletion = Type.Object({
  organizationName: Type.String(),
  closedAt: Timestamp,
  /** Until then, an owner can restore it. */
  deleteAfter: Timestamp,
  /** Null when the account is gone. */
  closedByName: nullable(Type.String()),
  /** Whether the caller may. */
  canRestore: Type.Boolean(),
  /** It is suspended too: only superadmins can restore it. */
  isSuspended: Type.Boolean(),
  /** Who can restore it, at most 20. */
  owners: Type.Array(Type.Object({ name: Type.String(), email: Type.String() })),
})
export type OrganizationDeletion = Static<typeof OrganizationDeletion>

export const deleteOrganization = route({
  operationId: 'deleteOrganization',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}',
  summary: 'Delete the organisation: closed at once, and permanently deleted after 30 days; safe to repeat',
  tag: 'organizations',
  params: OrganizationParams,
  /** The organisation's name, typed as a confirmation. */
  body: Type.Object({ name: line({ minLength: 1, maxLength: 100 }) }, { additionalProperties: false }),
  replies: { 200: Type.Object({ deleteAfter: Timestamp }) },
  errors: ['identity_proof_required'],
  access: { kind: 'organization', permission: 'delete_organization', evenClosed: true, evenSuspended: 'owners' },
  impersonation: 'refused',
  rate: 'write',
})

export const getOrganizationDeletion = route({
  operationId: 'getOrganizationDeletion',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/deletion',
  summary: 'Read until when a closed organisation can be restored, and by whom',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: OrganizationDeletion },
  errors: ['deletion_not_found'],
  access: { kind: 'organization', permission: 'view_feedback', evenClosed: true, evenSuspended: 'members' },
  rate: 'read',
})

export const restoreOrganization = route({
  operationId: 'restoreOrganization',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/restore',
  // Not while it is suspended: owners could take back a superadmin's deletion.
  summary: 'Restore a closed organisation with everything in it; safe to repeat',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 204: Type.Null() },
  errors: [],
  access: { kind: 'organization', permission: 'delete_organization', evenClosed: true },
  impersonation: 'refused',
  rate: 'write',
})

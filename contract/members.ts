import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const RoleName = Type.Enum(roles)

/** A member, as their colleagues see them. */
export const Member = Type.Object({
  userId: Uuid,
  /** The name in the profile; the address where it has none. */
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  /** Null without a picture. */
  avatarUrl: nullable(Type.String()),
  joinedAt: Timestamp,
  /** To ten minutes; null: never, or the caller may not manage the team. Always null in a list without `limit`. */
  lastActiveAt: nullable(Timestamp),
})
export type Member = Static<typeof Member>

const MemberParams = Type.Object({ organizationId: Uuid, userId: Uuid })
const members = { tag: 'organizations', rate: 'write' } as const

export const listMembers = route({
  ...members,
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/members',
  summary: 'List the people who work in the organisation, by name: all of them, or a page of `limit`',
  params: OrganizationParams,
  query: Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1500 })),
      /** Part of a name or address. */
      search: Type.Optional(line({ minLength: 1, maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(Member),
      /** Null on the last page. */
      nextCursor: nullable(Type.String()),
      /** Members of the organisation, whatever the search. */
      total: Type.Integer(),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const changeMemberRole = route({
  ...members,
  operationId: 'changeMemberRole',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Change the role of a member',
  params: MemberParams,
  body: Type.Object({ role: RoleName }, { additionalProperties: false }),
  replies: { 200: Member },
  errors: ['member_not_found', 'owner_required', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'change_roles' },
  impersonation: 'refused',
})

export const removeMember = route({
  ...members,
  operationId: 'removeMember',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/members/{userId}',
  summary: 'Remove a member from the organisation',
  params: MemberParams,
  replies: { 204: Type.Null() },
  errors: ['member_not_found', 'owner_required'],
  access: { kind: 'organization', permission: 'remove_members' },
  impersonation: 'refused',
})

export const leaveOrganization = route({
  ...members,
  operationId: 'leaveOrganization',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/leave',
  summary: 'Leave the organisation',
  params: OrganizationParams,
  replies: { 204: Type.Null() },
  errors: ['owner_required'],
  access: { kind: 'organization', permission: 'view_feedback', evenSuspended: 'members' },
  impersonation: 'refused',
})

export const transferOwnership = route({
  ...members,
  operationId: 'transferOwnership',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/transfer-ownership',
  summary: 'Make another member an owner and yourself an admin',
  params: OrganizationParams,
  body: Type.Object({ userId: Uuid }, { additionalProperties: false }),
  replies: { 200: Member },
  errors: ['member_not_found', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'change_roles' },
  impersonation: 'refused',
})

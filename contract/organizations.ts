import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams, TokenParams } from './params.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { Email, Timestamp, Uuid } from './text.ts'

const RoleName = Type.Enum(roles)

const InvitationState = Type.Enum(['open', 'accepted', 'revoked', 'expired'])

/** An invitation, as the organisation's owners see it. */
export const SentInvitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: RoleName,
  state: InvitationState,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type SentInvitation = Static<typeof SentInvitation>

/** An invitation, as the holder of its link sees it. */
export const Invitation = Type.Object({
  organizationName: Type.String(),
  inviterName: nullable(Type.String()),
  email: Type.String(),
  role: RoleName,
  state: InvitationState,
  expiresAt: Timestamp,
})
export type Invitation = Static<typeof Invitation>

export const NewInvitation = Type.Object({ email: Email, role: RoleName }, { additionalProperties: false })
export type NewInvitation = Static<typeof NewInvitation>

/** A member, as their colleagues see them. */
export const Member = Type.Object({
  userId: Uuid,
  /** What they call themselves; their address where they said nothing. */
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  /** Null without a picture. */
  avatarUrl: nullable(Type.String()),
})
export type Member = Static<typeof Member>

export const listMembers = route({
  operationId: 'listMembers',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/members',
  summary: 'List the people who work in the organisation, by name',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(Member) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const listInvitations = route({
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/invitations',
  summary: 'List open invitations, newest first',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 200: Type.Object({ items: Type.Array(SentInvitation) }) },
  errors: [],
  access: { kind: 'organization', permission: 'invite_members' },
  rate: 'read',
})

export const createInvitation = route({
  operationId: 'createInvitation',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/invitations',
  summary: 'Invite a person by email; an open invitation of the address is renewed',
  tag: 'organizations',
  params: OrganizationParams,
  body: NewInvitation,
  replies: { 201: SentInvitation },
  errors: ['already_member', 'rate_limited'],
  access: { kind: 'organization', permission: 'invite_members' },
  rate: 'write',
})

export const revokeInvitation = route({
  operationId: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/invitations/{invitationId}',
  summary: 'Withdraw an invitation',
  tag: 'organizations',
  params: Type.Object({ organizationId: Uuid, invitationId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['invitation_not_found'],
  access: { kind: 'organization', permission: 'invite_members' },
  rate: 'write',
})

export const getInvitation = route({
  operationId: 'getInvitation',
  method: 'GET',
  path: '/api/v1/invitations/{token}',
  summary: 'Read an invitation by the token of its link',
  tag: 'organizations',
  params: TokenParams,
  replies: { 200: Invitation },
  errors: ['invitation_not_found'],
  access: { kind: 'public' },
  rate: 'read',
})

export const acceptInvitation = route({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/invitations/{token}/accept',
  summary: 'Join the organisation that invites',
  tag: 'organizations',
  params: TokenParams,
  replies: { 200: Type.Object({ organizationId: Uuid }) },
  errors: ['invitation_not_found', 'invitation_for_other_address', 'invitation_ended'],
  access: { kind: 'signed_in' },
  rate: 'write',
})

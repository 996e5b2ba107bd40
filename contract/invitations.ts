import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams, TokenParams } from './params.ts'
import { roles } from './permissions.ts'
import { maxRecipients } from './recipients.ts'
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

export const NewInvitations = Type.Object(
  {
    /** `ada@example.com` or `Ada <ada@example.com>` each. */
    recipients: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { minItems: 1, maxItems: maxRecipients }),
    role: RoleName,
  },
  { additionalProperties: false },
)
export type NewInvitations = Static<typeof NewInvitations>

const InvitationParams = Type.Object({ organizationId: Uuid, invitationId: Uuid })

export const listInvitations = route({
  operationId: 'listInvitations',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/invitations',
  summary: 'List invitations without an answer, newest first; expired ones among them',
  tag: 'organizations',
  params: OrganizationParams,
  query: Type.Object(
    {
      /** Default 100. */
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
      /** `nextCursor` of the page before. */
      cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(SentInvitation),
      /** Null on the last page. */
      nextCursor: nullable(Type.String()),
      /** All invitations without an answer. */
      total: Type.Integer(),
    }),
  },
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
  errors: ['already_member', 'rate_limited', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'invite_members' },
  impersonation: 'refused',
  rate: 'write',
})

export const createInvitations = route({
  operationId: 'createInvitations',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/invitations/batch',
  summary: 'Invite up to 100 people by email; if one of them cannot be invited, no one is',
  tag: 'organizations',
  params: OrganizationParams,
  body: NewInvitations,
  replies: { 201: Type.Object({ items: Type.Array(SentInvitation) }) },
  errors: ['rate_limited', 'plan_limit_reached', 'plan_required'],
  access: { kind: 'organization', permission: 'invite_members' },
  impersonation: 'refused',
  rate: 'write',
})

export const resendInvitation = route({
  operationId: 'resendInvitation',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/invitations/{invitationId}/resend',
  summary: 'Send an invitation again, with a new link that is valid for 7 days; the former link ends',
  tag: 'organizations',
  params: InvitationParams,
  replies: { 200: SentInvitation },
  errors: ['invitation_not_found', 'rate_limited'],
  access: { kind: 'organization', permission: 'invite_members' },
  impersonation: 'refused',
  rate: 'write',
})

export const createInvitationLink = route({
  operationId: 'createInvitationLink',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/invitations/{invitationId}/link',
  summary: 'Make a new link of an invitation, to hand over yourself; the former link ends',
  tag: 'organizations',
  params: InvitationParams,
  /** The link is stored hashed: no later request reads it. */
  replies: { 200: Type.Object({ url: Type.String(), invitation: SentInvitation }) },
  errors: ['invitation_not_found'],
  access: { kind: 'organization', permission: 'invite_members' },
  impersonation: 'refused',
  rate: 'write',
})

export const revokeInvitation = route({
  operationId: 'revokeInvitation',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/invitations/{invitationId}',
  summary: 'Withdraw an invitation',
  tag: 'organizations',
  params: InvitationParams,
  replies: { 204: Type.Null() },
  errors: ['invitation_not_found'],
  access: { kind: 'organization', permission: 'invite_members' },
  impersonation: 'refused',
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
  errors: [
    'invitation_not_found',
    'invitation_for_other_address',
    'invitation_ended',
    'plan_limit_reached',
    'plan_required',
  ],
  access: { kind: 'signed_in' },
  rate: 'write',
})

import Type, { type Static } from 'typebox'
import { route } from '#contract/route.ts'

const Invitation = Type.Object({
  organizationName: Type.String(),
  inviterName: Type.Union([Type.String(), Type.Null()]),
  email: Type.String(),
  role: Type.String(),
  state: Type.Union([Type.Literal('open'), Type.Literal('accepted'), Type.Literal('revoked'), Type.Literal('expired')]),
  expiresAt: Type.String(),
})
export type Invitation = Static<typeof Invitation>

export const getInvitation = route({
  operationId: 'getInvitation',
  method: 'GET',
  path: '/api/v1/invitations/{token}',
  summary: 'Read an invitation',
  tag: 'organizations',
  params: Type.Object({ token: Type.String() }),
  replies: { 200: Invitation },
  errors: [],
  access: { kind: 'public' },
  rate: 'read',
})

export const acceptInvitation = route({
  operationId: 'acceptInvitation',
  method: 'POST',
  path: '/api/v1/invitations/{token}/accept',
  summary: 'Accept an invitation',
  tag: 'organizations',
  params: Type.Object({ token: Type.String() }),
  replies: { 200: Type.Object({ organizationId: Type.String() }) },
  errors: [],
  access: { kind: 'signed_in' },
  rate: 'write',
})

import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** An organisation that the signed-in person is a member of. */
export const OwnOrganization = Type.Object({
  id: Uuid,
  name: Type.String(),
  slug: Type.String(),
  role: Type.Enum(roles),
  /** Until when a closed organisation can be restored; null: it is open. */
  deleteAfter: nullable(Timestamp),
  /** Since when it is suspended; null: it is not. */
  suspendedAt: nullable(Timestamp),
})
export type OwnOrganization = Static<typeof OwnOrganization>

/** Default of `limit`. */
export const organizationsPerPage = 50

export const listOwnOrganizations = route({
  operationId: 'listOwnOrganizations',
  method: 'GET',
  path: '/api/v1/organizations',
  summary: 'List the organisations that you are a member of, by name',
  tag: 'organizations',
  query: Type.Object(
    {
      /** Part of the name or slug. */
      q: Type.Optional(line({ maxLength: 100 })),
      /** `nextCursor` of the previous page. */
      cursor: Type.Optional(Type.String({ maxLength: 800 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(OwnOrganization), nextCursor: nullable(Type.String()) }) },
  errors: [],
  access: { kind: 'signed_in' },
  rate: 'read',
})

/** Organisations that one user can create within 24 hours, the one of their sign-up included. */
export const maxOrganizationsPerDay = 10

/** The id is made by the sender and stays the same over every retry, which makes a retry safe. */
export const NewOrganization = Type.Object(
  { id: Uuid, name: line({ minLength: 1, maxLength: 100 }) },
  { additionalProperties: false },
)
export type NewOrganization = Static<typeof NewOrganization>

export const createOrganization = route({
  operationId: 'createOrganization',
  method: 'POST',
  path: '/api/v1/organizations',
  summary: 'Create an organisation with you as its owner; safe to repeat with the same id',
  tag: 'organizations',
  body: NewOrganization,
  replies: { 200: OwnOrganization, 201: OwnOrganization },
  errors: ['id_reused', 'too_many_organizations'],
  access: { kind: 'signed_in' },
  rate: 'write',
})

const linkedNouns = ['feedback', 'project'] as const
export type LinkedNoun = (typeof linkedNouns)[number]

export const findOrganizationOf = route({
  operationId: 'findOrganizationOf',
  method: 'GET',
  path: '/api/v1/links/{linked}/{id}',
  summary: 'Find which of your organisations has the item or project that a link names',
  tag: 'organizations',
  params: Type.Object({ linked: Type.Enum([...linkedNouns]), id: Uuid }),
  replies: { 200: Type.Object({ id: Uuid, name: Type.String() }) },
  errors: ['link_not_found'],
  access: { kind: 'signed_in' },
  rate: 'read',
})

export const selectOrganization = route({
  operationId: 'selectOrganization',
  method: 'POST',
  path: '/api/v1/organizations/{organizationId}/select',
  summary: 'Note that you switched to the organisation: it opens first on a new device',
  tag: 'organizations',
  params: OrganizationParams,
  replies: { 204: Type.Null() },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback', evenSuspended: 'members' },
  impersonation: 'refused',
  rate: 'write',
})

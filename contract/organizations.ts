import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { NewPicture } from './picture.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** What members see of their organisation. */
export const OrganizationProfile = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** The name as a part of a URL, unique in the instance. */
  slug: Type.String(),
  /** Null without a logo. */
  logoUrl: nullable(Type.String()),
  createdAt: Timestamp,
})
export type OrganizationProfile = Static<typeof OrganizationProfile>

export const OrganizationChange = Type.Object(
  {
    name: Type.Optional(line({ minLength: 1, maxLength: 100 })),
    /** Any text: "Bar & Söhne" becomes `bar-soehne`. */
    slug: Type.Optional(line({ minLength: 1, maxLength: 100 })),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type OrganizationChange = Static<typeof OrganizationChange>

const organization = {
  tag: 'organizations',
  params: OrganizationParams,
  access: { kind: 'organization', permission: 'manage_organization' },
  errors: [],
  rate: 'write',
} as const

export const getOrganization = route({
  ...organization,
  operationId: 'getOrganization',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}',
  summary: 'Read name, slug and logo of the organisation',
  replies: { 200: OrganizationProfile },
  access: { kind: 'organization', permission: 'view_projects' },
  rate: 'read',
})

export const updateOrganization = route({
  ...organization,
  operationId: 'updateOrganization',
  method: 'PATCH',
  path: '/api/v1/organizations/{organizationId}',
  summary: 'Change name or slug of the organisation',
  body: OrganizationChange,
  replies: { 200: OrganizationProfile },
  errors: ['slug_taken'],
})

export const setLogo = route({
  ...organization,
  operationId: 'setLogo',
  method: 'PUT',
  path: '/api/v1/organizations/{organizationId}/logo',
  summary: 'Replace the logo of the organisation',
  body: NewPicture,
  replies: { 200: Type.Object({ logoUrl: Type.String() }) },
})

export const removeLogo = route({
  ...organization,
  operationId: 'removeLogo',
  method: 'DELETE',
  path: '/api/v1/organizations/{organizationId}/logo',
  summary: 'Remove the logo of the organisation',
  replies: { 204: Type.Null() },
})

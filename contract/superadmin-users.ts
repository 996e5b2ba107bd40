import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

export const userStates = ['unconfirmed', 'banned', 'superadmin'] as const
export type UserState = (typeof userStates)[number]

/** An account of the instance. */
export const InstanceUser = Type.Object({
  id: Uuid,
  email: Type.String(),
  /** Empty: none was given. */
  name: Type.String(),
  createdAt: Timestamp,
  /** When the address was confirmed; null: it is not. */
  confirmedAt: nullable(Timestamp),
  /** When a ban ends; null: there is none. A ban without an end lasts a hundred years. */
  bannedUntil: nullable(Timestamp),
  lastSignInAt: nullable(Timestamp),
  /** When they last used an organisation; at most ten minutes old. */
  lastActiveAt: nullable(Timestamp),
  organizationCount: Type.Integer(),
  sessionCount: Type.Integer(),
  isSuperadmin: Type.Boolean(),
})
export type InstanceUser = Static<typeof InstanceUser>

/** `first`: the person signs in with Google and has no password yet. `elsewhere`: a Supabase project serves sign-in. */
const passwordResets = ['possible', 'first', 'elsewhere'] as const

export const InstanceUserDetail = Type.Object({
  ...InstanceUser.properties,
  /** What a password reset would be. */
  passwordReset: Type.Enum([...passwordResets]),
  organizations: Type.Array(
    Type.Object({ id: Uuid, name: Type.String(), role: Type.Enum([...roles]), joinedAt: Timestamp }),
  ),
  /** The last used first, at most 50. */
  sessions: Type.Array(
    Type.Object({
      id: Uuid,
      createdAt: Timestamp,
      lastUsedAt: Timestamp,
      userAgent: nullable(Type.String()),
      ip: nullable(Type.String()),
    }),
  ),
})
export type InstanceUserDetail = Static<typeof InstanceUserDetail>

const filters = {
  /** Part of the name or address. */
  search: Type.Optional(line({ maxLength: 254 })),
  state: Type.Optional(Type.Enum([...userStates])),
  /** Members of this organisation. */
  organizationId: Type.Optional(Uuid),
  /** Default: the latest first. */
  order: Type.Optional(Type.Enum(['latest', 'oldest'])),
}
const UserFilters = Type.Object(filters)
export type UserFilters = Static<typeof UserFilters>

const base = '/api/v1/superadmin/users'
const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const params = Type.Object({ accountId: Uuid })
const Reason = line({ minLength: 1, maxLength: 500 })

export const listInstanceUsers = route({
  ...ofSuperadmins,
  operationId: 'listInstanceUsers',
  method: 'GET',
  path: base,
  summary: 'List the accounts of the instance',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    { additionalProperties: false },
  ),
  replies: { 200: Type.Object({ items: Type.Array(InstanceUser), nextCursor: nullable(Type.String()) }) },
  errors: [],
  rate: 'read',
})

export const exportInstanceUsers = route({
  ...ofSuperadmins,
  operationId: 'exportInstanceUsers',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download the accounts of the instance as CSV',
  body: Type.Object(filters, { additionalProperties: false }),
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const getInstanceUser = route({
  ...ofSuperadmins,
  operationId: 'getInstanceUser',
  method: 'GET',
  path: `${base}/{accountId}`,
  summary: 'Read an account with its organisations and devices',
  params,
  replies: { 200: InstanceUserDetail },
  errors: ['user_not_found'],
  rate: 'read',
})

export const confirmInstanceUser = route({
  ...ofSuperadmins,
  operationId: 'confirmInstanceUser',
  method: 'POST',
  path: `${base}/{accountId}/confirm`,
  summary: 'Confirm the address of an account',
  params,
  replies: { 200: InstanceUser },
  errors: ['user_not_found'],
  rate: 'write',
})

export const NewBan = Type.Object(
  {
    reason: Reason,
    /** Null: it has no end. */
    until: nullable(Timestamp),
  },
  { additionalProperties: false },
)
export type NewBan = Static<typeof NewBan>

export const banInstanceUser = route({
  ...ofSuperadmins,
  operationId: 'banInstanceUser',
  method: 'PUT',
  path: `${base}/{accountId}/ban`,
  summary: 'Ban an account and end its sessions',
  params,
  body: NewBan,
  replies: { 200: InstanceUser },
  errors: ['user_not_found', 'own_account', 'superadmin_not_bannable'],
  rate: 'write',
})

export const unbanInstanceUser = route({
  ...ofSuperadmins,
  operationId: 'unbanInstanceUser',
  method: 'DELETE',
  path: `${base}/{accountId}/ban`,
  summary: 'Lift the ban of an account',
  params,
  replies: { 200: InstanceUser },
  errors: ['user_not_found'],
  rate: 'write',
})

export const signOutInstanceUser = route({
  ...ofSuperadmins,
  operationId: 'signOutInstanceUser',
  method: 'POST',
  path: `${base}/{accountId}/sign-out`,
  summary: 'Sign an account out on all devices',
  params,
  replies: { 200: Type.Object({ endedSessions: Type.Integer() }) },
  errors: ['user_not_found', 'own_account'],
  rate: 'write',
})

export const sendPasswordReset = route({
  ...ofSuperadmins,
  operationId: 'sendPasswordReset',
  method: 'POST',
  path: `${base}/{accountId}/password-reset`,
  summary: 'Email an account a link to reset its password',
  params,
  replies: { 204: Type.Null() },
  errors: ['user_not_found', 'account_unusable', 'sign_in_elsewhere'],
  rate: 'write',
})

export const grantSuperadmin = route({
  ...ofSuperadmins,
  operationId: 'grantSuperadmin',
  method: 'PUT',
  path: `${base}/{accountId}/superadmin`,
  summary: 'Make an account superadmin',
  params,
  body: Type.Object({ reason: Reason }, { additionalProperties: false }),
  replies: { 200: InstanceUser },
  errors: ['user_not_found', 'account_unusable'],
  rate: 'write',
})

export const revokeSuperadmin = route({
  ...ofSuperadmins,
  operationId: 'revokeSuperadmin',
  method: 'DELETE',
  path: `${base}/{accountId}/superadmin`,
  summary: 'Take the right of a superadmin away',
  params,
  replies: { 200: InstanceUser },
  errors: ['user_not_found', 'own_account', 'last_superadmin'],
  rate: 'write',
})

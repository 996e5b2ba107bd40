import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { roles } from './permissions.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

export const impersonationModes = ['read_only', 'changes'] as const
export type ImpersonationMode = (typeof impersonationModes)[number]

/** How long an impersonation may last, in minutes. */
export const impersonationMinutes = [15, 30, 60] as const

/** Why an impersonation is over. */
export const impersonationEnds = [
  'ended',
  'expired',
  'superadmin_lost_right',
  'superadmin_signed_out',
  'user_became_superadmin',
  'user_unusable',
] as const

/** A superadmin's use of the product as a user. */
export const Impersonation = Type.Object({
  id: Uuid,
  superadmin: Type.Object({
    id: Uuid,
    /** Null: the account was deleted. */
    name: nullable(Type.String()),
  }),
  reason: Type.String(),
  mode: Type.Enum([...impersonationModes]),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  /** Null: it is not over. */
  endedAt: nullable(Timestamp),
  endReason: nullable(Type.Enum([...impersonationEnds])),
})
export type Impersonation = Static<typeof Impersonation>

export const NewImpersonation = Type.Object(
  {
    /** Made by the caller: a retry with the same id begins nothing new. */
    id: Uuid,
    reason: line({ minLength: 1, maxLength: 500 }),
    mode: Type.Enum([...impersonationModes]),
    minutes: Type.Enum([...impersonationMinutes]),
  },
  { additionalProperties: false },
)
export type NewImpersonation = Static<typeof NewImpersonation>

const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const ofUser = '/api/v1/superadmin/users/{accountId}/impersonations'
const params = Type.Object({ accountId: Uuid })

export const startImpersonation = route({
  ...ofSuperadmins,
  operationId: 'startImpersonation',
  method: 'POST',
  path: ofUser,
  summary: 'Begin to use the product as a user, for a short time',
  params,
  body: NewImpersonation,
  replies: {
    201: Type.Object({
      /** An access token for `/api/v1` alone. It can't be refreshed. */
      token: Type.String(),
      id: Uuid,
      expiresAt: Timestamp,
    }),
  },
  errors: [
    'user_not_found',
    'own_account',
    'superadmin_not_impersonable',
    'account_unconfirmed',
    'account_banned',
    'impersonation_id_taken',
  ],
  rate: 'write',
})

export const listImpersonations = route({
  ...ofSuperadmins,
  operationId: 'listImpersonations',
  method: 'GET',
  path: ofUser,
  summary: 'List the last 20 impersonations of a user, latest first',
  params,
  replies: { 200: Type.Object({ items: Type.Array(Impersonation) }) },
  errors: ['user_not_found'],
  rate: 'read',
})

export const endImpersonationOf = route({
  ...ofSuperadmins,
  operationId: 'endImpersonationOf',
  method: 'POST',
  path: '/api/v1/superadmin/impersonations/{impersonationId}/end',
  summary: 'End an impersonation, also another superadmin’s',
  params: Type.Object({ impersonationId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['impersonation_not_found'],
  rate: 'write',
})

/** As the tab shows it that holds the token. */
export const PresentImpersonation = Type.Object({
  id: Uuid,
  user: Type.Object({ id: Uuid, email: Type.String(), name: Type.String() }),
  mode: Type.Enum([...impersonationModes]),
  expiresAt: Timestamp,
  /** The user's settings, as a session of their own has them. */
  userMetadata: Type.Record(Type.String(), Type.Unknown()),
  /** As the database's functions describe it to browsers. Null: none that is open. */
  organization: nullable(
    Type.Object({
      organization_id: Uuid,
      organization_name: Type.String(),
      organization_slug: Type.String(),
      organization_created_at: Timestamp,
      organization_trial_ends_at: nullable(Timestamp),
      organization_subscription_status: nullable(Type.String()),
      organization_subscription_plan_id: nullable(Uuid),
      membership_user_id: Uuid,
      membership_role: Type.Enum([...roles]),
      membership_joined_at: Timestamp,
    }),
  ),
})
export type PresentImpersonation = Static<typeof PresentImpersonation>

export const getImpersonation = route({
  operationId: 'getImpersonation',
  method: 'GET',
  path: '/api/v1/impersonation',
  summary: 'Read the impersonation that the access token is of',
  tag: 'account',
  query: Type.Object(
    {
      /** Describe this organisation; default: the user's current one. */
      organizationId: Type.Optional(Uuid),
    },
    { additionalProperties: false },
  ),
  replies: { 200: PresentImpersonation },
  errors: ['impersonation_not_found'],
  access: { kind: 'signed_in' },
  rate: 'read',
})

export const endImpersonation = route({
  operationId: 'endImpersonation',
  method: 'POST',
  path: '/api/v1/impersonation/end',
  summary: 'End the impersonation that the access token is of',
  tag: 'account',
  replies: { 204: Type.Null() },
  errors: ['impersonation_not_found'],
  access: { kind: 'signed_in' },
  impersonation: 'allowed',
  rate: 'write',
})

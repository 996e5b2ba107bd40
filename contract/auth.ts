import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { NewPicture } from './picture.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/*
 * Routes of a signed-in person's own account. Signing in uses the auth protocol with its own client. No route here
 * names another person.
 */

const TextOrNull = nullable(Type.String())

export const Account = Type.Object({
  fullName: TextOrNull,
  email: Type.String(),
  /** URL of the picture on this instance or at the provider. */
  avatarUrl: TextOrNull,
  /** Whether the person can sign in with a password; false for accounts with only a provider or emailed links. */
  hasPassword: Type.Boolean(),
})
export type Account = Static<typeof Account>

/** One signed-in device. */
export const DeviceSession = Type.Object({
  id: Uuid,
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
  userAgent: TextOrNull,
  ip: TextOrNull,
  /** Whether it is the device that sends the request. */
  isCurrent: Type.Boolean(),
})
export type DeviceSession = Static<typeof DeviceSession>

const account = { tag: 'account', errors: [], access: { kind: 'signed_in' } } as const

export const getAccount = route({
  ...account,
  operationId: 'getAccount',
  method: 'GET',
  path: '/api/v1/account',
  summary: 'Read your account',
  replies: { 200: Account },
  rate: 'read',
})

export const listSessions = route({
  ...account,
  operationId: 'listSessions',
  method: 'GET',
  path: '/api/v1/account/sessions',
  summary: 'List the devices that are signed in, last used first',
  replies: { 200: Type.Object({ sessions: Type.Array(DeviceSession) }) },
  rate: 'read',
})

export const endSession = route({
  ...account,
  operationId: 'endSession',
  method: 'DELETE',
  path: '/api/v1/account/sessions/{sessionId}',
  summary: 'Sign one device out',
  params: Type.Object({ sessionId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['session_not_found'],
  rate: 'write',
})

export const setAvatar = route({
  ...account,
  operationId: 'setAvatar',
  method: 'PUT',
  path: '/api/v1/account/avatar',
  summary: 'Replace your picture',
  body: NewPicture,
  replies: { 200: Type.Object({ avatarUrl: Type.String() }) },
  rate: 'write',
})

export const removeAvatar = route({
  ...account,
  operationId: 'removeAvatar',
  method: 'DELETE',
  path: '/api/v1/account/avatar',
  summary: 'Remove your picture',
  replies: { 204: Type.Null() },
  rate: 'write',
})

/** Counting feedback ends here, for each organisation: this means that many or more. */
export const accountCountLimit = 10_000

/** The consequences of deleting the account. */
export const AccountLosses = Type.Object({
  /** Organisations without other members, which are deleted with the account. */
  organizations: Type.Array(
    Type.Object({
      name: Type.String(),
      projects: Type.Integer(),
      /** Of at most `limit`. */
      items: Type.Integer(),
    }),
  ),
  /** Organisations whose only owner the person is, beside other members: until that changes, deletion is refused. */
  blockedBy: Type.Array(Type.String()),
  limit: Type.Integer(),
})
export type AccountLosses = Static<typeof AccountLosses>

export const getAccountLosses = route({
  ...account,
  operationId: 'getAccountLosses',
  method: 'GET',
  path: '/api/v1/account/losses',
  summary: 'List what would be lost with your account',
  replies: { 200: AccountLosses },
  rate: 'read',
})

/** The age of a sign-in that still proves, without asking again, who sends the request. */
export const recentProofSeconds = 600

export const deleteAccount = route({
  ...account,
  operationId: 'deleteAccount',
  method: 'DELETE',
  path: '/api/v1/account',
  summary:
    'Delete your account, and the organisations without other members; needs a token of a sign-in within the last 10 minutes',
  /** The account's email, typed again as a guard against accidents. */
  body: Type.Object({ email: line({ minLength: 1, maxLength: 254 }) }, { additionalProperties: false }),
  replies: { 204: Type.Null() },
  errors: ['last_owner', 'identity_proof_required'],
  rate: 'write',
})

import Type, { type Static } from 'typebox'
import { keyScopes } from './key-scope.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/*
 * Apps that a member connects by OAuth, for agents that call `/mcp` in their name. The consent screen and the account's
 * list call these; the protocol's own addresses stand in `server/features/oauth`.
 */

const Scopes = Type.Array(Type.Enum([...keyScopes]), { minItems: 1, maxItems: keyScopes.length, uniqueItems: true })

const parameter = Type.Optional(line({ maxLength: 2000 }))

/** The query of `/oauth/authorize`, by its names there (RFC 6749, 7636, 8707). */
export const ConnectionRequest = Type.Object(
  {
    client_id: parameter,
    redirect_uri: parameter,
    response_type: parameter,
    code_challenge: parameter,
    code_challenge_method: parameter,
    scope: parameter,
    state: parameter,
    resource: parameter,
  },
  { additionalProperties: false },
)
export type ConnectionRequest = Static<typeof ConnectionRequest>

const path = '/api/v1/account/apps'

export const describeConnection = route({
  operationId: 'describeConnection',
  method: 'POST',
  path: `${path}/requests`,
  summary: 'Read who asks to be connected, for the consent screen; changes nothing',
  tag: 'connected apps',
  body: ConnectionRequest,
  replies: {
    200: Type.Object({
      /** As the app calls itself. Not verified. */
      appName: Type.String(),
      /** Where the app gets its access: a host, or the scheme of an app on the device. */
      redirectHost: Type.String(),
      /** Whether that is this device. */
      isLocal: Type.Boolean(),
      /** Why the request is refused; null: it is not. */
      refusal: nullable(Type.String()),
      /** Leads back to the app, which learns that it was refused. */
      cancelTo: Type.String(),
    }),
  },
  errors: ['connection_request_invalid'],
  access: { kind: 'signed_in' },
  rate: 'read',
})

export const NewConnection = Type.Object(
  { request: ConnectionRequest, organizationId: Uuid, scopes: Scopes },
  { additionalProperties: false },
)
export type NewConnection = Static<typeof NewConnection>

export const connectApp = route({
  operationId: 'connectApp',
  method: 'POST',
  path,
  summary: 'Let an app read, or read and change, the feedback of one of your organisations',
  tag: 'connected apps',
  body: NewConnection,
  replies: {
    201: Type.Object({
      /** Leads back to the app, with a code. */
      redirectTo: Type.String(),
    }),
  },
  errors: ['connection_request_invalid', 'organization_not_found'],
  access: { kind: 'signed_in' },
  rate: 'write',
})

export const ConnectedApp = Type.Object({
  id: Uuid,
  /** As the app calls itself. Not verified. */
  name: Type.String(),
  redirectHost: Type.String(),
  organizationName: Type.String(),
  scopes: Scopes,
  connectedAt: Timestamp,
  /** Some minutes late; null: never used. */
  lastUsedAt: nullable(Timestamp),
})
export type ConnectedApp = Static<typeof ConnectedApp>

export const listConnectedApps = route({
  operationId: 'listConnectedApps',
  method: 'GET',
  path,
  summary: 'List the apps that you have connected, newest first',
  tag: 'connected apps',
  replies: { 200: Type.Object({ items: Type.Array(ConnectedApp) }) },
  errors: [],
  access: { kind: 'signed_in' },
  rate: 'read',
})

export const disconnectApp = route({
  operationId: 'disconnectApp',
  method: 'DELETE',
  path: `${path}/{appId}`,
  summary: 'Disconnect an app: its next call is refused',
  tag: 'connected apps',
  params: Type.Object({ appId: Uuid }),
  replies: { 204: Type.Null() },
  errors: ['connected_app_not_found'],
  access: { kind: 'signed_in' },
  rate: 'write',
})

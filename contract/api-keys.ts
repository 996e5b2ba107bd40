import Type, { type Static } from 'typebox'
import { keyScopes } from './key-scope.ts'
import { nullable } from './nullable.ts'
import { ProjectParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

const KeyScope = Type.Enum([...keyScopes])

/** Keys that a project may have at a time, without revoked ones. */
export const maxKeysPerProject = 50
/** How long a key may work beside its replacement, in hours. */
const maxOverlapHours = 24

const keyStates = ['active', 'overlap', 'expired', 'revoked'] as const

/** An API key as the team sees it, without the key itself. */
export const ApiKey = Type.Object({
  id: Uuid,
  name: Type.String(),
  /** The first characters of the key. */
  prefix: Type.String(),
  scopes: Type.Array(KeyScope),
  /** `overlap`: regenerated, and still working beside its replacement. `expired`: also after the overlap has ended. */
  state: Type.Enum([...keyStates]),
  createdAt: Timestamp,
  /** Null: when its creator's account is gone. */
  createdByName: nullable(Type.String()),
  /** When it expires, as chosen when it was created; null: never. */
  expiresAt: nullable(Timestamp),
  /** A few seconds late; null: never used. */
  lastUsedAt: nullable(Timestamp),
  lastUsedIp: nullable(Type.String()),
  revokedAt: nullable(Timestamp),
  /** The key that it was regenerated as. */
  replacedBy: nullable(Uuid),
  overlapUntil: nullable(Timestamp),
})
export type ApiKey = Static<typeof ApiKey>

/** A key with its secret, which is shown this once. */
export const CreatedApiKey = Type.Object({
  ...ApiKey.properties,
  /** The whole key. It is stored nowhere and can't be shown again. */
  key: Type.String(),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const NewApiKey = Type.Object(
  {
    name: line({ minLength: 1, maxLength: 100, description: 'What uses the key, e.g. Nightly import' }),
    scopes: Type.Array(KeyScope, { minItems: 1, maxItems: keyScopes.length }),
    /** In the future. Default: the key does not expire. */
    expiresAt: Type.Optional(nullable(Timestamp)),
  },
  { additionalProperties: false },
)
export type NewApiKey = Static<typeof NewApiKey>

const KeyParams = Type.Object({ ...ProjectParams.properties, keyId: Uuid })
const access = { kind: 'organization', permission: 'manage_integrations' } as const
const path = '/api/v1/organizations/{organizationId}/projects/{projectId}/api-keys'

export const listApiKeys = route({
  operationId: 'listApiKeys',
  method: 'GET',
  path,
  summary: 'List the API keys of a project, newest first, with those revoked in the last 30 days',
  tag: 'api keys',
  params: ProjectParams,
  replies: { 200: Type.Object({ items: Type.Array(ApiKey) }) },
  errors: ['project_not_found'],
  access,
  rate: 'read',
})

export const createApiKey = route({
  operationId: 'createApiKey',
  method: 'POST',
  path,
  summary: 'Create an API key for a project; the answer alone contains it',
  tag: 'api keys',
  params: ProjectParams,
  body: NewApiKey,
  replies: { 201: CreatedApiKey },
  errors: ['project_not_found', 'too_many_api_keys'],
  access,
  impersonation: 'refused',
  rate: 'write',
})

export const regenerateApiKey = route({
  operationId: 'regenerateApiKey',
  method: 'POST',
  path: `${path}/{keyId}/regenerate`,
  summary: 'Replace an API key by a new one with the same name, scopes and expiry; the answer alone contains it',
  tag: 'api keys',
  params: KeyParams,
  body: Type.Object(
    {
      /** How long the former key works beside the new one. Default 0: it stops at once. */
      overlapHours: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOverlapHours })),
    },
    { additionalProperties: false },
  ),
  replies: { 201: CreatedApiKey },
  errors: ['project_not_found', 'api_key_not_found', 'api_key_ended', 'too_many_api_keys'],
  access,
  impersonation: 'refused',
  rate: 'write',
})

export const revokeApiKey = route({
  operationId: 'revokeApiKey',
  method: 'DELETE',
  path: `${path}/{keyId}`,
  summary: 'Revoke an API key: calls with it are refused from now on',
  tag: 'api keys',
  params: KeyParams,
  replies: { 204: Type.Null() },
  errors: ['project_not_found', 'api_key_not_found'],
  access,
  impersonation: 'refused',
  rate: 'write',
})

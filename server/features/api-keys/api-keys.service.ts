import { createHash } from 'node:crypto'
import { v7 as uuidV7 } from 'uuid'
import { type ApiKey, type CreatedApiKey, maxKeysPerProject, type NewApiKey } from '#contract/api-keys.ts'
import { type KeyScope, keyScopes } from '#contract/key-scope.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import {
  countKeys,
  findKey,
  holdKeys,
  insertKey,
  type KeyPath,
  listKeys,
  projectExists,
  replaceKey,
  revokeKey,
} from './api-keys.queries.ts'
import { createKey, toPrefix } from './key-format.ts'

export interface ApiKeys {
  /** @throws ProductError `project_not_found`. */
  list(actor: Actor, organizationId: string, projectId: string): Promise<ApiKey[]>
  /** @throws ProductError `project_not_found`, `too_many_api_keys`, `validation_failed` for a blank name or a past expiry. */
  create(actor: Actor, organizationId: string, projectId: string, key: NewApiKey): Promise<CreatedApiKey>
  /**
   * Replaces a key by a new one. The former works for `overlapHours` more, unless it expires sooner.
   *
   * @throws ProductError `project_not_found`, `api_key_not_found`, `too_many_api_keys`; `api_key_ended` for a key that was
   *   revoked or regenerated, or has expired.
   */
  regenerate(actor: Actor, path: KeyPath, overlapHours: number): Promise<CreatedApiKey>
  /**
   * Revokes a key, on all servers within a second. Again: nothing changes.
   *
   * @throws ProductError `project_not_found`, `api_key_not_found`.
   */
  revoke(actor: Actor, path: KeyPath): Promise<void>
}

export function createApiKeys(database: Database): ApiKeys {
  return {
    list: (actor, organizationId, projectId) =>
      database.withTenant(actor, async (tx) => {
        if (!(await projectExists(tx, organizationId, projectId))) throw new ProductError('project_not_found')
        return listKeys(tx, organizationId, projectId)
      }),

    create: (actor, organizationId, projectId, typed) => {
      const name = typed.name.trim()
      if (name === '') throw invalid('body.name', 'must not be blank')
      const expiresAt = checkExpiry(typed.expiresAt ?? null)
      const scopes = keyScopes.filter((scope) => typed.scopes.includes(scope))
      return database.withTenant(actor, async (tx) => {
        await requireRoom(tx, organizationId, projectId)
        const created = await addKey(tx, {
          organizationId,
          projectId,
          name,
          scopes,
          expiresAt,
          createdBy: actor.userId,
        })
        const payload = { projectId, name, scopes, expiresAt: created.expiresAt }
        const event = { organizationId, name: 'api_key.created', ids: [created.id], payload } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return created
      })
    },

    regenerate: (actor, path, overlapHours) =>
      database.withTenant(actor, async (tx) => {
        const { organizationId, projectId } = path
        await requireRoom(tx, organizationId, projectId)
        const { name, scopes, expiresAt, state } = await getKey(tx, path)
        if (state !== 'active') throw new ProductError('api_key_ended')
        const created = await addKey(tx, {
          organizationId,
          projectId,
          name,
          scopes,
          expiresAt,
          createdBy: actor.userId,
        })
        await replaceKey(tx, path, { id: created.id, overlapHours })
        const payload = { projectId, name, replacedBy: created.id, overlapHours }
        const event = { organizationId, name: 'api_key.regenerated', ids: [path.keyId], payload } as const
        await recordEvent(tx, { ...event, announced: 'never' })
        return created
      }),

    revoke: (actor, path) =>
      database.withTenant(actor, async (tx) => {
        const { organizationId, projectId } = path
        if (!(await holdKeys(tx, organizationId, projectId))) throw new ProductError('project_not_found')
        const { name, state } = await getKey(tx, path)
        if (state === 'revoked') return
        await revokeKey(tx, path)
        const event = { organizationId, name: 'api_key.revoked', ids: [path.keyId] } as const
        await recordEvent(tx, { ...event, payload: { projectId, name }, announced: 'never' })
      }),
  }
}

/** SHA-256 of a key: what is stored of it, and by what it is looked up. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

async function getKey(tx: TenantTx, path: KeyPath): Promise<ApiKey> {
  const key = await findKey(tx, path)
  if (!key) throw new ProductError('api_key_not_found')
  return key
}

async function requireRoom(tx: TenantTx, organizationId: string, projectId: string): Promise<void> {
  if (!(await holdKeys(tx, organizationId, projectId))) throw new ProductError('project_not_found')
  if ((await countKeys(tx, organizationId, projectId)) >= maxKeysPerProject) throw new ProductError('too_many_api_keys')
}

async function addKey(
  tx: TenantTx,
  row: {
    organizationId: string
    projectId: string
    name: string
    scopes: readonly KeyScope[]
    expiresAt: string | null
    createdBy: string
  },
): Promise<CreatedApiKey> {
  const id = uuidV7()
  const key = createKey()
  await insertKey(tx, { ...row, id, prefix: toPrefix(key), hash: hashKey(key) })
  return { ...(await getKey(tx, { ...row, keyId: id })), key }
}

function checkExpiry(expiresAt: string | null): string | null {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now())
    throw invalid('body.expiresAt', 'must be in the future')
  return expiresAt
}

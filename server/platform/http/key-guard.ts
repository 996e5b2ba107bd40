import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyScope } from '#contract/key-scope.ts'
import { type Actor, actAsKey } from '../database/actor.ts'
import { ProductError } from './product-error.ts'

/** The API key behind a call. */
export interface KeyCaller {
  readonly actor: Actor
  readonly keyId: string
  readonly organizationId: string
  /** All that the key reaches. */
  readonly projectId: string
  /** Whether it has the scope `write`, whatever the call needs. */
  readonly mayWrite: boolean
}

/** A key as the guard needs it. */
export interface CallingKey {
  readonly id: string
  readonly organizationId: string
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
  /** When it expires, or its overlap ends; null: never. */
  readonly endsAt: Date | null
  readonly isRevoked: boolean
  readonly organizationIsSuspended: boolean
}

/** What the guard must know of keys and cannot: the feature behind it tells. */
export interface KeyLookup {
  /** Undefined for text that is no key, and for an unknown one. */
  findKey(text: string): Promise<CallingKey | undefined>
  /** Notes a call that was let through. Must not wait. */
  noteUse(key: CallingKey, ip: string): void
}

/**
 * Decides whether a program's call may go on. Who holds a revoked or expired key learns which it is; text that was never a
 * key learns nothing.
 *
 * @throws ProductError `api_key_required`, `api_key_invalid`, `api_key_revoked`, `api_key_expired`, `organization_suspended`,
 * `scope_missing`.
 */
export async function admitKey(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: KeyScope,
  lookup: KeyLookup,
): Promise<KeyCaller> {
  const text = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (text === undefined) throw refuse(reply, 'api_key_required')
  const key = await lookup.findKey(text)
  if (!key) throw refuse(reply, 'api_key_invalid')
  if (key.isRevoked) throw refuse(reply, 'api_key_revoked')
  if (key.endsAt !== null && key.endsAt.getTime() <= Date.now()) throw refuse(reply, 'api_key_expired')
  if (key.organizationIsSuspended) throw new ProductError('organization_suspended')
  if (!key.scopes.includes(scope)) {
    throw new ProductError('scope_missing', { detail: `This call needs a key with the scope ${scope}.` })
  }
  lookup.noteUse(key, request.ip)
  const { id: keyId, organizationId, projectId } = key
  const mayWrite = key.scopes.includes('write')
  return { actor: actAsKey(keyId, organizationId), keyId, organizationId, projectId, mayWrite }
}

/** A 401 names the scheme to use (RFC 9110, section 15.5.2). */
function refuse(
  reply: FastifyReply,
  code: 'api_key_required' | 'api_key_invalid' | 'api_key_revoked' | 'api_key_expired',
): ProductError {
  reply.header('www-authenticate', 'Bearer')
  return new ProductError(code)
}

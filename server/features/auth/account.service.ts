import { v4 as uuidV4 } from 'uuid'
import type { Account, AccountLosses, DeviceSession } from '#contract/auth.ts'
import type { NewPicture } from '#contract/picture.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { readPicture } from '#server/platform/http/read-picture.ts'
import { checkRecentProof } from '#server/platform/http/recent-proof.ts'
import * as queries from './account/account.queries.ts'

/** The signed-in person's own account; works the same where a Supabase project keeps the accounts. */
export interface Accounts {
  get(actor: Actor): Promise<Account>
  listSessions(actor: Actor): Promise<DeviceSession[]>
  /** @throws ProductError `session_not_found`. */
  endSession(actor: Actor, sessionId: string): Promise<void>
  /** @returns the picture's address. @throws ProductError `validation_failed` for an unusable picture. */
  setAvatar(actor: Actor, avatar: NewPicture): Promise<string>
  removeAvatar(actor: Actor): Promise<void>
  findAvatar(id: string): Promise<{ mime: string; bytes: Buffer } | undefined>
  listLosses(actor: Actor): Promise<AccountLosses>
  /** @throws ProductError `identity_proof_required`, `validation_failed` when the address differs, `last_owner`. */
  delete(actor: Actor, email: string): Promise<void>
}

export function createAccounts(database: Database): Accounts {
  return {
    async get(actor) {
      const account = await database.withTenant(actor, queries.findAccount)
      if (!account) throw new ProductError('unauthenticated')
      return account
    },

    listSessions: (actor) => database.withTenant(actor, (tx) => queries.listSessions(tx, actor.sessionId)),

    async endSession(actor, sessionId) {
      const isEnded = await database.withTenant(actor, (tx) => queries.endSession(tx, sessionId))
      if (!isEnded) throw new ProductError('session_not_found')
    },

    async setAvatar(actor, avatar) {
      const picture = readPicture(avatar)
      if ('problem' in picture) throw invalid('body.data', picture.problem)
      // UUIDv4, not ordered by time: an unguessable URL is a picture's only protection.
      const id = uuidV4()
      const { mime } = avatar
      const { userId } = actor
      await database.withTenant(actor, (tx) => queries.saveAvatar(tx, { userId, id, mime, bytes: picture.bytes }))
      return `/api/v1/avatars/${id}`
    },

    removeAvatar: (actor) => database.withTenant(actor, (tx) => queries.deleteAvatar(tx, actor.userId)),

    findAvatar: (id) => queries.findAvatar(database, id),

    listLosses: (actor) => database.withTenant(actor, queries.listLosses),

    async delete(actor, email) {
      checkRecentProof(actor)
      const { outcome, organizationNames } = await database
        .withTenant(actor, (tx) => queries.deleteAccount(tx, email))
        .catch((error: { code?: string; constraint?: string }) => {
          // Another owner left at the same moment; the next attempt names the organisation.
          if (error.constraint === 'memberships_keep_one_owner') throw new ProductError('last_owner', { cause: error })
          throw error
        })
      if (outcome === 'other_address') throw invalid('body.email', 'must be the address of your account')
      if (outcome === 'last_owner') {
        const names = new Intl.ListFormat('en-GB').format(organizationNames)
        throw new ProductError('last_owner', {
          detail: `You are the only owner of ${names}. Make another member an owner first.`,
        })
      }
    },
  }
}

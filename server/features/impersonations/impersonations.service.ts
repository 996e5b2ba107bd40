import type { ErrorCode } from '#contract/errors.ts'
import {
  type Impersonation,
  impersonationEnds,
  type NewImpersonation,
  type PresentImpersonation,
} from '#contract/impersonations.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { ImpersonationTokens } from './impersonation-token.ts'
import * as queries from './impersonations.queries.ts'

const reason = 'superadmins act as users of all organisations'
const listed = 20

const refusals: Readonly<Record<'taken' | 'own' | 'superadmin' | 'unconfirmed' | 'banned', ErrorCode>> = {
  taken: 'impersonation_id_taken',
  own: 'own_account',
  superadmin: 'superadmin_not_impersonable',
  unconfirmed: 'account_unconfirmed',
  banned: 'account_banned',
}

export type Impersonations = ReturnType<typeof createImpersonations>

/** Superadmins who use the product as a user: begun, listed, ended. Beginning and end are in the audit log of the instance. */
export function createImpersonations(database: Database, tokens: ImpersonationTokens) {
  const end = (id: string) => database.asSystem(reason, (tx) => queries.endImpersonation(tx, id))

  return {
    /**
     * A retry gets the same impersonation, with a token that ends when the first one does.
     *
     * @throws ProductError `user_not_found`, `own_account`, `superadmin_not_impersonable`, `account_unconfirmed`,
     * `account_banned`, `impersonation_id_taken`.
     */
    start: async ({ userId: superadminId, sessionId }: Actor, userId: string, wanted: NewImpersonation) => {
      const { id, mode, minutes } = wanted
      const { email, expiresAt } = await database.asSystem(reason, async (tx) => {
        const outcome = await queries.startImpersonation(tx, { superadminId, sessionId, userId }, wanted)
        if (outcome === null) throw new ProductError('user_not_found')
        // The line says that it is one of them.
        if (outcome in refusals) throw new ProductError(refusals[outcome as keyof typeof refusals])
        const present = await queries.findPresent(tx, id)
        if (!present) throw new ProductError('user_not_found')
        if (outcome === 'started') {
          await writeInstanceEntry(tx, {
            ...{ action: 'user.impersonated', targetType: 'user', targetId: userId, targetName: present.email },
            after: { reason: wanted.reason, mode, minutes },
            impersonationId: id,
          })
        }
        return present
      })
      const impersonation = { id, superadminId, mode }
      const token = await tokens.sign({ impersonation, userId, email, sessionId, expiresAt })
      return { token, id, expiresAt: expiresAt.toISOString() }
    },

    /** @throws ProductError `user_not_found`. */
    list: (userId: string): Promise<Impersonation[]> =>
      database.asSystem(reason, async (tx) => {
        if (!(await queries.isAccount(tx, userId))) throw new ProductError('user_not_found')
        return (await queries.listImpersonations(tx, userId, listed)).map(toImpersonation)
      }),

    /** Also another superadmin's. Again: nothing happens. @throws ProductError `impersonation_not_found`. */
    endOf: async (id: string): Promise<void> => {
      const exists = await database.asSystem(reason, (tx) => queries.isImpersonation(tx, id))
      if (!exists) throw new ProductError('impersonation_not_found')
      await end(id)
    },

    /** The caller's. @throws ProductError `impersonation_not_found` for someone who acts as no one. */
    get: async (actor: Actor, organizationId?: string): Promise<PresentImpersonation> => {
      const { id, mode } = getOwn(actor)
      const { present, organization } = await database.asSystem(reason, async (tx) => ({
        present: await queries.findPresent(tx, id),
        organization: await queries.findOrganization(tx, actor.userId, organizationId),
      }))
      if (!present) throw new ProductError('impersonation_ended')
      const { email, name, expiresAt, userMetadata } = present
      const user = { id: actor.userId, email, name }
      return { id, user, mode, expiresAt: expiresAt.toISOString(), userMetadata, organization: organization ?? null }
    },

    /** The caller's. @throws ProductError `impersonation_not_found` for someone who acts as no one. */
    end: async (actor: Actor): Promise<void> => end(getOwn(actor).id),
  }
}

function getOwn({ impersonation }: Actor) {
  if (!impersonation) throw new ProductError('impersonation_not_found')
  return impersonation
}

function toImpersonation(row: queries.ImpersonationRow): Impersonation {
  const { id, superadminId, superadminName, reason: why, mode, createdAt, expiresAt, endedAt, endReason } = row
  return {
    ...{ id, reason: why, mode, superadmin: { id: superadminId, name: superadminName } },
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    endReason: impersonationEnds.find((each) => each === endReason) ?? null,
  }
}

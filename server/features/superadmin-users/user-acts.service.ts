import type { InstanceUser, NewBan } from '#contract/superadmin-users.ts'
import type { Recovery } from '#server/features/auth/auth.feature.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { getUser, toUser } from './read-user.ts'
import * as queries from './users.queries.ts'

const reason = 'superadmins change all accounts'
/** A ban without an end: no one will wait for it, and every client can write it as a date. */
const foreverMs = 100 * 365.25 * 86_400_000

export type UserActs = ReturnType<typeof createUserActs>

/** Changes of accounts by superadmins. Each is in the audit log of the instance. */
export function createUserActs(database: Database, recovery: Pick<Recovery, 'send'>) {
  /** Makes a change of an account, and notes it unless nothing changed. @returns the account afterwards. */
  function change(
    userId: string,
    action: string,
    work: (tx: SystemTx) => Promise<Readonly<Record<string, unknown>> | null>,
  ): Promise<InstanceUser> {
    return database.asSystem(reason, async (tx) => {
      const { email } = await getUser(tx, userId)
      const after = await work(tx)
      if (after) await note(tx, { action, userId, email, after })
      return toUser(await getUser(tx, userId))
    })
  }

  return {
    /** @throws ProductError `user_not_found`. */
    confirm: (userId: string): Promise<InstanceUser> =>
      change(userId, 'user.confirmed', async (tx) => ((await queries.confirmAccount(tx, userId)) ? {} : null)),

    /** @throws ProductError `user_not_found`, `own_account`, `superadmin_not_bannable`, `validation_failed`. */
    ban: (callerId: string, userId: string, { reason: why, until }: NewBan): Promise<InstanceUser> => {
      refuseOwn(callerId, userId)
      const end = until === null ? new Date(Date.now() + foreverMs) : new Date(until)
      if (end.getTime() <= Date.now()) throw invalid('body.until', 'must be in the future')
      return change(userId, 'user.banned', async (tx) => {
        if ((await queries.banAccount(tx, userId, end)) === 'superadmin') {
          throw new ProductError('superadmin_not_bannable')
        }
        return { reason: why, until }
      })
    },

    /** @throws ProductError `user_not_found`. */
    unban: (userId: string): Promise<InstanceUser> =>
      change(userId, 'user.unbanned', async (tx) => ((await queries.unbanAccount(tx, userId)) ? {} : null)),

    /** @returns of how many devices. @throws ProductError `user_not_found`, `own_account`. */
    signOut: (callerId: string, userId: string): Promise<number> => {
      refuseOwn(callerId, userId)
      return database.asSystem(reason, async (tx) => {
        const { email } = await getUser(tx, userId)
        const sessions = await queries.endSessions(tx, userId)
        if (sessions > 0) await note(tx, { action: 'user.signed_out', userId, email, after: { sessions } })
        return sessions
      })
    },

    /** @throws ProductError `user_not_found`, `account_unusable`, `sign_in_elsewhere`, `rate_limited`. */
    sendPasswordReset: (userId: string, client: Client): Promise<void> =>
      database.asSystem(reason, async (tx) => {
        const { email, confirmedAt, bannedUntil } = await getUser(tx, userId)
        if (confirmedAt === null || bannedUntil !== null) throw new ProductError('account_unusable')
        await note(tx, { action: 'user.password_reset_sent', userId, email, after: {} })
        // Last: a refusal takes the entry back.
        await recovery.send(email, client)
      }),

    /** @throws ProductError `user_not_found`, `account_unusable`. */
    makeSuperadmin: (userId: string, why: string): Promise<InstanceUser> =>
      change(userId, 'user.made_superadmin', async (tx) => {
        if (!(await queries.grantSuperadmin(tx, userId))) throw new ProductError('account_unusable')
        return { reason: why }
      }),

    /** @throws ProductError `user_not_found`, `own_account`, `last_superadmin`. */
    removeSuperadmin: (callerId: string, userId: string): Promise<InstanceUser> => {
      refuseOwn(callerId, userId)
      return change(userId, 'user.removed_superadmin', async (tx) => {
        const outcome = await queries.revokeSuperadmin(tx, userId)
        if (outcome === 'last') throw new ProductError('last_superadmin')
        return outcome === null ? null : {}
      })
    },
  }
}

/** Someone who locks themselves out needs a shell. */
function refuseOwn(callerId: string, userId: string): void {
  if (callerId === userId) throw new ProductError('own_account')
}

interface Note {
  readonly action: string
  readonly userId: string
  readonly email: string
  readonly after: Readonly<Record<string, unknown>>
}

function note(tx: SystemTx, { action, userId, email, after }: Note): Promise<void> {
  return writeInstanceEntry(tx, { action, targetType: 'user', targetId: userId, targetName: email, after })
}

import { Readable } from 'node:stream'
import type { InstanceUser, InstanceUserDetail, NewBan, UserFilters } from '#contract/superadmin-users.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import * as queries from './users.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const reason = 'superadmins see and change all accounts'
/** A ban without an end: no one will wait for it, and every client can write it as a date. */
const foreverMs = 100 * 365.25 * 86_400_000

export type Users = ReturnType<typeof createUsers>

/** The accounts of the instance, as superadmins read and change them. Each change is in the audit log. */
export function createUsers(database: Database) {
  async function readPage(filters: UserFilters, after: queries.UserPlace | undefined, limit: number) {
    // One more than a page: whether there is a next.
    const found = await database.asSystem(reason, (tx) => queries.listUsers(tx, filters, { after, limit: limit + 1 }))
    const last = found.length > limit ? found[limit - 1] : undefined
    return { users: found.slice(0, limit).map(toUser), next: last && { at: last.place, id: last.id } }
  }

  async function* readRows(filters: UserFilters): AsyncGenerator<Cell[]> {
    yield ['id', 'email', 'name', 'created_at', 'confirmed_at', 'banned_until', 'last_sign_in_at', 'superadmin']
    let after: queries.UserPlace | undefined
    do {
      const { users, next } = await readPage(filters, after, rowsAtATime)
      for (const { id, email, name, createdAt, confirmedAt, bannedUntil, lastSignInAt, isSuperadmin } of users) {
        yield [id, email, name, createdAt, confirmedAt, bannedUntil, lastSignInAt, isSuperadmin]
      }
      after = next
    } while (after)
  }

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
    /** @throws ProductError `validation_failed` for a foreign cursor. */
    list: async ({ cursor, limit = pageSize, ...filters }: UserFilters & { cursor?: string; limit?: number }) => {
      const { users, next } = await readPage(filters, cursor === undefined ? undefined : readPlace(cursor), limit)
      return { items: users, nextCursor: next ? writePlace(next) : null }
    },

    export: (filters: UserFilters): Readable => Readable.from(writeCsv(readRows(filters))),

    /** @throws ProductError `user_not_found`. */
    get: (userId: string): Promise<InstanceUserDetail> =>
      database.asSystem(reason, async (tx) => {
        const user = await getUser(tx, userId)
        const organizations = await queries.listMemberships(tx, userId)
        const sessions = await queries.listSessions(tx, userId)
        return {
          ...toUser(user),
          organizations: organizations.map(({ joinedAt, ...rest }) => ({ ...rest, joinedAt: joinedAt.toISOString() })),
          sessions: sessions.map(({ createdAt, lastUsedAt, ...rest }) => ({
            ...rest,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt.toISOString(),
          })),
        }
      }),

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

async function getUser(tx: SystemTx, userId: string): Promise<queries.UserRow> {
  const user = await queries.findUser(tx, userId)
  if (!user) throw new ProductError('user_not_found')
  return user
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

function toUser(row: queries.UserRow): InstanceUser {
  const { id, email, name, createdAt, confirmedAt, bannedUntil, lastSignInAt, lastActiveAt } = row
  return {
    ...{ id, email, name, createdAt: createdAt.toISOString() },
    confirmedAt: confirmedAt?.toISOString() ?? null,
    bannedUntil: bannedUntil?.toISOString() ?? null,
    lastSignInAt: lastSignInAt?.toISOString() ?? null,
    lastActiveAt: lastActiveAt?.toISOString() ?? null,
    organizationCount: row.organizationCount,
    sessionCount: row.sessionCount,
    isSuperadmin: row.isSuperadmin,
  }
}

const idLength = 36

function writePlace({ at, id }: queries.UserPlace): string {
  return Buffer.from(`${id}${at}`).toString('base64url')
}

/** @throws ProductError `validation_failed` for a foreign cursor. */
function readPlace(cursor: string): queries.UserPlace {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [id, at] = [text.slice(0, idLength), text.slice(idLength)]
  const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/.test(at)
  if (!isUuid(id) || !isTime || Number.isNaN(Date.parse(at))) {
    throw invalid('query.cursor', 'must be the nextCursor of an earlier page')
  }
  return { at, id }
}

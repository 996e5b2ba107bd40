import { Readable } from 'node:stream'
import type { InstanceUserDetail, UserFilters } from '#contract/superadmin-users.ts'
import { isUuid } from '#contract/uuid.ts'
import type { Recovery } from '#server/features/auth/auth.feature.ts'
import type { Database } from '#server/platform/database/database.ts'
import { recordDownload } from '#server/platform/events/record-download.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { type Cell, writeCsv } from '#server/platform/text/write-csv.ts'
import { getUser, toUser } from './read-user.ts'
import * as queries from './users.queries.ts'

const pageSize = 50
const rowsAtATime = 500
const reason = 'superadmins see all accounts'

export type Users = ReturnType<typeof createUsers>

/** The accounts of the instance, as superadmins read them. */
export function createUsers(database: Database, { isOurs }: Pick<Recovery, 'isOurs'>) {
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

  return {
    /** @throws ProductError `validation_failed` for a foreign cursor. */
    list: async ({ cursor, limit = pageSize, ...filters }: UserFilters & { cursor?: string; limit?: number }) => {
      const { users, next } = await readPage(filters, cursor === undefined ? undefined : readPlace(cursor), limit)
      return { items: users, nextCursor: next ? writePlace(next) : null }
    },

    /** Notes the download, and begins it. */
    export: async (filters: UserFilters): Promise<Readable> => {
      await recordDownload(database, 'Users', filters)
      return Readable.from(writeCsv(readRows(filters)))
    },

    /** @throws ProductError `user_not_found`. */
    get: (userId: string): Promise<InstanceUserDetail> =>
      database.asSystem(reason, async (tx) => {
        const user = await getUser(tx, userId)
        const organizations = await queries.listMemberships(tx, userId)
        const sessions = await queries.listSessions(tx, userId)
        const hasPassword = !isOurs || (await queries.hasPassword(tx, userId))
        return {
          ...toUser(user),
          passwordReset: !isOurs ? 'elsewhere' : hasPassword ? 'possible' : 'first',
          organizations: organizations.map(({ joinedAt, ...rest }) => ({ ...rest, joinedAt: joinedAt.toISOString() })),
          sessions: sessions.map(({ createdAt, lastUsedAt, ...rest }) => ({
            ...rest,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt.toISOString(),
          })),
        }
      }),
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

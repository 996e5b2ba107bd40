import type { InstanceUser, InstanceUserDetail, UserFilters } from '#contract/superadmin-users.ts'
import type { Recovery } from '#server/features/auth/auth.feature.ts'
import type { Database } from '#server/platform/database/database.ts'
import { createDownloadableList } from '#server/platform/events/downloadable-list.ts'
import { readTimeCursor, type TimePlace, writeTimeCursor } from '#server/platform/http/time-cursor.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { getUser, toUser } from './read-user.ts'
import * as queries from './users.queries.ts'

const pageSize = 50
const reason = 'superadmins see all accounts'

export type Users = ReturnType<typeof createUsers>

/** The accounts of the instance, as superadmins read them. */
export function createUsers(database: Database, { isOurs }: Pick<Recovery, 'isOurs'>) {
  return {
    ...createDownloadableList(database, {
      name: 'Users',
      file: 'users',
      columns: ['id', 'email', 'name', 'created_at', 'confirmed_at', 'banned_until', 'last_sign_in_at', 'superadmin'],
      pageSize,
      find: (filters: UserFilters, page: { after: TimePlace | undefined; limit: number }) =>
        database.asSystem(reason, (tx) => queries.listUsers(tx, filters, page)),
      placeOf: ({ place, id }): TimePlace => ({ at: place, id }),
      readCursor: readTimeCursor,
      writeCursor: writeTimeCursor,
      toItem: toUser,
      toCells,
    }),

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

function toCells(user: InstanceUser): Cell[] {
  const { id, email, name, createdAt, confirmedAt, bannedUntil, lastSignInAt, isSuperadmin } = user
  return [id, email, name, createdAt, confirmedAt, bannedUntil, lastSignInAt, isSuperadmin]
}

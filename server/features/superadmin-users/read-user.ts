import type { InstanceUser } from '#contract/superadmin-users.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import * as queries from './users.queries.ts'

/** @throws ProductError `user_not_found`. */
export async function getUser(tx: SystemTx, userId: string): Promise<queries.UserRow> {
  const user = await queries.findUser(tx, userId)
  if (!user) throw new ProductError('user_not_found')
  return user
}

export function toUser(row: queries.UserRow): InstanceUser {
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

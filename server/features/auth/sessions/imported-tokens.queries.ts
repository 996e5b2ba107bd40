import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/** A refresh token of the first generation, as Supabase stored it. */
export interface ImportedToken {
  readonly isRevoked: boolean
  /** Whether it was revoked so recently that it may be reused. */
  readonly isWithinReuseInterval: boolean
  /** Whether it was, or would have been, active when the session's tokens were retired for signed ones. */
  readonly isLastRetired: boolean
}

/** @returns undefined for an unknown token, null for one without a session. */
export async function findSessionIdOfToken(tx: AuthTx, token: string): Promise<string | null | undefined> {
  const row = await tx
    .selectFrom('auth.refresh_tokens')
    .select('session_id')
    .where('token', '=', token)
    .executeTakeFirst()
  return row?.session_id
}

export async function findToken(
  tx: AuthTx,
  token: string,
  reuseIntervalSeconds: number,
): Promise<ImportedToken | undefined> {
  const row = await tx
    .selectFrom('auth.refresh_tokens as t')
    .select('revoked')
    .select(
      sql<boolean>`coalesce(clock_timestamp() <= t.updated_at + make_interval(secs => ${reuseIntervalSeconds}), false)`.as(
        'is_within_reuse_interval',
      ),
    )
    .select(
      sql<boolean>`t.updated_at is not null and not exists (
        select from auth.refresh_tokens later where later.session_id = t.session_id and later.updated_at > t.updated_at)`.as(
        'is_last_retired',
      ),
    )
    .where('token', '=', token)
    .executeTakeFirst()
  return (
    row && {
      isRevoked: row.revoked === true,
      isWithinReuseInterval: row.is_within_reuse_interval,
      isLastRetired: row.is_last_retired,
    }
  )
}

/** The session's newest token that is not revoked. */
export async function findActiveToken(
  tx: AuthTx,
  sessionId: string,
): Promise<{ token: string; parent: string | null } | undefined> {
  const row = await tx
    .selectFrom('auth.refresh_tokens')
    .select(['token', 'parent'])
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`revoked is not true`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.token == null ? undefined : { token: row.token, parent: row.parent }
}

/** Revokes all active tokens at one instant: each counts as the parent of the signed token that follows. */
export async function retireTokens(tx: AuthTx, sessionId: string): Promise<void> {
  await tx
    .updateTable('auth.refresh_tokens')
    .set({ revoked: true, updated_at: sql`statement_timestamp()` })
    .where('session_id', '=', sessionId)
    .where(sql<boolean>`revoked is not true`)
    .execute()
}

import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { AuthenticationMethod } from '../keys/access-token.ts'

/** One signed-in device. */
export interface Session {
  readonly id: string
  readonly userId: string
  readonly refreshTokenKey: string | null
  readonly counter: number
  /** Whether the last refresh is younger than the interval in which an older token may be reused. */
  readonly isWithinReuseInterval: boolean
  readonly isOver: boolean
}

export async function insertSession(
  tx: AuthTx,
  session: {
    id: string
    userId: string
    refreshTokenKey: string
    ip: string | null
    userAgent: string | null
    method: string
  },
): Promise<void> {
  await tx
    .insertInto('auth.sessions')
    .values({
      id: session.id,
      user_id: session.userId,
      created_at: sql`now()`,
      updated_at: sql`now()`,
      aal: 'aal1',
      ip: session.ip,
      user_agent: session.userAgent,
      refresh_token_hmac_key: session.refreshTokenKey,
      refresh_token_counter: 0,
    })
    .execute()
  await tx
    .insertInto('auth.mfa_amr_claims')
    .values({
      session_id: session.id,
      authentication_method: session.method,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .execute()
  await tx
    .updateTable('auth.users')
    .set({ last_sign_in_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', session.userId)
    .execute()
}

/**
 * Reads a session and locks its row: refreshes of one session are serialised across processes.
 * Waits five seconds at most (SQLSTATE 55P03 after that).
 */
export async function lockSession(tx: AuthTx, id: string, reuseIntervalSeconds: number): Promise<Session | undefined> {
  const row = await tx
    .selectFrom('auth.sessions')
    .select(['id', 'user_id', 'refresh_token_hmac_key', 'refresh_token_counter'])
    // clock_timestamp, not now(): this transaction may have begun before the one it waited for.
    .select(
      sql<boolean>`coalesce(clock_timestamp() at time zone 'UTC' <= refreshed_at + make_interval(secs => ${reuseIntervalSeconds}), false)`.as(
        'is_within_reuse_interval',
      ),
    )
    .select(sql<boolean>`coalesce(not_after < clock_timestamp(), false)`.as('is_over'))
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      userId: row.user_id,
      refreshTokenKey: row.refresh_token_hmac_key,
      counter: Number(row.refresh_token_counter ?? 0),
      isWithinReuseInterval: row.is_within_reuse_interval,
      isOver: row.is_over,
    }
  )
}

/** Makes the token with this count the session's active one. */
export async function advanceSession(
  tx: AuthTx,
  session: { id: string; key: string; counter: number; ip: string | null; userAgent: string | null },
): Promise<void> {
  await tx
    .updateTable('auth.sessions')
    .set({
      refresh_token_hmac_key: session.key,
      refresh_token_counter: session.counter,
      refreshed_at: sql`clock_timestamp() at time zone 'UTC'`,
      updated_at: sql`now()`,
      ip: session.ip,
      user_agent: session.userAgent,
    })
    .where('id', '=', session.id)
    .execute()
}

export async function findMethods(tx: AuthTx, sessionId: string): Promise<AuthenticationMethod[]> {
  const rows = await tx
    .selectFrom('auth.mfa_amr_claims')
    .select('authentication_method as method')
    .select(sql<number>`floor(extract(epoch from created_at))::integer`.as('timestamp'))
    .where('session_id', '=', sessionId)
    .orderBy('created_at', 'desc')
    .execute()
  return rows
}

export async function isSessionOf(tx: AuthTx, sessionId: string, userId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('auth.sessions')
    .select('id')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Signs out: every device of the user, this one, or all but this one. Tokens are deleted with their session. */
export async function deleteSessions(
  tx: AuthTx,
  { userId, sessionId, scope }: { userId: string; sessionId: string; scope: 'global' | 'local' | 'others' },
): Promise<void> {
  let query = tx.deleteFrom('auth.sessions').where('user_id', '=', userId)
  if (scope === 'local') query = query.where('id', '=', sessionId)
  if (scope === 'others') query = query.where('id', '<>', sessionId)
  await query.execute()
}

import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { CodeChallenge } from './pkce.ts'

/** A code that a browser came to exchange. */
export interface IssuedFlow {
  readonly id: string
  readonly userId: string | null
  readonly method: string
  readonly challenge: CodeChallenge | undefined
  readonly isExpired: boolean
}

const codeLifeSeconds = 300

/** Remembers the challenge of the browser that asked for a mail. What nobody came back for goes after a day. */
export async function insertFlowState(
  tx: AuthTx,
  flow: { id: string; userId: string; challenge: CodeChallenge; method: string; redirectTo: string },
): Promise<void> {
  await tx
    .deleteFrom('auth.flow_state')
    .where((eb) =>
      eb(
        'id',
        'in',
        eb
          .selectFrom('auth.flow_state')
          .select('id')
          .where('created_at', '<', sql<Date>`now() - interval '24 hours'`)
          .limit(50)
          .forUpdate()
          .skipLocked(),
      ),
    )
    .execute()
  await tx
    .insertInto('auth.flow_state')
    .values({
      id: flow.id,
      user_id: flow.userId,
      code_challenge: flow.challenge.challenge,
      code_challenge_method: flow.challenge.method,
      provider_type: 'email',
      authentication_method: flow.method,
      referrer: flow.redirectTo,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .execute()
}

/**
 * Gives the latest flow of the user its code. The code's life counts from here, not from the mail.
 *
 * @returns false when there is no flow: the link was opened so late that it was cleared away.
 */
export async function issueCode(
  tx: AuthTx,
  { userId, method, code }: { userId: string; method: string; code: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('auth.flow_state')
    .set({ auth_code: code, auth_code_issued_at: sql`now()`, updated_at: sql`now()` })
    .where((eb) =>
      eb(
        'id',
        '=',
        eb
          .selectFrom('auth.flow_state')
          .select('id')
          .where('user_id', '=', userId)
          .where('authentication_method', '=', method)
          .orderBy('created_at', 'desc')
          .limit(1),
      ),
    )
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The flow of a code; its row is held, so that a code is exchanged once. */
export async function lockFlowByCode(tx: AuthTx, code: string): Promise<IssuedFlow | undefined> {
  const row = await tx
    .selectFrom('auth.flow_state')
    .select(['id', 'user_id', 'authentication_method', 'code_challenge', 'code_challenge_method'])
    .select(
      sql<boolean>`coalesce(auth_code_issued_at, created_at) < now() - make_interval(secs => ${codeLifeSeconds})`.as(
        'is_expired',
      ),
    )
    .where('auth_code', '=', code)
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  const { code_challenge: challenge, code_challenge_method: challengeMethod } = row
  return {
    id: row.id,
    userId: row.user_id,
    method: row.authentication_method,
    challenge: challenge !== null && challengeMethod !== null ? { challenge, method: challengeMethod } : undefined,
    isExpired: row.is_expired,
  }
}

export async function deleteFlow(tx: AuthTx, id: string): Promise<void> {
  await tx.deleteFrom('auth.flow_state').where('id', '=', id).execute()
}

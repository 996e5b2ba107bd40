import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import type { CodeChallenge } from './pkce.ts'

/** A code to exchange. */
export interface IssuedFlow {
  readonly id: string
  readonly userId: string | null
  readonly method: string
  readonly challenge: CodeChallenge | undefined
  readonly isExpired: boolean
  /** The provider's own tokens, sealed with the code. */
  readonly sealedProviderTokens: string | null
}

/** A pending provider sign-in. */
export type ProviderFlow =
  | { readonly state: 'unknown' | 'expired' | 'used' }
  | {
      readonly state: 'open'
      readonly redirectTo: string
      readonly challenge: CodeChallenge | undefined
      /** The token of the invitation that the person came from. */
      readonly invitationToken: string | undefined
    }

/** The `authentication_method` of a provider sign-in, and the session's `amr` after it. */
export const providerMethod = 'oauth'

const codeLifeSeconds = 300

// Time to find a phone and to type a second factor at the provider.
const providerFlowLifeSeconds = 600

/** Stores the challenge of the browser that requested an email. Unused ones are pruned after a day. */
export async function insertFlowState(
  tx: AuthTx,
  flow: { id: string; userId: string; challenge: CodeChallenge; method: string; redirectTo: string },
): Promise<void> {
  await deleteOldFlows(tx)
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

/** Stores the flow of a browser that leaves for a provider. Its id is the `state` that the provider returns. */
export async function insertProviderFlow(
  tx: AuthTx,
  flow: {
    id: string
    provider: string
    challenge: CodeChallenge | undefined
    redirectTo: string
    invitationToken: string | undefined
  },
): Promise<void> {
  await deleteOldFlows(tx)
  await tx
    .insertInto('auth.flow_state')
    .values({
      id: flow.id,
      code_challenge: flow.challenge?.challenge ?? null,
      code_challenge_method: flow.challenge?.method ?? null,
      provider_type: flow.provider,
      authentication_method: providerMethod,
      invite_token: flow.invitationToken ?? null,
      referrer: flow.redirectTo,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .execute()
}

async function deleteOldFlows(tx: AuthTx): Promise<void> {
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
}

/** Takes the flow of a provider's answer, once: the second answer with one `state` finds it used. */
export async function takeProviderFlow(tx: AuthTx, id: string): Promise<ProviderFlow> {
  const row = await tx
    .selectFrom('auth.flow_state')
    .select(['code_challenge', 'code_challenge_method', 'referrer', 'invite_token'])
    .select(sql<boolean>`auth_code_issued_at is not null`.as('is_used'))
    .select(
      sql<boolean>`created_at < clock_timestamp() - make_interval(secs => ${providerFlowLifeSeconds})`.as('is_expired'),
    )
    .where('id', '=', id)
    .where('authentication_method', '=', providerMethod)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.referrer === null) return { state: 'unknown' }
  if (row.is_used) return { state: 'used' }
  if (row.is_expired) return { state: 'expired' }
  await tx
    .updateTable('auth.flow_state')
    .set({ auth_code_issued_at: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  return {
    state: 'open',
    redirectTo: row.referrer,
    challenge: toChallenge(row),
    invitationToken: row.invite_token ?? undefined,
  }
}

/** Stores the user and the browser's code in a taken flow. */
export async function finishProviderFlow(
  tx: AuthTx,
  flow: { id: string; userId: string; code: string; sealedProviderTokens: string },
): Promise<void> {
  await tx
    .updateTable('auth.flow_state')
    .set({
      user_id: flow.userId,
      auth_code: hashCode(flow.code),
      auth_code_issued_at: sql`now()`,
      provider_access_token: flow.sealedProviderTokens,
      updated_at: sql`now()`,
    })
    .where('id', '=', flow.id)
    .execute()
}

/**
 * Stores a code in the user's latest flow. The code's validity counts from here, not from the email.
 *
 * @returns false when there is no flow: the link was opened after the flow was pruned.
 */
export async function issueCode(
  tx: AuthTx,
  { userId, method, code }: { userId: string; method: string; code: string },
): Promise<boolean> {
  const result = await tx
    .updateTable('auth.flow_state')
    .set({ auth_code: hashCode(code), auth_code_issued_at: sql`now()`, updated_at: sql`now()` })
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

/** The user of a code. */
export async function findUserIdOfCode(tx: AuthTx, code: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('auth.flow_state')
    .select('user_id')
    .where('auth_code', '=', hashCode(code))
    .executeTakeFirst()
  return row?.user_id ?? undefined
}

/** The flow of a code; its row is locked, so that a code is exchanged once. */
export async function lockFlowByCode(tx: AuthTx, code: string): Promise<IssuedFlow | undefined> {
  const row = await tx
    .selectFrom('auth.flow_state')
    .select([
      'id',
      'user_id',
      'authentication_method',
      'code_challenge',
      'code_challenge_method',
      'provider_access_token',
    ])
    .select(
      sql<boolean>`coalesce(auth_code_issued_at, created_at) < now() - make_interval(secs => ${codeLifeSeconds})`.as(
        'is_expired',
      ),
    )
    .where('auth_code', '=', hashCode(code))
    .forUpdate()
    .executeTakeFirst()
  if (!row) return undefined
  return {
    id: row.id,
    userId: row.user_id,
    method: row.authentication_method,
    challenge: toChallenge(row),
    isExpired: row.is_expired,
    sealedProviderTokens: row.provider_access_token,
  }
}

export async function deleteFlow(tx: AuthTx, id: string): Promise<void> {
  await tx.deleteFrom('auth.flow_state').where('id', '=', id).execute()
}

/** Invalidates the account's pending flows: opened links and unexchanged codes. */
export async function deleteFlowsOf(tx: AuthTx, userId: string): Promise<void> {
  await tx.deleteFrom('auth.flow_state').where('user_id', '=', userId).execute()
}

function toChallenge(row: {
  code_challenge: string | null
  code_challenge_method: CodeChallenge['method'] | null
}): CodeChallenge | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = row
  return challenge !== null && method !== null ? { challenge, method } : undefined
}

// The stored hash neither signs anyone in nor decrypts tokens sealed with the code.
function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

import { timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import { lockUser, type User, userColumns } from '../accounts/users.queries.ts'

/** The purpose of an emailed secret. A magic link and a recovery share one: both prove the address. */
export type SecretPurpose =
  | 'confirmation'
  | 'recovery'
  | 'email_change_new'
  | 'email_change_current'
  | 'reauthentication'

const purposes = {
  confirmation: { token: 'confirmation_token', sentAt: 'confirmation_sent_at', type: 'confirmation_token' },
  recovery: { token: 'recovery_token', sentAt: 'recovery_sent_at', type: 'recovery_token' },
  email_change_new: { token: 'email_change_token_new', sentAt: 'email_change_sent_at', type: 'email_change_token_new' },
  email_change_current: {
    token: 'email_change_token_current',
    sentAt: 'email_change_sent_at',
    type: 'email_change_token_current',
  },
  reauthentication: {
    token: 'reauthentication_token',
    sentAt: 'reauthentication_sent_at',
    type: 'reauthentication_token',
  },
} as const satisfies Record<SecretPurpose, { token: keyof User; sentAt: keyof User; type: string }>

/** A found secret with its account, whose row is locked: of two clicks only one counts. */
export interface FoundSecret {
  readonly purpose: SecretPurpose
  readonly user: User
  readonly sentAt: Date
}

/** Replaces a pending secret of the kind: only the latest email works. */
export async function saveSecret(
  tx: AuthTx,
  secret: { userId: string; purpose: SecretPurpose; to: string; linkTokenHash: string; codeHash: string },
): Promise<User> {
  const { token, sentAt, type } = purposes[secret.purpose]
  await tx
    .insertInto('auth.one_time_tokens')
    .values({ user_id: secret.userId, token_type: type, token_hash: secret.linkTokenHash, relates_to: secret.to })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'token_type']).doUpdateSet({
        token_hash: secret.linkTokenHash,
        relates_to: secret.to,
        updated_at: sql`now()`,
      }),
    )
    .execute()
  return (await tx
    .updateTable('auth.users')
    .set({ [token]: secret.codeHash, [sentAt]: sql`now()`, updated_at: sql`now()` })
    .where('id', '=', secret.userId)
    .returning(userColumns)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirstOrThrow()) as User
}

/** The recipient of the email with a link, found without using it up. */
export async function findRecipient(tx: AuthTx, tokenHash: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('auth.one_time_tokens')
    .select('relates_to')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.relates_to
}

/** The account and purpose of a link. */
export async function findSecretByLink(
  tx: AuthTx,
  tokenHashes: readonly string[],
  wanted: readonly SecretPurpose[],
): Promise<FoundSecret | undefined> {
  const query = tx
    .selectFrom('auth.one_time_tokens')
    .select(['user_id', 'token_type'])
    .where('token_hash', 'in', [...tokenHashes])
    .where(
      'token_type',
      'in',
      wanted.map((purpose) => purposes[purpose].type),
    )
  const seen = await query.executeTakeFirst()
  if (!seen) return undefined
  const user = await lockUser(tx, seen.user_id)
  // Read again under the lock, so that no other request can use it up.
  const token = await query.executeTakeFirst()
  const purpose = wanted.find((each) => purposes[each].type === token?.token_type)
  return user && purpose && toFound(user, purpose)
}

/** The pending secret of the account that the code matches. The account has to be locked. */
export function findSecretByCode(
  user: User,
  codeHash: string,
  wanted: readonly SecretPurpose[],
): FoundSecret | undefined {
  const given = Buffer.from(codeHash)
  // Each is compared in constant time: the duration does not reveal a near match.
  const matching = wanted.filter((purpose) => {
    const expected = Buffer.from(user[purposes[purpose].token] ?? '')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
  return matching[0] && toFound(user, matching[0])
}

/** Invalidates every pending secret of the account, or those of some kinds. */
export async function clearSecrets(
  tx: AuthTx,
  userId: string,
  // `Object.keys` gives strings; these are all purposes.
  kinds: readonly SecretPurpose[] = Object.keys(purposes) as SecretPurpose[],
): Promise<void> {
  await tx
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', userId)
    .where(
      'token_type',
      'in',
      kinds.map((purpose) => purposes[purpose].type),
    )
    .execute()
  await tx
    .updateTable('auth.users')
    .set(Object.fromEntries(kinds.map((purpose) => [purposes[purpose].token, ''])))
    .where('id', '=', userId)
    .execute()
}

function toFound(user: User, purpose: SecretPurpose): FoundSecret {
  return { purpose, user, sentAt: user[purposes[purpose].sentAt] ?? new Date(0) }
}

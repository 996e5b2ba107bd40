import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import { deleteFlowsOf } from '../sign-in/flow-states.queries.ts'

type Json = Readonly<Record<string, unknown>>

/** An account at a provider: its id, and the provider's data. */
export interface ProviderIdentity {
  readonly provider: string
  readonly providerId: string
  readonly data: Json
}

/** Serialises sign-ins with the same provider account, until this transaction ends. */
export async function holdIdentity(
  tx: AuthTx,
  { provider, providerId }: Pick<ProviderIdentity, 'provider' | 'providerId'>,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${provider} ${providerId}`}, 0))`.execute(tx)
}

/** The user of an identity, and the provider's data at the last sign-in. */
export async function findIdentity(
  tx: AuthTx,
  { provider, providerId }: Pick<ProviderIdentity, 'provider' | 'providerId'>,
): Promise<{ userId: string; data: Json } | undefined> {
  const row = await tx
    .selectFrom('auth.identities')
    .select(['user_id', 'identity_data'])
    .where('provider', '=', provider)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
  // The sign-in stores a JSON object; the database types allow any JSON.
  return row && { userId: row.user_id, data: row.identity_data as Json }
}

/** Locks the account's row. */
export async function holdUser(tx: AuthTx, userId: string): Promise<void> {
  await tx.selectFrom('auth.users').select('id').where('id', '=', userId).forUpdate().execute()
}

/** Adds the identity to the account, or updates its data. */
export async function saveIdentity(tx: AuthTx, userId: string, identity: ProviderIdentity): Promise<void> {
  const data = JSON.stringify(identity.data)
  await tx
    .insertInto('auth.identities')
    .values({
      user_id: userId,
      provider: identity.provider,
      provider_id: identity.providerId,
      identity_data: data,
      last_sign_in_at: sql`now()`,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'provider'])
        .doUpdateSet({ identity_data: data, last_sign_in_at: sql`now()`, updated_at: sql`now()` }),
    )
    .execute()
}

/** @returns false when an account with this address exists, even if it was just created. */
export async function insertProviderUser(
  tx: AuthTx,
  user: { id: string; email: string; provider: string; metadata: Json; isConfirmed: boolean },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('auth.users')
    .values({
      id: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: user.email,
      raw_app_meta_data: JSON.stringify({ provider: user.provider, providers: [user.provider] }),
      raw_user_meta_data: JSON.stringify(user.metadata),
      created_at: sql`now()`,
      updated_at: sql`now()`,
      ...(user.isConfirmed && { email_confirmed_at: sql<Date>`now()` }),
    })
    .onConflict((conflict) => conflict.column('email').where('is_sso_user', '=', false).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function saveMetadata(
  tx: AuthTx,
  userId: string,
  { userMetadata, appMetadata }: { userMetadata: Json; appMetadata: Json },
): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({
      raw_user_meta_data: JSON.stringify(userMetadata),
      raw_app_meta_data: JSON.stringify(appMetadata),
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
}

/**
 * Hands an unconfirmed account to the owner of its address. Its creator may be another person: all other credentials
 * and all their metadata are removed.
 */
export async function claimUnconfirmedUser(
  tx: AuthTx,
  userId: string,
  keep: Pick<ProviderIdentity, 'provider' | 'providerId'>,
  metadata: { userMetadata: Json; appMetadata: Json },
): Promise<void> {
  await tx
    .deleteFrom('auth.identities')
    .where('user_id', '=', userId)
    .where((eb) => eb.not(eb.and([eb('provider', '=', keep.provider), eb('provider_id', '=', keep.providerId)])))
    .execute()
  await tx.deleteFrom('auth.sessions').where('user_id', '=', userId).execute()
  await tx.deleteFrom('auth.one_time_tokens').where('user_id', '=', userId).execute()
  await deleteFlowsOf(tx, userId)
  await tx
    .updateTable('auth.users')
    .set({
      encrypted_password: null,
      email_confirmed_at: sql`now()`,
      confirmation_token: '',
      recovery_token: '',
      reauthentication_token: '',
      email_change: '',
      email_change_token_new: '',
      email_change_token_current: '',
      email_change_confirm_status: 0,
    })
    .where('id', '=', userId)
    .execute()
  await saveMetadata(tx, userId, metadata)
}

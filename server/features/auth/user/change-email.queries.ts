import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import { type User, userColumns } from '../accounts/users.queries.ts'

/** Stores the new address of a pending email change; neither side has confirmed. */
export async function saveNewEmail(tx: AuthTx, userId: string, newEmail: string): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ email_change: newEmail, email_change_confirm_status: 0, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
}

export async function noteFirstConfirmation(tx: AuthTx, userId: string): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({ email_change_confirm_status: 1, updated_at: sql`now()` })
    .where('id', '=', userId)
    .execute()
}

/** The account with the latest pending change to the address; locked. */
export async function findUserByNewEmail(tx: AuthTx, newEmail: string): Promise<User | undefined> {
  return (await tx
    .selectFrom('auth.users')
    .select(userColumns)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('auth.one_time_tokens')
        .select('user_id')
        .where('relates_to', '=', newEmail)
        .where('token_type', '=', 'email_change_token_new'),
    )
    .where('email_change', '=', newEmail)
    .where('deleted_at', 'is', null)
    .orderBy('email_change_sent_at', 'desc')
    .limit(1)
    .forUpdate()
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirst()) as User | undefined
}

/** Sets the account's new address, confirmed. */
export async function saveEmail(tx: AuthTx, userId: string, email: string): Promise<User> {
  const verified = sql`jsonb_build_object('email', ${email}::text, 'email_verified', true)`
  await tx
    .updateTable('auth.identities')
    .set({ identity_data: sql`identity_data || ${verified}`, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('provider', '=', 'email')
    .execute()
  return (await tx
    .updateTable('auth.users')
    .set({
      email,
      email_confirmed_at: sql`coalesce(email_confirmed_at, now())`,
      email_change: '',
      email_change_confirm_status: 0,
      raw_user_meta_data: sql`coalesce(raw_user_meta_data, '{}'::jsonb) || ${verified}`,
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .returning(userColumns)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirstOrThrow()) as User
}

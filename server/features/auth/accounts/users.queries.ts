import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/** The columns of {@link User}. */
export const userColumns = [
  'id',
  'aud',
  'role',
  'email',
  'phone',
  'encrypted_password',
  'email_confirmed_at',
  'phone_confirmed_at',
  'confirmed_at',
  'confirmation_token',
  'confirmation_sent_at',
  'recovery_token',
  'recovery_sent_at',
  'email_change',
  'email_change_token_new',
  'email_change_token_current',
  'email_change_confirm_status',
  'email_change_sent_at',
  'reauthentication_token',
  'reauthentication_sent_at',
  'invited_at',
  'last_sign_in_at',
  'raw_app_meta_data',
  'raw_user_meta_data',
  'created_at',
  'updated_at',
  'banned_until',
  'deleted_at',
] as const

type Json = Readonly<Record<string, unknown>>

/** An account. `phone` is always empty: there is no sign-in by phone. */
export interface User {
  readonly id: string
  readonly aud: string | null
  readonly role: string | null
  readonly email: string | null
  readonly phone: string | null
  readonly encrypted_password: string | null
  readonly email_confirmed_at: Date | null
  readonly phone_confirmed_at: Date | null
  readonly confirmed_at: Date | null
  readonly confirmation_token: string | null
  readonly confirmation_sent_at: Date | null
  readonly recovery_token: string | null
  readonly recovery_sent_at: Date | null
  readonly email_change: string | null
  readonly email_change_token_new: string | null
  readonly email_change_token_current: string | null
  readonly email_change_confirm_status: number | null
  readonly email_change_sent_at: Date | null
  readonly reauthentication_token: string | null
  readonly reauthentication_sent_at: Date | null
  readonly invited_at: Date | null
  readonly last_sign_in_at: Date | null
  readonly raw_app_meta_data: Json | null
  readonly raw_user_meta_data: Json | null
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly banned_until: Date | null
  readonly deleted_at: Date | null
}

export interface Identity {
  readonly id: string
  readonly provider_id: string
  readonly user_id: string
  readonly identity_data: Json
  readonly provider: string
  readonly last_sign_in_at: Date | null
  readonly created_at: Date | null
  readonly updated_at: Date | null
  readonly email: string | null
}

/** @param options.lock locks the account's row. */
export async function findUserByEmail(
  tx: AuthTx,
  email: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<User | undefined> {
  const query = tx
    .selectFrom('auth.users')
    .select(userColumns)
    .where('email', '=', email)
    .where('is_sso_user', '=', false)
    .where('deleted_at', 'is', null)
  // The metadata columns hold JSON objects; the database types allow any JSON.
  return (await (lock ? query.forUpdate() : query).executeTakeFirst()) as User | undefined
}

export async function findUserById(tx: AuthTx, id: string): Promise<User | undefined> {
  return (await tx
    .selectFrom('auth.users')
    .select(userColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirst()) as User | undefined
}

/** As {@link findUserById}; locks the account's row. */
export async function lockUser(tx: AuthTx, id: string): Promise<User | undefined> {
  return (await tx
    .selectFrom('auth.users')
    .select(userColumns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirst()) as User | undefined
}

export async function findIdentities(tx: AuthTx, userId: string): Promise<Identity[]> {
  return (await tx
    .selectFrom('auth.identities')
    .select([
      'id',
      'provider_id',
      'user_id',
      'identity_data',
      'provider',
      'last_sign_in_at',
      'created_at',
      'updated_at',
      'email',
    ])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    // `identity_data` holds a JSON object; the database types allow any JSON.
    .execute()) as Identity[]
}

/** @returns undefined when another request just created an account with this address. */
export async function insertEmailUser(
  tx: AuthTx,
  user: { id: string; email: string; passwordHash: string; metadata: Json; isConfirmed: boolean },
): Promise<User | undefined> {
  const metadata = {
    ...user.metadata,
    sub: user.id,
    email: user.email,
    email_verified: user.isConfirmed,
    phone_verified: false,
  }
  const inserted = (await tx
    .insertInto('auth.users')
    .values({
      id: user.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: user.email,
      encrypted_password: user.passwordHash,
      raw_app_meta_data: JSON.stringify({ provider: 'email', providers: ['email'] }),
      raw_user_meta_data: JSON.stringify(metadata),
      created_at: sql`now()`,
      updated_at: sql`now()`,
      ...(user.isConfirmed && { email_confirmed_at: sql<Date>`now()` }),
    })
    .onConflict((conflict) => conflict.column('email').where('is_sso_user', '=', false).doNothing())
    .returning(userColumns)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirst()) as User | undefined
  if (!inserted) return undefined
  // A trigger removes the invitation's secret before the row is stored.
  await insertEmailIdentity(tx, user.id, { ...metadata, invitation_token: undefined })
  return inserted
}

/** Makes the account's e-mail identity, unless it has one. */
async function insertEmailIdentity(tx: AuthTx, userId: string, data: Json): Promise<void> {
  await tx
    .insertInto('auth.identities')
    .values({
      provider_id: userId,
      user_id: userId,
      provider: 'email',
      identity_data: JSON.stringify(data),
      last_sign_in_at: sql`now()`,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .onConflict((conflict) => conflict.columns(['provider_id', 'provider']).doNothing())
    .execute()
}

/**
 * Removes all credentials of an account with an unconfirmed address: its password or unverified provider sign-in may
 * belong to an attacker who waits for the owner to confirm.
 */
export async function dropUnprovenAccess(tx: AuthTx, user: { id: string; email: string | null }): Promise<void> {
  await tx.deleteFrom('auth.identities').where('user_id', '=', user.id).where('provider', '<>', 'email').execute()
  await insertEmailIdentity(tx, user.id, { sub: user.id, email: user.email, email_verified: false })
  await tx
    .updateTable('auth.users')
    .set({
      encrypted_password: '',
      raw_app_meta_data: sql`coalesce(raw_app_meta_data, '{}'::jsonb) || '{"provider": "email", "providers": ["email"]}'::jsonb`,
      updated_at: sql`now()`,
    })
    .where('id', '=', user.id)
    .execute()
}

/** Whether a team's invitation was emailed to the address after the account was created. */
export async function wasInvitedSince(tx: AuthTx, user: Pick<User, 'email' | 'created_at'>): Promise<boolean> {
  const { rows } = await sql<{ was_invited: boolean }>`
    select app.was_invited_since(${user.email ?? ''}, ${user.created_at ?? new Date(0)}) as was_invited`.execute(tx)
  return rows[0]?.was_invited ?? false
}

/**
 * Marks the account's address as confirmed.
 *
 * @param options.dropAccess removes the credentials: the account's creator did not prove to own the address.
 */
export async function confirmEmail(
  tx: AuthTx,
  user: Pick<User, 'id' | 'email'>,
  { dropAccess = false }: { dropAccess?: boolean } = {},
): Promise<User> {
  const userId = user.id
  if (dropAccess) await dropUnprovenAccess(tx, user)
  await tx
    .updateTable('auth.identities')
    .set({ identity_data: sql`identity_data || '{"email_verified": true}'::jsonb`, updated_at: sql`now()` })
    .where('user_id', '=', userId)
    .where('provider', '=', 'email')
    .execute()
  return (await tx
    .updateTable('auth.users')
    .set({
      email_confirmed_at: sql`coalesce(email_confirmed_at, now())`,
      raw_user_meta_data: sql`coalesce(raw_user_meta_data, '{}'::jsonb) || '{"email_verified": true}'::jsonb`,
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .returning(userColumns)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .executeTakeFirstOrThrow()) as User
}

/** The actor of a change to an account: its owner, or an operator's program. */
export interface AuditActor {
  readonly id: string
  readonly name: string
}

/** @param entry.traits the subject, where it is not the actor. */
export async function insertAuditEntry(
  tx: AuthTx,
  entry: { id: string; action: string; logType: string; actor: AuditActor; ip: string | null; traits?: Json },
): Promise<void> {
  await tx
    .insertInto('auth.audit_log_entries')
    .values({
      id: entry.id,
      payload: JSON.stringify({
        action: entry.action,
        actor_id: entry.actor.id,
        actor_username: entry.actor.name,
        actor_via_sso: false,
        log_type: entry.logType,
        traits: entry.traits,
      }),
      created_at: sql`now()`,
      ip_address: entry.ip ?? '',
    })
    .execute()
}

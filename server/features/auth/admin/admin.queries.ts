import { sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'
import { findIdentities, type Identity, type User } from '../accounts/users.queries.ts'
import { deleteFlowsOf } from '../sign-in/flow-states.queries.ts'
import type { Page } from './paging.ts'

type Json = Readonly<Record<string, unknown>>

export interface Account {
  readonly user: User
  readonly identities: readonly Identity[]
}

/** One page of all accounts, soft-deleted ones included, newest first by default. */
export async function listAccounts(
  tx: AuthTx,
  { page, filter, direction }: { page: Page; filter: string; direction: 'asc' | 'desc' },
): Promise<{ accounts: Account[]; total: number }> {
  let query = tx.selectFrom('auth.users')
  if (filter !== '') {
    const pattern = `%${escapeLike(filter)}%`
    query = query.where((where) =>
      where.or([
        where('email', 'ilike', pattern),
        where(sql<string>`raw_user_meta_data ->> 'full_name'`, 'ilike', pattern),
      ]),
    )
  }
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const users = (await query
    .selectAll()
    .orderBy('created_at', (order) => (direction === 'asc' ? order.asc() : order.desc().nullsLast()))
    .orderBy('id')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    // The metadata columns hold JSON objects; the database types allow any JSON.
    .execute()) as readonly User[]
  if (users.length === 0) return { accounts: [], total }
  const identities = (await tx
    .selectFrom('auth.identities')
    .selectAll()
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .orderBy('created_at')
    // `identity_data` holds a JSON object; the database types allow any JSON.
    .execute()) as Identity[]
  return {
    accounts: users.map((user) => ({ user, identities: identities.filter(({ user_id }) => user_id === user.id) })),
    total,
  }
}

/** An account, even a soft-deleted one. */
export async function findAccount(tx: AuthTx, id: string): Promise<Account | undefined> {
  const user = (await tx.selectFrom('auth.users').selectAll().where('id', '=', id).executeTakeFirst()) as
    // The metadata columns hold JSON objects; the database types allow any JSON.
    User | undefined
  return user && { user, identities: await findIdentities(tx, id) }
}

/** As {@link findAccount}, with its row locked until this transaction ends. */
export async function lockAccount(tx: AuthTx, id: string): Promise<User | undefined> {
  return (await tx.selectFrom('auth.users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()) as
    // The metadata columns hold JSON objects; the database types allow any JSON.
    User | undefined
}

/** @param account.passwordHash empty for an account without password sign-in. */
export async function insertAccount(
  tx: AuthTx,
  account: {
    id: string
    email: string
    passwordHash: string
    userMetadata: Json
    appMetadata: Json
    isConfirmed: boolean
    isInvited: boolean
    bannedUntil: Date | null
  },
): Promise<void> {
  await tx
    .insertInto('auth.users')
    .values({
      id: account.id,
      aud: 'authenticated',
      role: 'authenticated',
      email: account.email,
      encrypted_password: account.passwordHash,
      raw_app_meta_data: JSON.stringify(account.appMetadata),
      raw_user_meta_data: JSON.stringify({ ...account.userMetadata, email_verified: account.isConfirmed }),
      banned_until: account.bannedUntil,
      created_at: sql`now()`,
      updated_at: sql`now()`,
      ...(account.isConfirmed && { email_confirmed_at: sql<Date>`now()` }),
      ...(account.isInvited && { invited_at: sql<Date>`now()` }),
    })
    .execute()
  await saveEmailIdentity(tx, { userId: account.id, email: account.email, isVerified: account.isConfirmed })
}

/** Creates the account's email identity, or updates its address. */
export async function saveEmailIdentity(
  tx: AuthTx,
  { userId, email, isVerified }: { userId: string; email: string; isVerified: boolean },
): Promise<void> {
  const data = JSON.stringify({ sub: userId, email, email_verified: isVerified, phone_verified: false })
  await tx
    .insertInto('auth.identities')
    .values({
      provider_id: userId,
      user_id: userId,
      provider: 'email',
      identity_data: data,
      created_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['provider_id', 'provider'])
        .doUpdateSet({ identity_data: sql`identities.identity_data || ${data}::jsonb`, updated_at: sql`now()` }),
    )
    .execute()
}

/** Changes the given fields only. */
export async function updateAccount(
  tx: AuthTx,
  id: string,
  changes: {
    email?: string
    passwordHash?: string
    isConfirmed?: true
    isInvited?: true
    userMetadata?: Json
    appMetadata?: Json
    bannedUntil?: Date | null
  },
): Promise<void> {
  const { email, passwordHash, userMetadata, appMetadata, bannedUntil } = changes
  await tx
    .updateTable('auth.users')
    .set({
      updated_at: sql`now()`,
      ...(email !== undefined && { email }),
      ...(passwordHash !== undefined && { encrypted_password: passwordHash }),
      ...(changes.isConfirmed && { email_confirmed_at: sql<Date>`coalesce(email_confirmed_at, now())` }),
      ...(changes.isInvited && { invited_at: sql<Date>`now()` }),
      ...(userMetadata && { raw_user_meta_data: JSON.stringify(userMetadata) }),
      ...(appMetadata && { raw_app_meta_data: JSON.stringify(appMetadata) }),
      ...(bannedUntil !== undefined && { banned_until: bannedUntil }),
    })
    .where('id', '=', id)
    .execute()
}

/** Cancels the account's unfinished flows: sign-ins, and an email change. */
export async function abandonFlows(tx: AuthTx, userId: string): Promise<void> {
  await deleteFlowsOf(tx, userId)
  await tx
    .updateTable('auth.users')
    .set({ email_change: '', email_change_confirm_status: 0 })
    .where('id', '=', userId)
    .execute()
}

export async function deleteAccount(tx: AuthTx, userId: string): Promise<void> {
  await deleteFlowsOf(tx, userId)
  await tx.deleteFrom('auth.users').where('id', '=', userId).execute()
}

/** Keeps only an account's id and deletion time; its address becomes available again. */
export async function eraseAccount(tx: AuthTx, userId: string, pseudonym: string): Promise<void> {
  await tx
    .updateTable('auth.users')
    .set({
      email: pseudonym,
      phone: null,
      encrypted_password: '',
      raw_user_meta_data: '{}',
      raw_app_meta_data: '{}',
      deleted_at: sql`now()`,
      updated_at: sql`now()`,
    })
    .where('id', '=', userId)
    .execute()
  await tx
    .updateTable('auth.identities')
    .set({
      provider_id: sql`encode(sha256(convert_to(provider_id || ${pseudonym}, 'UTF8')), 'hex')`,
      identity_data: '{}',
      updated_at: sql`now()`,
    })
    .where('user_id', '=', userId)
    .execute()
}

export interface AuditEntry {
  readonly id: string
  readonly payload: unknown
  readonly created_at: Date | null
  readonly ip_address: string
}

/** The audit log of accounts, latest first. @param search fields of the entries, one of which contains the text. */
export async function listAuditEntries(
  tx: AuthTx,
  { page, search }: { page: Page; search: { fields: readonly string[]; text: string } | undefined },
): Promise<{ entries: AuditEntry[]; total: number }> {
  let query = tx.selectFrom('auth.audit_log_entries')
  if (search) {
    const pattern = `%${escapeLike(search.text)}%`
    query = query.where((where) =>
      where.or(search.fields.map((field) => where(sql<string>`payload ->> ${field}`, 'ilike', pattern))),
    )
  }
  const { total } = await query.select((select) => select.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const entries = await query
    .select(['id', 'payload', 'created_at', 'ip_address'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(page.size)
    .offset((page.number - 1) * page.size)
    .execute()
  return { entries, total }
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}

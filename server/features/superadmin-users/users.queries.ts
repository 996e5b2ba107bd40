import { sql } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import type { UserFilters } from '#contract/superadmin-users.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** Where a page ends. `at` is PostgreSQL's text: a JavaScript date would lose three digits of the microseconds. */
export interface UserPlace {
  readonly at: string
  readonly id: string
}

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly createdAt: Date
  readonly confirmedAt: Date | null
  readonly bannedUntil: Date | null
  readonly lastSignInAt: Date | null
  readonly lastActiveAt: Date | null
  readonly organizationCount: number
  readonly sessionCount: number
  readonly isSuperadmin: boolean
}

const columns = sql`
  d.user_id as id, d.email, d.name, d.created_at as "createdAt", d.confirmed_at as "confirmedAt",
  d.banned_until as "bannedUntil", d.last_sign_in_at as "lastSignInAt", d.last_active_at as "lastActiveAt",
  d.organization_count as "organizationCount", d.session_count as "sessionCount", d.is_superadmin as "isSuperadmin"`

const isInState = {
  unconfirmed: sql`a.confirmed_at is null`,
  banned: sql`a.banned_until is not null and a.banned_until > now()`,
  superadmin: sql`a.user_id in (select s.user_id from app.superadmins s)`,
}

const isMember = (organizationId: string) => sql`
  a.user_id in (select m.user_id from memberships m where m.organization_id = ${organizationId})`

/** Accounts that match, by the time they were created. Only a page of them is described. */
export async function listUsers(
  tx: SystemTx,
  { search = '', state, organizationId, order = 'latest' }: UserFilters,
  { after, limit }: { after: UserPlace | undefined; limit: number },
): Promise<(UserRow & { readonly place: string })[]> {
  const words = search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')
  const direction = order === 'latest' ? sql`desc` : sql`asc`
  const beyond = order === 'latest' ? sql`<` : sql`>`
  const { rows } = await sql<UserRow & { place: string }>`
    with page as materialized (
      select a.user_id, a.created_at from app.accounts a
      where ${words === '' ? sql`true` : sql`a.search like ${`%${words}%`}`}
        and ${state === undefined ? sql`true` : isInState[state]}
        and ${organizationId === undefined ? sql`true` : isMember(organizationId)}
        and ${after ? sql`(a.created_at, a.user_id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`}
      order by a.created_at ${direction}, a.user_id ${direction} limit ${limit}
    )
    select ${columns}, page.created_at::text as place
    from page
    join app.describe_accounts((select array_agg(user_id) from page)) d on d.user_id = page.user_id
    order by page.created_at ${direction}, page.user_id ${direction}
  `.execute(tx)
  return rows
}

export async function findUser(tx: SystemTx, userId: string): Promise<UserRow | undefined> {
  const { rows } = await sql<UserRow>`
    select ${columns} from app.describe_accounts(array[${userId}::uuid]) d`.execute(tx)
  return rows[0]
}

export interface MembershipRow extends RowAs<'organizations', { id: 'id'; name: 'name' }> {
  readonly role: Role
  readonly joinedAt: Date
}

/** Organisations of an account, by name. */
export async function listMemberships(tx: SystemTx, userId: string): Promise<MembershipRow[]> {
  const { rows } = await sql<MembershipRow>`
    select o.id, o.name, m.role, m.joined_at as "joinedAt"
    from memberships m join organizations o on o.id = m.organization_id
    where m.user_id = ${userId} order by lower(o.name), o.id
  `.execute(tx)
  return rows
}

export interface SessionRow {
  readonly id: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly userAgent: string | null
  readonly ip: string | null
}

export async function listSessions(tx: SystemTx, userId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`
    select id, created_at as "createdAt", last_used_at as "lastUsedAt", user_agent as "userAgent", ip
    from app.list_sessions_of(${userId})`.execute(tx)
  return rows
}

export async function hasPassword(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean | null }>`select app.has_password(${userId}) as has`.execute(tx)
  return rows[0]?.has === true
}

export async function banAccount(tx: SystemTx, userId: string, until: Date): Promise<'banned' | 'superadmin' | null> {
  const { rows } = await sql<{ outcome: 'banned' | 'superadmin' | null }>`
    select app.ban_account(${userId}, ${until}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? null
}

/** @returns whether there was a ban. */
export async function unbanAccount(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean | null }>`select app.unban_account(${userId}) as done`.execute(tx)
  return rows[0]?.done === true
}

/** @returns whether the address was unconfirmed. */
export async function confirmAccount(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean | null }>`select app.confirm_account(${userId}) as done`.execute(tx)
  return rows[0]?.done === true
}

/** @returns how many. */
export async function endSessions(tx: SystemTx, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select app.end_sessions_of(${userId}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** @returns false for an account that can't sign in. */
export async function grantSuperadmin(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select app.grant_superadmin(${userId}) as done`.execute(tx)
  return rows[0]?.done === true
}

export async function revokeSuperadmin(tx: SystemTx, userId: string): Promise<'revoked' | 'last' | null> {
  const { rows } = await sql<{ outcome: 'revoked' | 'last' | null }>`
    select app.revoke_superadmin(${userId}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? null
}

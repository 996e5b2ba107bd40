import { sql } from 'kysely'
import { type Account, type AccountLosses, accountCountLimit, type DeviceSession } from '#contract/auth.ts'
import type { NewPicture } from '#contract/picture.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'

export async function findAccount(tx: TenantTx): Promise<Account | undefined> {
  const { rows } = await sql<{
    full_name: string | null
    email: string
    avatar_url: string | null
    has_password: boolean
  }>`select * from app.get_own_account()`.execute(tx)
  const row = rows[0]
  return (
    row && {
      fullName: row.full_name,
      email: row.email,
      avatarUrl: row.avatar_url,
      hasPassword: row.has_password,
    }
  )
}

export async function listSessions(tx: TenantTx, currentId: string): Promise<DeviceSession[]> {
  const { rows } = await sql<{
    id: string
    created_at: Date
    last_used_at: Date
    user_agent: string | null
    ip: string | null
  }>`select * from app.list_own_sessions()`.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    userAgent: row.user_agent,
    ip: row.ip,
    isCurrent: row.id === currentId,
  }))
}

/** @returns false when the session is not the caller's. */
export async function endSession(tx: TenantTx, id: string): Promise<boolean> {
  const { rows } = await sql<{ ended: boolean }>`select app.end_own_session(${id}) as ended`.execute(tx)
  return rows[0]?.ended ?? false
}

export async function saveAvatar(
  tx: TenantTx,
  avatar: { userId: string; id: string; mime: NewPicture['mime']; bytes: Buffer },
): Promise<void> {
  const { userId, id, mime, bytes } = avatar
  await sql`
    insert into avatars (user_id, id, mime, bytes) values (${userId}, ${id}, ${mime}, ${bytes})
    on conflict (user_id) do update
      set id = excluded.id, mime = excluded.mime, bytes = excluded.bytes, created_at = excluded.created_at
  `.execute(tx)
}

export async function deleteAvatar(tx: TenantTx, userId: string): Promise<void> {
  await sql`delete from avatars where user_id = ${userId}`.execute(tx)
}

export async function findAvatar(
  database: Database,
  id: string,
): Promise<{ mime: NewPicture['mime']; bytes: Buffer } | undefined> {
  const { rows } = await sql<{ mime: NewPicture['mime']; bytes: Buffer }>`
    select * from app.find_avatar(${id})
  `.execute(database.powerless)
  return rows[0]
}

/** What would be lost with the caller's account. */
export async function listLosses(tx: TenantTx): Promise<AccountLosses> {
  const limit = accountCountLimit
  const { rows } = await sql<{ name: string; projects: number; items: number; is_blocking: boolean }>`
    select * from app.list_own_losses(${limit})`.execute(tx)
  const ending = rows.filter((row) => !row.is_blocking)
  return {
    organizations: ending.map(({ name, projects, items }) => ({ name, projects, items })),
    blockedBy: rows.filter((row) => row.is_blocking).map(({ name }) => name),
    limit,
  }
}

/** Deletes the caller, or returns the reason against it. */
export async function deleteAccount(
  tx: TenantTx,
  email: string,
): Promise<{ outcome: 'deleted' | 'last_owner' | 'other_address'; organizationNames: string[] }> {
  const { rows } = await sql<{
    outcome: 'deleted' | 'last_owner' | 'other_address'
    organization_names: string[] | null
  }>`select * from app.delete_own_account(${email})`.execute(tx)
  return { outcome: rows[0]?.outcome ?? 'other_address', organizationNames: rows[0]?.organization_names ?? [] }
}

import { sql } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Standing } from '#server/platform/http/guard.ts'

interface StandingRow {
  is_known: boolean
  is_verified: boolean
  is_banned: boolean
  is_superadmin: boolean
  organization_exists: boolean
  organization_is_closed: boolean
  organization_is_suspended: boolean
  membership_role: Role | null
}

/** The caller's standing now, in one read; undefined when account or session is gone. */
export async function findStanding(
  database: Database,
  actor: Actor,
  organizationId: string | undefined,
): Promise<Standing | undefined> {
  const { rows } = await sql<StandingRow>`
    select * from app.get_actor(${actor.userId}, ${actor.sessionId}, ${organizationId ?? null})
  `.execute(database.powerless)
  const row = rows[0]
  if (!row?.is_known) return undefined
  return {
    isVerified: row.is_verified,
    isBanned: row.is_banned,
    isSuperadmin: row.is_superadmin,
    organizationExists: row.organization_exists,
    organizationIsClosed: row.organization_is_closed,
    organizationIsSuspended: row.organization_is_suspended,
    role: row.membership_role ?? undefined,
  }
}

/** Tells the database's triggers what they must know of the configuration. */
export async function saveInstanceSettings(
  database: Database,
  settings: { billingEnabled: boolean; superadminEmails: readonly string[] },
): Promise<void> {
  await database.asSystem('the configuration belongs to no organisation', async (tx) => {
    await sql`
      update app.instance_settings
      set billing_enabled = ${settings.billingEnabled}, superadmin_emails = ${[...settings.superadminEmails]}
      where (billing_enabled, superadmin_emails) is distinct from (${settings.billingEnabled}::boolean, ${[...settings.superadminEmails]}::text[])
    `.execute(tx)
  })
}

import { sql } from 'kysely'
import type { NewImpersonation, PresentImpersonation } from '#contract/impersonations.ts'
import type { Role } from '#contract/permissions.ts'
import type { Actor, Impersonated } from '#server/platform/database/actor.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import type { Refined, RowAs } from '#server/platform/database/row.ts'
import type { Standing } from '#server/platform/http/guard.ts'

type Outcome = 'started' | 'repeated' | 'taken' | 'own' | 'superadmin' | 'unconfirmed' | 'banned' | null

/** Who begins one, and of whom. */
interface Pair {
  readonly superadminId: string
  readonly sessionId: string
  readonly userId: string
}

export async function startImpersonation(
  tx: SystemTx,
  { superadminId, sessionId, userId }: Pair,
  { id, reason, mode, minutes }: NewImpersonation,
): Promise<Outcome> {
  const { rows } = await sql<{ outcome: Outcome }>`
    select app.start_impersonation(${id}, ${superadminId}, ${sessionId}, ${userId}, ${reason}, ${mode}, ${minutes}) as outcome
  `.execute(tx)
  return rows[0]?.outcome ?? null
}

/** The user of an impersonation, and its end. */
interface PresentRow {
  readonly expiresAt: Date
  readonly email: string
  readonly name: string
  readonly userMetadata: Record<string, unknown>
}

export async function findPresent(tx: SystemTx, id: string): Promise<PresentRow | undefined> {
  const { rows } = await sql<PresentRow>`
    select expires_at as "expiresAt", email, name, user_metadata as "userMetadata" from app.get_impersonation(${id})`.execute(
    tx,
  )
  return rows[0]
}

/** An open organisation of a user, as the functions that browsers call describe it. */
export async function findOrganization(
  tx: SystemTx,
  userId: string,
  organizationId: string | undefined,
): Promise<PresentImpersonation['organization'] | undefined> {
  const { rows } = await sql<{ organization: PresentImpersonation['organization'] }>`
    select to_jsonb(o) as organization from app.find_organization_of(${userId}, ${organizationId ?? null}) o`.execute(
    tx,
  )
  return rows[0]?.organization
}

export async function isAccount(tx: SystemTx, userId: string): Promise<boolean> {
  const { rows } = await sql`select from app.accounts a where a.user_id = ${userId}`.execute(tx)
  return rows.length > 0
}

export async function isImpersonation(tx: SystemTx, id: string): Promise<boolean> {
  const { rows } = await sql`select from app.impersonations i where i.id = ${id}`.execute(tx)
  return rows.length > 0
}

export interface ImpersonationRow
  extends RowAs<
    'app.impersonations',
    {
      id: 'id'
      superadminId: 'superadmin_id'
      reason: 'reason'
      createdAt: 'created_at'
      expiresAt: 'expires_at'
      endedAt: 'ended_at'
    }
  > {
  readonly mode: Refined<'app.impersonations', 'mode', Impersonated['mode']>
  readonly endReason: string | null
  readonly superadminName: string | null
}

/** Latest first. */
export async function listImpersonations(tx: SystemTx, userId: string, limit: number): Promise<ImpersonationRow[]> {
  const { rows } = await sql<ImpersonationRow>`
    select id, superadmin_id as "superadminId", superadmin_name as "superadminName", reason, mode,
      created_at as "createdAt", expires_at as "expiresAt", ended_at as "endedAt", end_reason as "endReason"
    from app.list_impersonations(${userId}, ${limit})`.execute(tx)
  return rows
}

/** Ends one, unless it is over already. */
export async function endImpersonation(tx: SystemTx, id: string): Promise<void> {
  await sql`select app.end_impersonations(array[${id}::uuid], 'ended')`.execute(tx)
}

/** Notes the end of those that are over. */
export async function endFinished(tx: SystemTx): Promise<void> {
  await sql`select app.end_finished_impersonations()`.execute(tx)
}

/** @returns how many it deleted. */
export async function pruneImpersonations(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`select app.prune_impersonations(${limit}) as deleted`.execute(tx)
  return rows[0]?.deleted ?? 0
}

interface StandingRow {
  readonly organization_exists: boolean
  readonly organization_is_closed: boolean
  readonly organization_is_suspended: boolean
  readonly membership_role: Role | null
}

/** The standing of an impersonated caller now, in one read; undefined when the impersonation is over. */
export async function findStanding(
  database: Database,
  { userId, sessionId }: Actor,
  { id, superadminId, mode }: Impersonated,
  organizationId: string | undefined,
): Promise<Standing | undefined> {
  const { rows } = await sql<StandingRow>`
    select * from app.get_impersonated_actor(
      ${id}, ${superadminId}, ${sessionId}, ${userId}, ${mode}, ${organizationId ?? null})
  `.execute(database.powerless)
  const row = rows[0]
  if (!row) return undefined
  return {
    // Else it would be over.
    isVerified: true,
    isBanned: false,
    isSuperadmin: false,
    organizationExists: row.organization_exists,
    organizationIsClosed: row.organization_is_closed,
    organizationIsSuspended: row.organization_is_suspended,
    role: row.membership_role ?? undefined,
  }
}

import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/** A plan that was given without payment. */
export interface GrantRow {
  readonly planId: string
  /** Null: until it is revoked. */
  readonly endsAt: Date | null
  /** End of the trial that it interrupted; null: none. */
  readonly trialEndsAt: Date | null
}

const columns = sql`plan_id as "planId", ends_at as "endsAt", trial_ends_at as "trialEndsAt"`

/** The granted plan of an organisation; undefined: none, or its time is over. */
export async function findGrant(tx: SystemTx, organizationId: string): Promise<GrantRow | undefined> {
  const { rows } = await sql<GrantRow>`
    select ${columns} from granted_plans
    where organization_id = ${organizationId} and (ends_at is null or ends_at > now())
  `.execute(tx)
  return rows[0]
}

export interface NewGrant {
  readonly planId: string
  readonly endsAt: string | null
  readonly reason: string
  readonly grantedBy: string
}

/** Replaces an earlier one. A trial that it interrupts is remembered with it. */
export async function saveGrant(
  tx: SystemTx,
  organizationId: string,
  { planId, endsAt, reason, grantedBy }: NewGrant,
): Promise<void> {
  await sql`
    insert into granted_plans (organization_id, plan_id, ends_at, reason, granted_by, trial_ends_at)
    select o.id, ${planId}, ${endsAt}, ${reason}, ${grantedBy},
      case when o.subscription_status = 'trialing' then o.trial_ends_at end
    from organizations o where o.id = ${organizationId}
    on conflict (organization_id) do update set
      plan_id = excluded.plan_id, ends_at = excluded.ends_at, reason = excluded.reason, granted_by = excluded.granted_by,
      trial_ends_at = coalesce(excluded.trial_ends_at, granted_plans.trial_ends_at), granted_at = now()
  `.execute(tx)
}

/** @returns what was deleted; undefined: there was none. */
export async function deleteGrant(tx: SystemTx, organizationId: string): Promise<GrantRow | undefined> {
  const { rows } = await sql<GrantRow>`
    delete from granted_plans where organization_id = ${organizationId} returning ${columns}
  `.execute(tx)
  return rows[0]
}

/** As {@link deleteGrant}, for one whose time is over. */
export async function deleteEndedGrant(tx: SystemTx, organizationId: string): Promise<GrantRow | undefined> {
  const { rows } = await sql<GrantRow>`
    delete from granted_plans where organization_id = ${organizationId} and ends_at <= now() returning ${columns}
  `.execute(tx)
  return rows[0]
}

/** Organisations whose granted plan has ended, at most `limit`. */
export async function listEndedGrants(tx: SystemTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from granted_plans where ends_at <= now() order by ends_at limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

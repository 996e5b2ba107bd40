import { sql } from 'kysely'
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'

export interface EntitlementsRow {
  readonly status: SubscriptionStatus
  /** What the status means now; `ended`: of a trial or a plan. */
  readonly standing: 'self_hosted' | 'trial' | 'plan' | 'ended'
  readonly trialEndsAt: Date | null
  readonly planId: string | null
  readonly planKey: string | null
  readonly planName: string | null
  readonly maxProjects: number | null
  readonly maxMembers: number | null
  readonly maxItemsPerMonth: number | null
  readonly projects: number
  readonly members: number
  readonly items: number
}

/** Undefined: the caller does not belong to the organisation. */
export async function findEntitlements(
  tx: TenantTx | SystemTx,
  organizationId: string,
): Promise<EntitlementsRow | undefined> {
  const { rows } = await sql<EntitlementsRow>`
    select e.status, e.standing, e.trial_ends_at as "trialEndsAt", e.plan_id as "planId", e.plan_key as "planKey",
      e.plan_name as "planName", e.max_projects as "maxProjects", e.max_members as "maxMembers",
      e.max_items_per_month as "maxItemsPerMonth", e.projects, e.members, e.items
    from app.find_entitlements(${organizationId}) e
  `.execute(tx)
  return rows[0]
}

interface Room {
  readonly outcome: 'ok' | 'plan_limit_reached' | 'plan_required'
  readonly planName: string | null
  readonly max: number | null
}

/** Whether the plan has room. Others who ask wait until this transaction ends. */
export async function checkRoom(
  tx: TenantTx | SystemTx,
  organizationId: string,
  { kind, adding }: { kind: 'project' | 'member'; adding: number },
): Promise<Room | undefined> {
  const { rows } = await sql<Room>`
    select r.outcome, r.plan_name as "planName", r.max from app.require_room(${organizationId}, ${kind}, ${adding}) r
  `.execute(tx)
  return rows[0]
}

/** @returns whether anything changed. */
export async function saveSubscription(
  tx: SystemTx,
  organizationId: string,
  { status, planId, trialEndsAt }: { status: SubscriptionStatus; planId: string | null; trialEndsAt: Date | null },
): Promise<boolean> {
  const { rows } = await sql<{ changed: boolean }>`
    select app.set_subscription(${organizationId}, ${status}, ${planId}, ${trialEndsAt}) as changed
  `.execute(tx)
  return rows[0]?.changed ?? false
}

/** Notes trials that have ended. @returns how many, at most `limit`. */
export async function endTrials(tx: SystemTx, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select app.end_trials(${limit}) as count`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Records due warnings for organisations after a position. @returns the next position; null: none is left. */
export async function warnOfLimits(tx: SystemTx, after: string | null, limit: number): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    select app.warn_of_limits(${after}, ${limit}) as last
  `.execute(tx)
  return rows[0]?.last ?? null
}

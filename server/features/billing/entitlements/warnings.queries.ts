import { sql } from 'kysely'
import type { PlanWarning, PlanWarningKind } from '#contract/plans.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'

/** A warning whose emails are to be written. */
export interface TakenWarning {
  readonly kind: PlanWarningKind
  /** Percent of a limit, or days left of a trial. */
  readonly level: number
  readonly used: number | null
  readonly max: number | null
  readonly planName: string | null
  readonly trialEndsAt: Date | null
}

/** Takes the warnings of an organisation whose emails are to be written, and marks them as written. */
export async function takePlanWarnings(tx: SystemTx, organizationId: string): Promise<TakenWarning[]> {
  const { rows } = await sql<TakenWarning>`
    with taken as (
      update plan_warnings w set mailed_at = now()
      where w.organization_id = ${organizationId} and w.mailed_at is null
      returning w.id, w.kind, w.level, w.used, w.max
    )
    select t.kind, t.level, t.used, t.max, p.name as "planName", o.trial_ends_at as "trialEndsAt"
    from taken t
    join organizations o on o.id = ${organizationId}
    left join plans p on p.id = o.subscription_plan_id
    order by t.id
  `.execute(tx)
  return rows
}

/** The latest warning of each kind that still applies: for owners, empty for anyone else. */
export async function listPlanWarnings(tx: TenantTx, organizationId: string): Promise<PlanWarning[]> {
  const { rows } = await sql<Omit<PlanWarning, 'warnedAt'> & { warnedAt: Date }>`
    select w.kind, w.level, w.used, w.max, w.created_at as "warnedAt"
    from app.list_plan_warnings(${organizationId}) w
    order by w.created_at desc, w.kind
  `.execute(tx)
  return rows.map(({ warnedAt, ...warning }) => ({ ...warning, warnedAt: warnedAt.toISOString() }))
}

import { sql } from 'kysely'
import type { NewPlan, Plan, PlanChange, PlanOffer } from '#contract/plans.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

const offerColumns = sql`
  p.id, p.key, p.name, p.for_whom as "forWhom", p.monthly_cents as "monthlyCents", p.yearly_cents as "yearlyCents",
  p.max_projects as "maxProjects", p.max_members as "maxMembers", p.max_items_per_month as "maxItemsPerMonth"
`

type PlanRow = Omit<Plan, 'retiredAt'> & RowAs<'plans', { retiredAt: 'retired_at' }>

const planRows = sql`
  select ${offerColumns}, p.position, p.stripe_product_id as "stripeProductId",
    p.stripe_monthly_price_id as "stripeMonthlyPriceId", p.stripe_yearly_price_id as "stripeYearlyPriceId",
    p.retired_at as "retiredAt",
    (select count(*) from organizations o where o.subscription_plan_id = p.id) as organizations
  from plans p
`

/** Plans that can be chosen, in their order. */
export async function listOffers(tx: SystemTx): Promise<PlanOffer[]> {
  const { rows } = await sql<PlanOffer>`
    select ${offerColumns} from plans p where p.retired_at is null order by p.position, p.id
  `.execute(tx)
  return rows
}

export async function listPlans(tx: SystemTx): Promise<Plan[]> {
  const { rows } = await sql<PlanRow>`${planRows} order by p.retired_at is not null, p.position, p.id`.execute(tx)
  return rows.map(toPlan)
}

export async function findPlan(tx: SystemTx, id: string): Promise<Plan | undefined> {
  const { rows } = await sql<PlanRow>`${planRows} where p.id = ${id}`.execute(tx)
  return rows[0] && toPlan(rows[0])
}

/** @returns the id; undefined when another plan has the key. */
export async function insertPlan(tx: SystemTx, plan: NewPlan): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into plans (key, name, for_whom, monthly_cents, yearly_cents, max_projects, max_members, max_items_per_month,
      position)
    values (${plan.key}, ${plan.name}, ${plan.forWhom}, ${plan.monthlyCents}, ${plan.yearlyCents}, ${plan.maxProjects},
      ${plan.maxMembers}, ${plan.maxItemsPerMonth}, ${plan.position})
    on conflict (key) do nothing
    returning id
  `.execute(tx)
  return rows[0]?.id
}

/** Changes what is given. */
export async function changePlan(tx: SystemTx, id: string, change: PlanChange): Promise<void> {
  const given = <T>(value: T | undefined, column: string) => (value === undefined ? sql.ref(column) : sql`${value}`)
  const { retired } = change
  const retiredAt = retired ? sql`coalesce(retired_at, now())` : sql`null`
  await sql`
    update plans set
      name = ${given(change.name, 'name')}, for_whom = ${given(change.forWhom, 'for_whom')},
      monthly_cents = ${given(change.monthlyCents, 'monthly_cents')},
      yearly_cents = ${given(change.yearlyCents, 'yearly_cents')},
      max_projects = ${given(change.maxProjects, 'max_projects')},
      max_members = ${given(change.maxMembers, 'max_members')},
      max_items_per_month = ${given(change.maxItemsPerMonth, 'max_items_per_month')},
      position = ${given(change.position, 'position')},
      retired_at = ${retired === undefined ? sql`retired_at` : retiredAt}, updated_at = now()
    where id = ${id}
  `.execute(tx)
}

function toPlan({ retiredAt, ...row }: PlanRow): Plan {
  return { ...row, retiredAt: retiredAt?.toISOString() ?? null }
}

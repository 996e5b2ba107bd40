import { type RawBuilder, sql } from 'kysely'
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { SubscriberSort } from '#contract/superadmin-subscriptions.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { SubscriberPlace } from './subscriber-cursor.ts'

export interface SubscriberRow {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly createdAt: Date
  readonly owners: readonly string[]
  readonly status: SubscriptionStatus
  readonly planId: string | null
  readonly planKey: string | null
  readonly planName: string | null
  readonly isGranted: boolean
  readonly revenueCents: number
  readonly trialEndsAt: Date | null
  /** By which the list is sorted, for the cursor. */
  readonly value: string
}

export interface SubscriberFilters {
  /** In lower case. Empty: all. */
  readonly search: string
  readonly status: SubscriptionStatus | undefined
  readonly planId: string | undefined
}

interface Order {
  readonly value: RawBuilder<unknown>
  /** Of the value as PostgreSQL compares it. */
  readonly type: RawBuilder<unknown>
  readonly isDescending: boolean
}

const revenue = sql`coalesce(r.after_cents, 0)`
const orders: Readonly<Record<SubscriberSort, Order>> = {
  newest: { value: sql`o.created_at`, type: sql`timestamptz`, isDescending: true },
  oldest: { value: sql`o.created_at`, type: sql`timestamptz`, isDescending: false },
  name: { value: sql`lower(o.name)`, type: sql`text`, isDescending: false },
  revenue: { value: revenue, type: sql`integer`, isDescending: true },
}

const source = sql`
  organizations o
  left join plans p on p.id = o.subscription_plan_id
  left join lateral (
    select c.after_cents from revenue_changes c
    where c.organization_id = o.id and c.at <= now() order by c.at desc limit 1) r on true
`

const owners = sql`
  select u.email from memberships m join profiles u on u.user_id = m.user_id
  where m.organization_id = o.id and m.role = 'owner'
`

/** Whether the plan is the granted one, because Stripe has no subscription that gives access. */
const isGranted = sql`
  o.subscription_status = 'active'
    and exists (select from granted_plans g where g.organization_id = o.id)
    and not exists (
      select from subscriptions s where s.organization_id = o.id and s.plan_id is not null
        and s.status in ('active', 'trialing', 'past_due'))
`

const columns = (value: RawBuilder<unknown>) => sql`
  o.id, o.name, o.slug, o.created_at as "createdAt", o.subscription_status as status, o.trial_ends_at as "trialEndsAt",
  p.id as "planId", p.key as "planKey", p.name as "planName", ${revenue} as "revenueCents", (${isGranted}) as "isGranted",
  array(${owners} order by u.email limit 3) as owners, (${value})::text as value
`

const matches = ({ search, status, planId }: SubscriberFilters) => sql`
  (${search} = '' or strpos(lower(o.name), ${search}) > 0 or strpos(o.slug, ${search}) > 0
    or exists (${owners} and strpos(lower(u.email), ${search}) > 0))
  and (${status ?? null}::text is null or o.subscription_status = ${status ?? null})
  and (${planId ?? null}::uuid is null or o.subscription_plan_id = ${planId ?? null})
`

/** A page of organisations. */
export async function listSubscribers(
  tx: SystemTx,
  filters: SubscriberFilters,
  { sort, after, limit }: { sort: SubscriberSort; after: SubscriberPlace | undefined; limit: number },
): Promise<SubscriberRow[]> {
  const { value, type, isDescending } = orders[sort]
  const direction = isDescending ? sql`desc` : sql`asc`
  const isAfter = isDescending ? sql`<` : sql`>`
  const place = after ? sql`(${value}, o.id) ${isAfter} (${after.value}::${type}, ${after.id}::uuid)` : sql`true`
  const { rows } = await sql<SubscriberRow>`
    select ${columns(value)} from ${source} where ${matches(filters)} and ${place}
    order by ${value} ${direction}, o.id ${direction} limit ${limit}
  `.execute(tx)
  return rows
}

export async function countSubscribers(tx: SystemTx, filters: SubscriberFilters): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from organizations o where ${matches(filters)}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** Undefined: no such organisation. */
export async function findSubscriber(tx: SystemTx, organizationId: string): Promise<SubscriberRow | undefined> {
  const { rows } = await sql<SubscriberRow>`
    select ${columns(sql`o.id`)} from ${source} where o.id = ${organizationId}
  `.execute(tx)
  return rows[0]
}

export interface GrantDetails
  extends Readonly<
      RowAs<'granted_plans', { planId: 'plan_id'; endsAt: 'ends_at'; reason: 'reason'; grantedAt: 'granted_at' }>
    >,
    Readonly<RowAs<'plans', { planKey: 'key'; planName: 'name' }>> {
  readonly grantedBy: string | null
}

export async function findGrantDetails(tx: SystemTx, organizationId: string): Promise<GrantDetails | undefined> {
  const { rows } = await sql<GrantDetails>`
    select g.plan_id as "planId", p.key as "planKey", p.name as "planName", g.ends_at as "endsAt", g.reason,
      g.granted_at as "grantedAt", coalesce(nullif(u.full_name, ''), u.email) as "grantedBy"
    from granted_plans g
    join plans p on p.id = g.plan_id
    left join profiles u on u.user_id = g.granted_by
    where g.organization_id = ${organizationId} and (g.ends_at is null or g.ends_at > now())
  `.execute(tx)
  return rows[0]
}

export async function findCustomer(
  tx: SystemTx,
  organizationId: string,
): Promise<{ customerId: string; convergedAt: Date | null } | undefined> {
  const { rows } = await sql<{ customerId: string; convergedAt: Date | null }>`
    select customer_id as "customerId", converged_at as "convergedAt" from stripe_customers
    where organization_id = ${organizationId}
  `.execute(tx)
  return rows[0]
}

import { sql } from 'kysely'
import type { Role } from '#contract/permissions.ts'
import type { SubscriptionStatus } from '#contract/plans.ts'
import type { OrganizationFilters } from '#contract/superadmin-organizations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

/** Where a page ends: the value by which the list is sorted, as PostgreSQL writes it, and the organisation. */
export interface OrganizationPlace {
  readonly value: string
  readonly id: string
}

export interface OrganizationRow
  extends Row<'organizations', 'id' | 'name' | 'slug'>,
    RowAs<
      'organizations',
      {
        createdAt: 'created_at'
        closedAt: 'closed_at'
        deleteAfter: 'delete_after'
        suspendedAt: 'suspended_at'
      }
    > {
  readonly status: SubscriptionStatus
  readonly planName: string | null
  readonly memberCount: number
  readonly projectCount: number
  readonly recentItems: number
  readonly value: string
}

const orders = {
  latest: { value: sql`o.created_at`, type: sql`timestamptz`, direction: sql`desc`, beyond: sql`<` },
  oldest: { value: sql`o.created_at`, type: sql`timestamptz`, direction: sql`asc`, beyond: sql`>` },
  name: { value: sql`lower(o.name)`, type: sql`text`, direction: sql`asc`, beyond: sql`>` },
}
const isInState = {
  open: sql`o.closed_at is null and o.suspended_at is null`,
  suspended: sql`o.suspended_at is not null`,
  closed: sql`o.closed_at is not null`,
}

const columns = sql`
  o.id, o.name, o.slug, o.created_at as "createdAt", o.closed_at as "closedAt", o.delete_after as "deleteAfter",
  o.suspended_at as "suspendedAt", o.subscription_status as status, (select p.name from plans p where p.id = o.subscription_plan_id) as "planName",
  (select count(*)::integer from memberships m where m.organization_id = o.id) as "memberCount",
  (select count(*)::integer from projects p where p.organization_id = o.id and p.deleted_at is null) as "projectCount",
  (select coalesce(sum(d.items), 0)::integer from app.usage_days d
    where d.organization_id = o.id and d.day > (now() at time zone 'UTC')::date - 30) as "recentItems"`

/** Organisations that match. Only those of a page are counted in. */
export async function listOrganizations(
  tx: SystemTx,
  { search = '', state, status, planId, order = 'latest' }: OrganizationFilters,
  { after, limit }: { after: OrganizationPlace | undefined; limit: number },
): Promise<OrganizationRow[]> {
  const words = search
    .trim()
    .toLowerCase()
    .replaceAll(/[\\%_]/g, '\\$&')
  const { value, type, direction, beyond } = orders[order]
  const { rows } = await sql<OrganizationRow>`
    with page as materialized (
      select o.id as page_id, ${value} as value from organizations o
      where ${words === '' ? sql`true` : sql`lower(o.name) || ' ' || o.slug like ${`%${words}%`}`}
        and ${state === undefined ? sql`true` : isInState[state]}
        and ${status === undefined ? sql`true` : sql`o.subscription_status = ${status}`}
        and ${planId === undefined ? sql`true` : sql`o.subscription_plan_id = ${planId}`}
        and ${after ? sql`(${value}, o.id) ${beyond} (${after.value}::${type}, ${after.id}::uuid)` : sql`true`}
      order by ${value} ${direction}, o.id ${direction} limit ${limit}
    )
    select ${columns}, page.value::text as value from page join organizations o on o.id = page.page_id
    order by page.value ${direction}, o.id ${direction}
  `.execute(tx)
  return rows
}

/** Items up to `limit`, locked ones and spam among them. */
export async function countItems(tx: SystemTx, organizationId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from (select from feedback f where f.organization_id = ${organizationId} limit ${limit}) counted
  `.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findOrganization(tx: SystemTx, organizationId: string): Promise<OrganizationRow | undefined> {
  const { rows } = await sql<OrganizationRow>`
    select ${columns}, '' as value from organizations o where o.id = ${organizationId}`.execute(tx)
  return rows[0]
}

export interface MemberRow extends RowAs<'profiles', { id: 'user_id'; email: 'email' }> {
  readonly name: string
  readonly role: Role
  readonly joinedAt: Date
}

/** Owners first, then by the time they joined. */
export async function listMembers(tx: SystemTx, organizationId: string, limit: number): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select p.user_id as id, p.email, coalesce(p.full_name, '') as name, m.role, m.joined_at as "joinedAt"
    from memberships m join profiles p on p.user_id = m.user_id
    where m.organization_id = ${organizationId}
    order by m.role <> 'owner', m.joined_at, m.user_id limit ${limit}
  `.execute(tx)
  return rows
}

export async function listProjects(tx: SystemTx, organizationId: string, limit: number) {
  const { rows } = await sql<Row<'projects', 'id' | 'name' | 'domain'> & { readonly widgetKey: string }>`
    select p.id, p.name, p.domain, w.key as "widgetKey" from projects p
    join widgets w on w.organization_id = p.organization_id and w.project_id = p.id
    where p.organization_id = ${organizationId} and p.deleted_at is null
    order by lower(p.name), p.id limit ${limit}
  `.execute(tx)
  return rows
}

export interface UsageDay {
  readonly day: string
  readonly items: number
  readonly replies: number
  readonly loads: number
}

/** The last 30 days in UTC with any use, oldest first. */
export async function listUsageDays(tx: SystemTx, organizationId: string): Promise<UsageDay[]> {
  const { rows } = await sql<UsageDay>`
    select d.day::text, d.items::integer, d.replies::integer, d.loads::integer from app.usage_days d
    where d.organization_id = ${organizationId} and d.day > (now() at time zone 'UTC')::date - 30
    order by d.day
  `.execute(tx)
  return rows
}

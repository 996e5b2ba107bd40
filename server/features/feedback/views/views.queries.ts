import { sql } from 'kysely'
import type { NewSavedView, SavedView, SavedViewChange } from '#contract/views.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

interface ViewRow extends Row<'saved_views', 'id' | 'name' | 'search' | 'is_shared' | 'created_at'> {
  is_own: boolean
}

const viewRows = sql`
  select v.id, v.name, v.search, v.is_shared, v.owner_user_id is not distinct from auth.uid() as is_own, v.created_at
  from saved_views v
`

/** Views that the caller may see: their own, and those shared with the team. */
export async function listViews(tx: TenantTx, organizationId: string): Promise<SavedView[]> {
  const { rows } = await sql<ViewRow>`
    ${viewRows} where v.organization_id = ${organizationId} order by lower(v.name), v.created_at, v.id
  `.execute(tx)
  return rows.map(toView)
}

export async function findView(tx: TenantTx, organizationId: string, id: string): Promise<SavedView | undefined> {
  const { rows } = await sql<ViewRow>`
    ${viewRows} where v.organization_id = ${organizationId} and v.id = ${id}
  `.execute(tx)
  return rows[0] && toView(rows[0])
}

/** Counts a member's views. Locks out their other saves until the transaction ends, so that the limit holds. */
export async function countOwnViews(tx: TenantTx, organizationId: string, userId: string): Promise<number> {
  // In a statement of its own: a statement that waited for the lock would count from before the wait.
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`saved_views:${organizationId}:${userId}`}, 0))
  `.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views v
    where v.organization_id = ${organizationId} and v.owner_user_id = ${userId}
  `.execute(tx)
  return rows[0]?.count ?? 0
}

/** False when the id is taken: nothing was written. */
export async function insertView(
  tx: TenantTx,
  view: NewSavedView & { organizationId: string; ownerUserId: string },
): Promise<boolean> {
  const { organizationId, id, ownerUserId, name, search, isShared } = view
  const { rows } = await sql`
    insert into saved_views (organization_id, id, owner_user_id, name, search, is_shared)
    values (${organizationId}, ${id}, ${ownerUserId}, ${name}, ${search}, ${isShared})
    on conflict (organization_id, id) do nothing
    returning id
  `.execute(tx)
  return rows.length > 0
}

export async function updateView(
  tx: TenantTx,
  organizationId: string,
  id: string,
  { name, search, isShared }: SavedViewChange,
): Promise<void> {
  await sql`
    update saved_views
    set name = ${name ?? sql`name`}, search = ${search ?? sql`search`}, is_shared = ${isShared ?? sql`is_shared`}
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** False when the caller sees no such view. */
export async function deleteView(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    delete from saved_views where organization_id = ${organizationId} and id = ${id} returning id
  `.execute(tx)
  return rows.length > 0
}

/** Deletes private views of deleted accounts. No one can see them. */
export async function deleteOrphanedViews(database: Database): Promise<void> {
  await database.asSystem('accounts belong to no organisation', async (tx) => {
    await sql`delete from saved_views where owner_user_id is null and not is_shared`.execute(tx)
  })
}

function toView(row: ViewRow): SavedView {
  return {
    id: row.id,
    name: row.name,
    search: row.search,
    isShared: row.is_shared,
    isOwn: row.is_own,
    createdAt: row.created_at.toISOString(),
  }
}

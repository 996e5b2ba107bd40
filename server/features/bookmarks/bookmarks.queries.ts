import { sql } from 'kysely'
import type { Bookmark, NewBookmark } from '#contract/bookmarks.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

type BookmarkRow = Row<'bookmarks', 'id' | 'title' | 'url' | 'created_at'>

/** Newest first. @param id only the one with this id */
export async function listBookmarks(tx: TenantTx, organizationId: string, id?: string): Promise<Bookmark[]> {
  const { rows } = await sql<BookmarkRow>`
    select b.id, b.title, b.url, b.created_at from bookmarks b
    where b.organization_id = ${organizationId} and ${id === undefined ? sql`true` : sql`b.id = ${id}`}
    order by b.created_at desc, b.id
  `.execute(tx)
  return rows.map(({ created_at, ...bookmark }) => ({ ...bookmark, createdAt: created_at.toISOString() }))
}

/** False when the id is taken: nothing was written. */
export async function insertBookmark(
  tx: TenantTx,
  organizationId: string,
  { id, title, url }: NewBookmark,
): Promise<boolean> {
  const { rows } = await sql`
    insert into bookmarks (organization_id, id, title, url) values (${organizationId}, ${id}, ${title}, ${url})
    on conflict (organization_id, id) do nothing returning id
  `.execute(tx)
  return rows.length > 0
}

export async function deleteBookmark(tx: TenantTx, organizationId: string, id: string): Promise<void> {
  await sql`delete from bookmarks where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}

import { sql } from 'kysely'
import type { TestedProjectFilters } from '#contract/superadmin-widget-test.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'
import type { TimePlace } from '#server/platform/http/time-cursor.ts'

export interface TestedProjectRow
  extends Row<'projects', 'id' | 'name' | 'domain'>,
    RowAs<'projects', { createdAt: 'created_at' }>,
    RowAs<'widgets', { widgetKey: 'key'; lastLoadedAt: 'last_loaded_at' }>,
    RowAs<'organizations', { organizationId: 'id'; organizationName: 'name' }> {
  readonly isArchived: boolean
  /** With microseconds, for the cursor. */
  readonly at: string
}

/** Where a page by name ends. */
export interface NamePlace {
  /** In lower case. */
  readonly name: string
  readonly id: string
}

export async function listTestedProjects(
  tx: SystemTx,
  { search: typed = '', order }: TestedProjectFilters,
  { after, limit }: { after: NamePlace | TimePlace | undefined; limit: number },
): Promise<TestedProjectRow[]> {
  const search = typed.trim().toLowerCase()
  const place = !after
    ? sql`true`
    : 'at' in after
      ? sql`(p.created_at, p.id) < (${after.at}::timestamptz, ${after.id}::uuid)`
      : sql`(lower(p.name), p.id) > (${after.name}, ${after.id}::uuid)`
  const sorted = order === 'latest' ? sql`p.created_at desc, p.id desc` : sql`lower(p.name), p.id`
  const { rows } = await sql<TestedProjectRow>`
    select p.id, p.name, p.domain, p.archived_at is not null as "isArchived", w.key as "widgetKey",
      w.last_loaded_at as "lastLoadedAt", p.created_at as "createdAt", p.created_at::text as at, o.id as "organizationId", o.name as "organizationName"
    from projects p
    join widgets w on w.organization_id = p.organization_id and w.project_id = p.id
    join organizations o on o.id = p.organization_id
    where p.deleted_at is null and o.closed_at is null and ${place}
      and (${search} = '' or strpos(lower(p.name), ${search}) > 0 or strpos(p.domain, ${search}) > 0
        or lower(w.key) = ${search} or strpos(lower(o.name), ${search}) > 0)
    order by ${sorted} limit ${limit}
  `.execute(tx)
  return rows
}

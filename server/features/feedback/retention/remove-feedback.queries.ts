import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Present, Row, RowAs } from '#server/platform/database/row.ts'

/** Removed items of one project. */
export interface Removed {
  readonly organizationId: string
  readonly projectId: string
  readonly items: number
  readonly files: number
  /** The highest removed number: the next batch starts after it. */
  readonly lastNumber: number
}

/**
 * Permanently removes items with everything that belongs to them, and subtracts them from their projects' counts. A job
 * deletes their files' bytes.
 *
 * @param chosen selects `organization_id` and `id` of at most a few hundred items.
 * @param options.withDuplicates whether their duplicates are removed too, or unmerged.
 */
export async function removeFeedback(
  tx: SystemTx,
  chosen: RawBuilder<unknown>,
  { withDuplicates }: { withDuplicates: boolean },
): Promise<Removed[]> {
  const duplicates = sql`
    union
    select m.organization_id, m.id
    from feedback m
    join doomed d on m.organization_id = d.organization_id and m.merged_into = d.id
  `
  const { rows } = await sql<Removed>`
    with recursive chosen as materialized (${chosen}),
    doomed as (
      select organization_id, id from chosen
      ${withDuplicates ? duplicates : sql``}
    ),
    gone as (
      delete from feedback f using doomed d
      where f.organization_id = d.organization_id and f.id = d.id
      returning f.organization_id, f.project_id, f.id, f.number
    ),
    summed as (
      select g.organization_id, g.project_id, count(*) as items, max(g.number) as last_number,
        sum((select count(*) from feedback_attachments a
             where a.organization_id = g.organization_id and a.feedback_id = g.id))::bigint as files
      from gone g
      group by g.organization_id, g.project_id
    ),
    counted as (
      -- One order for all, as ingest has it.
      update project_counters c set feedback_count = greatest(c.feedback_count - s.items, 0)
      from (select * from summed order by organization_id, project_id) s
      where c.organization_id = s.organization_id and c.project_id = s.project_id
    )
    select organization_id as "organizationId", project_id as "projectId", items, files, last_number as "lastNumber"
    from summed
  `.execute(tx)
  return rows
}

/** Items of one project, by number, above the given one. */
export function projectItems(
  { organizationId, projectId }: { organizationId: string; projectId: string },
  afterNumber: number,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select organization_id, id from feedback
    where organization_id = ${organizationId} and project_id = ${projectId} and number > ${afterNumber}
    order by number limit ${limit} for update
  `
}

/**
 * Items of one project created before a time. Any of them: the index of projects finds some at once, however many newer ones there
 * are, but neither the lowest number among them nor the earliest. Locked in the order in which ingest numbers them.
 */
export function oldItems(
  { organizationId, projectId }: { organizationId: string; projectId: string },
  before: Date,
  limit: number,
): RawBuilder<unknown> {
  return sql`
    select f.organization_id, f.id
    from (
      select organization_id, id from feedback
      where organization_id = ${organizationId} and project_id = ${projectId} and created_at < ${before}
      limit ${limit}
    ) old
    join feedback f on f.organization_id = old.organization_id and f.id = old.id
    order by f.number for update of f
  `
}

/** Items deleted before a time, in one organisation or in all. */
export function trashedItems(organizationId: string | undefined, before: Date, limit: number): RawBuilder<unknown> {
  return sql`
    select organization_id, id from feedback
    where deleted_at < ${before} ${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
    order by deleted_at limit ${limit} for update
  `
}

/** Those of the given items that are in the trash. */
export function namedTrash(organizationId: string, ids: readonly string[]): RawBuilder<unknown> {
  return sql`
    select organization_id, id from feedback
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and deleted_at is not null
    for update
  `
}

/** Projects that keep feedback for a number of days only. */
export async function listRetentions(
  tx: SystemTx,
): Promise<{ organizationId: string; projectId: string; days: number }[]> {
  const { rows } = await sql<
    RowAs<'projects', { organizationId: 'organization_id'; projectId: 'id' }> &
      Present<RowAs<'projects', { days: 'retention_days' }>>
  >`
    select organization_id as "organizationId", id as "projectId", retention_days as days
    from projects where retention_days is not null and deleted_at is null
    order by organization_id, id
  `.execute(tx)
  return rows
}

/** Items in the trash that the caller may see, earliest deleted first. */
export async function listTrash(
  tx: TenantTx,
  organizationId: string,
  { ids, before, limit }: { ids: readonly string[] | undefined; before: Date; limit: number },
): Promise<string[]> {
  const { rows } = await sql<Row<'feedback', 'id'>>`
    select id from feedback
    where organization_id = ${organizationId} and deleted_at <= ${before}
      ${ids ? sql`and id = any (${[...ids]}::uuid[])` : sql``}
    order by deleted_at limit ${limit}
  `.execute(tx)
  return rows.map((row) => row.id)
}

export async function enqueueEmptyTrash(tx: SystemTx, payload: EmptyTrash): Promise<void> {
  await sql`
    select app.enqueue_job('empty_trash', ${JSON.stringify(payload)}::json, ${`empty_trash:${payload.organizationId}`})
  `.execute(tx)
}

export interface EmptyTrash {
  readonly organizationId: string
  readonly actorUserId: string
  /** ISO 8601: items deleted later stay. */
  readonly before: string
}

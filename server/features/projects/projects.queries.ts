import { type RawBuilder, sql } from 'kysely'
import type { Project, ProjectChange } from '#contract/projects.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

interface ProjectRow
  extends Row<
    'projects',
    'id' | 'name' | 'domain' | 'extra_origins' | 'archived_at' | 'retention_days' | 'emails_on_resolve' | 'created_at'
  > {
  widget_last_loaded_at: Row<'widgets', 'last_loaded_at'>['last_loaded_at']
  widget_key: Row<'widgets', 'key'>['key']
  feedback_count: Row<'project_counters', 'feedback_count'>['feedback_count']
}

const projectRows = sql`
  select p.id, p.name, p.domain, p.extra_origins, w.key as widget_key, c.feedback_count,
         w.last_loaded_at as widget_last_loaded_at, p.archived_at, p.retention_days, p.emails_on_resolve,
         p.created_at
  from projects p
  join widgets w on w.organization_id = p.organization_id and w.project_id = p.id
  join project_counters c on c.organization_id = p.organization_id and c.project_id = p.id
`

export async function listProjects(tx: TenantTx, organizationId: string): Promise<Project[]> {
  const { rows } = await sql<ProjectRow>`
    ${projectRows} where p.organization_id = ${organizationId} order by lower(p.name), p.id
  `.execute(tx)
  return rows.map(toProject)
}

export async function findProject(tx: TenantTx, organizationId: string, id: string): Promise<Project | undefined> {
  const { rows } = await sql<ProjectRow>`
    ${projectRows} where p.organization_id = ${organizationId} and p.id = ${id}
  `.execute(tx)
  return rows[0] && toProject(rows[0])
}

/** False when another project of the organisation has the domain: nothing was written. */
export async function insertProject(
  tx: TenantTx,
  project: { organizationId: string; id: string; name: string; domain: string; widgetKey: string },
): Promise<boolean> {
  const { organizationId, id, name, domain, widgetKey } = project
  const { rows } = await sql`
    insert into projects (organization_id, id, name, domain)
    values (${organizationId}, ${id}, ${name}, ${domain})
    on conflict (organization_id, domain) do nothing
    returning id
  `.execute(tx)
  if (rows.length === 0) return false
  await sql`
    insert into widgets (organization_id, project_id, key) values (${organizationId}, ${id}, ${widgetKey})
  `.execute(tx)
  return true
}

/**
 * Applies a change.
 *
 * @throws DatabaseError 23505 when another project of the organisation has the domain.
 */
export async function changeProject(
  tx: TenantTx,
  options: { organizationId: string; projectId: string; change: ProjectChange },
): Promise<void> {
  const { organizationId, projectId, change } = options
  await sql`
    update projects
    set name = ${change.name ?? sql`name`}, domain = ${change.domain ?? sql`domain`},
        extra_origins = ${change.extraOrigins ?? sql`extra_origins`},
        archived_at = ${toArchivedAt(change.archived)},
        retention_days = ${change.retentionDays === undefined ? sql`retention_days` : change.retentionDays},
        emails_on_resolve = ${change.emailsOnResolve ?? sql`emails_on_resolve`}
    where organization_id = ${organizationId} and id = ${projectId}
  `.execute(tx)
}

// An archived project keeps its timestamp.
function toArchivedAt(archived: boolean | undefined): RawBuilder<unknown> {
  if (archived === undefined) return sql`archived_at`
  return archived ? sql`coalesce(archived_at, now())` : sql`null`
}

export interface ProjectContents {
  readonly files: number
  readonly fileBytes: number
  readonly olderItems: number | null
}

/** Counts what a project holds, of each at most `limit`. */
export async function countContents(
  tx: TenantTx,
  options: { organizationId: string; projectId: string; olderThanDays: number | undefined; limit: number },
): Promise<ProjectContents> {
  const { organizationId, projectId, olderThanDays, limit } = options
  const own = sql`organization_id = ${organizationId} and project_id = ${projectId}`
  const { rows } = await sql<ProjectContents>`
    select u.files, u.bytes as "fileBytes",
      ${
        olderThanDays === undefined
          ? sql`null::integer`
          : sql`(select count(*) from (
              select from feedback where ${own} and created_at < now() - make_interval(days => ${olderThanDays})
              limit ${limit}) as older)`
      } as "olderItems"
    from (
      select count(*) as files, coalesce(sum(bytes), 0)::bigint as bytes
      from (select bytes from uploads where ${own} and state <> 'refused' limit ${limit}) as held
    ) as u
  `.execute(tx)
  return rows[0] ?? { files: 0, fileBytes: 0, olderItems: null }
}

/** Hides a project from everyone and enqueues its deletion. False: there is none that the caller may delete. */
export async function deleteProject(tx: TenantTx, organizationId: string, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ deleted: boolean }>`
    select app.delete_project(${organizationId}, ${projectId}) as deleted
  `.execute(tx)
  return rows[0]?.deleted ?? false
}

/** Deletes files of a deleted project that no item claimed. @returns how many. */
export async function deleteProjectUploads(
  tx: SystemTx,
  organizationId: string,
  projectId: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with doomed as (
      select id from uploads where organization_id = ${organizationId} and project_id = ${projectId} limit ${limit}
    )
    delete from uploads u using doomed d where u.organization_id = ${organizationId} and u.id = d.id returning u.id
  `.execute(tx)
  return rows.length
}

/** Whether there is a project that was deleted and still holds something. */
export async function isBeingDeleted(tx: SystemTx, organizationId: string, projectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from projects where organization_id = ${organizationId} and id = ${projectId} and deleted_at is not null
  `.execute(tx)
  return rows.length > 0
}

/** Ends a deletion: the row, and the little that is still attached to it. */
export async function removeProject(tx: SystemTx, organizationId: string, projectId: string): Promise<void> {
  await sql`
    delete from projects where organization_id = ${organizationId} and id = ${projectId} and deleted_at is not null
  `.execute(tx)
}

function toProject(row: ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    domain: row.domain,
    extraOrigins: row.extra_origins,
    widgetKey: row.widget_key,
    feedbackCount: row.feedback_count,
    widgetLastLoadedAt: row.widget_last_loaded_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    retentionDays: row.retention_days,
    emailsOnResolve: row.emails_on_resolve,
    createdAt: row.created_at.toISOString(),
  }
}

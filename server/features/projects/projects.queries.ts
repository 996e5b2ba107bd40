import { sql } from 'kysely'
import type { Project, ProjectChange } from '#contract/projects.ts'
import type { TenantTx } from '#server/platform/database/database.ts'

interface ProjectRow {
  id: string
  name: string
  domain: string
  extra_origins: string[]
  widget_key: string
  feedback_count: number
  widget_last_loaded_at: Date | null
  created_at: Date
}

const projectRows = sql`
  select p.id, p.name, p.domain, p.extra_origins, w.key as widget_key, c.feedback_count,
         w.last_loaded_at as widget_last_loaded_at, p.created_at
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
  project: { organizationId: string; id: string; name: string; domain: string; widgetKey: string; actorUserId: string },
): Promise<boolean> {
  const { organizationId, id, name, domain, widgetKey, actorUserId } = project
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
  await sql`
    insert into audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    values (${organizationId}, ${actorUserId}, 'project.created', 'project', ${id}, ${JSON.stringify({ name, domain })})
  `.execute(tx)
  return true
}

/**
 * Applies a change and notes it.
 *
 * @throws DatabaseError 23505 when another project of the organisation has the domain.
 */
export async function changeProject(
  tx: TenantTx,
  options: { organizationId: string; projectId: string; actorUserId: string; change: ProjectChange },
): Promise<void> {
  const { organizationId, projectId, actorUserId, change } = options
  await sql`
    update projects
    set name = ${change.name ?? sql`name`}, domain = ${change.domain ?? sql`domain`},
        extra_origins = ${change.extraOrigins ?? sql`extra_origins`}
    where organization_id = ${organizationId} and id = ${projectId}
  `.execute(tx)
  await sql`
    insert into audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
    values (${organizationId}, ${actorUserId}, 'project.updated', 'project', ${projectId}, ${JSON.stringify(change)})
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
    createdAt: row.created_at.toISOString(),
  }
}

import { addMember, builtPassword, createApiKey, createProject, createUser } from '#server/testing/builders.ts'
import { fillInbox } from './fill-inbox.ts'
import type { BenchServer } from './server.ts'

/** How much an organisation has of everything but items. */
export interface OrganizationSize {
  readonly members: number
  readonly projects: number
  readonly keysPerProject: number
  readonly invitations: number
  readonly auditEntries: number
  readonly notifications: number
  /** Projects whose notifications its owner set apart from the others. */
  readonly exceptions: number
}

/** An organisation and its owner. */
export interface FilledOrganization {
  readonly organizationId: string
  readonly owner: { readonly id: string; readonly email: string; readonly password: string }
  /** The project with the most items. */
  readonly projectId: string
  readonly itemId: string
  readonly visitor: string
}

/** Creates an organisation of that size with as many items as given, and waits until the jobs that follow are done. */
export async function fillOrganization(
  server: BenchServer,
  size: OrganizationSize,
  items: number,
): Promise<FilledOrganization> {
  const { sql } = server
  const { organizationId, ...owner } = await createUser(sql, { fullName: 'Ada Owner' })
  if (organizationId === undefined) throw new Error('sign-up created no organisation')
  const memberIds: string[] = [owner.id]
  while (memberIds.length < size.members) {
    const user = await createUser(sql, { isInvited: true, fullName: `Member ${memberIds.length}` })
    await addMember(sql, { organizationId, userId: user.id, role: roleOf(memberIds.length) })
    memberIds.push(user.id)
  }
  const projectIds: string[] = []
  while (projectIds.length < size.projects) {
    const { id } = await createProject(sql, { organizationId, name: `Website ${projectIds.length + 1}` })
    projectIds.push(id)
    for (let n = 0; n < size.keysPerProject; n += 1) await createApiKey(sql, { organizationId, projectId: id })
  }
  await fillInbox(sql, { organizationId, projectIds, memberIds: memberIds.slice(0, 4) }, items)
  await sql.query(
    `update public.project_counters c set feedback_count = f.n, last_number = f.last
     from (select project_id, count(*) as n, max(number) as last from public.feedback where organization_id = $1 group by 1) as f
     where c.organization_id = $1 and c.project_id = f.project_id`,
    [organizationId],
  )
  await sql.query('update public.widgets set last_loaded_at = now() where organization_id = $1', [organizationId])
  await insertRest(server, { organizationId, userId: owner.id, size })
  await waitForJobs(server)
  await sql.query('vacuum analyze')
  const { rows } = await sql.query<{ id: string; key: string }>(
    `select f.id, v.key from public.feedback f join public.visitors v
       on v.organization_id = f.organization_id and v.key = coalesce(f.visitor_id, f.visitor_email)
     where f.organization_id = $1 and f.location = 'inbox' and f.status = 'new' order by f.created_at desc limit 1`,
    [organizationId],
  )
  const [projectId = ''] = projectIds
  return {
    organizationId,
    owner: { id: owner.id, email: owner.email, password: builtPassword },
    projectId,
    itemId: rows[0]?.id ?? '',
    visitor: rows[0]?.key ?? '',
  }
}

/** One in a hundred manages the team. */
function roleOf(index: number): 'admin' | 'member' | 'viewer' {
  if (index % 100 === 1) return 'admin'
  return index % 3 === 0 ? 'viewer' : 'member'
}

async function insertRest(
  { sql }: BenchServer,
  { organizationId, userId, size }: { organizationId: string; userId: string; size: OrganizationSize },
): Promise<void> {
  await sql.query(
    `insert into public.invitations (organization_id, email, role, token_hash, invited_by, sent_at)
     select $1::uuid, 'guest-' || n || '@example.com', 'member', sha256(convert_to($1::uuid::text || n, 'UTF8')), $2::uuid,
       now() - n * interval '1 minute'
     from generate_series(1, $3::int) as n`,
    [organizationId, userId, size.invitations],
  )
  await sql.query(
    `insert into public.audit_log (organization_id, actor_user_id, actor_kind, actor_name, action, category, target_type,
       target_name, after, ip, created_at)
     select $1::uuid, m.user_id, 'user', 'Ada', 'project.changed', (array['projects', 'members', 'keys', 'data'])[1 + n % 4],
       'project', 'Website ' || n % 500, '{"name": "Website"}', '192.0.2.1', now() - n * interval '7 minutes'
     from generate_series(1, $2::int) as n
     join (select user_id, row_number() over () - 1 as i, count(*) over () as all_of from public.memberships
           where organization_id = $1) as m on m.i = n % m.all_of`,
    [organizationId, size.auditEntries],
  )
  await sql.query(
    `insert into public.notifications (organization_id, user_id, feedback_id, kind, in_app, mail_due, created_at)
     select $1::uuid, m.user_id, f.id, 'assigned', true, false, now() - f.i * interval '3 minutes'
     from (select id, row_number() over (order by created_at desc) as i from public.feedback
           where organization_id = $1 and location = 'inbox' order by created_at desc limit $2) as f
     cross join (select user_id from public.memberships where organization_id = $1 order by (user_id = $3) desc limit 50) as m`,
    [organizationId, size.notifications, userId],
  )
  await sql.query(
    `insert into public.notification_preferences (organization_id, user_id, project_id, new_feedback_mail, seen_until)
     select organization_id, $2, id, case when row_number() over (order by id) <= $3 then 'instant' end, now() - interval '1 day'
     from public.projects where organization_id = $1`,
    [organizationId, userId, size.exceptions],
  )
}

/** New members, projects and items are told by events, whose jobs would run during the measurement. */
async function waitForJobs({ sql }: BenchServer): Promise<void> {
  const deadline = performance.now() + 300_000
  while (performance.now() < deadline) {
    const { rows } = await sql.query<{ left: number }>(
      `select count(*)::int as left from graphile_worker.jobs
       where run_at <= now() + interval '5 seconds' and task_identifier <> 'send_email' and attempts < max_attempts`,
    )
    if (rows[0]?.left === 0) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error('Jobs are still waiting')
}

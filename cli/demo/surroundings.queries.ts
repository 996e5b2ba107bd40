import { sql } from 'kysely'
import { learnWords } from '#server/features/feedback/search.queries.ts'
import { insertView } from '#server/features/feedback/views/views.queries.ts'
import { noteVisitors } from '#server/features/feedback/visitors/note-visitors.queries.ts'
import { actFor } from '#server/platform/database/actor.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { describeImport } from './import-items.ts'
import type { DemoView } from './saved-views.ts'

/** A working team's views, files, notifications and imports. */
export interface SurroundingRows {
  readonly views: readonly DemoView[]
  readonly exports: readonly { id: string; created_by: string; format: string; selection: unknown }[]
  readonly import: ReturnType<typeof describeImport> & { readonly created_by: string }
}

/** Inserts views, exports and imports, and the rows that jobs would have derived from the items. */
export async function insertSurroundings(
  tx: SystemTx,
  organizationId: string,
  { views, exports, import: imported }: SurroundingRows,
): Promise<void> {
  await insertTransfers(tx, organizationId, exports, imported)
  const { rows } = await sql<{ id: string }>`
    select id from feedback where organization_id = ${organizationId}
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  await noteVisitors(
    tx,
    ids.map((id) => ({ organizationId, id })),
  )
  await learnWords(tx, organizationId, ids)
  await insertNotifications(tx, organizationId)
  for (const view of views)
    await insertView(await becomeMember(tx, organizationId, view.ownerUserId), { organizationId, ...view })
  await sql`select set_config('role', 'service_role', true), set_config('request.jwt.claims', '', true)`.execute(tx)
}

/** A view can be saved only by its owner. */
async function becomeMember(tx: SystemTx, organizationId: string, userId: string): Promise<TenantTx> {
  const claims = JSON.stringify({ ...actFor(userId, organizationId).claims, sub: userId })
  await sql`
    select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true),
      set_config('app.organization_id', ${organizationId}, true)
  `.execute(tx)
  // The brand says which role was entered above.
  return tx as unknown as TenantTx
}

/** The product writes the files as soon as it runs. */
async function insertTransfers(
  tx: SystemTx,
  organizationId: string,
  exports: SurroundingRows['exports'],
  { id, project_id, created_by, name, accepted, refused, created_at, problems }: SurroundingRows['import'],
): Promise<void> {
  await sql`
    insert into exports (organization_id, id, created_by, format, selection)
    select ${organizationId}, e.*
    from json_to_recordset(${JSON.stringify(exports)}::json) as e (id uuid, created_by uuid, format text, selection jsonb)
  `.execute(tx)
  for (const each of exports) {
    const payload = JSON.stringify({ organizationId, id: each.id })
    await sql`select app.enqueue_in_turn('write_export', ${payload}::json, ${`transfer ${organizationId}`})`.execute(tx)
  }
  await sql`
    insert into imports (organization_id, id, project_id, created_by, name, state, total, processed, accepted, refused,
      created_at, imported_at, expires_at)
    values (${organizationId}, ${id}, ${project_id}, ${created_by}, ${name}, 'imported', ${accepted + refused},
      ${accepted + refused}, ${accepted}, ${refused}, ${created_at}, ${created_at},
      ${created_at}::timestamptz + interval '30 days')
  `.execute(tx)
  await sql`
    insert into import_problems (organization_id, import_id, row_number, reason)
    select ${organizationId}, ${id}, p.*
    from json_to_recordset(${JSON.stringify(problems)}::json) as p (row_number integer, reason text)
  `.execute(tx)
}

/** Each member's recent notifications: visitors' answers and assigned items. Those older than a day are read. */
async function insertNotifications(tx: SystemTx, organizationId: string): Promise<void> {
  await sql`
    insert into notifications (organization_id, user_id, feedback_id, kind, actor_user_id, in_app, mail_due, created_at, read_at)
    select ${organizationId}, told.user_id, told.feedback_id, told.kind, told.actor_user_id, true, false, told_at,
      case when told_at < now() - interval '1 day' then told_at end
    from (
      select f.assignee_user_id, f.id, 'visitor_replied', null::uuid, c.created_at as told_at
      from feedback_comments c
      join feedback f on f.organization_id = c.organization_id and f.id = c.feedback_id
      where c.organization_id = ${organizationId} and c.from_visitor and f.assignee_user_id is not null
      union all
      select f.assignee_user_id, f.id, 'assigned', m.user_id, f.updated_at
      from feedback f
      join memberships m on m.organization_id = f.organization_id and m.role = 'admin'
      where f.organization_id = ${organizationId} and f.assignee_user_id <> m.user_id and f.number % 3 = 0
        and f.location = 'inbox'
    ) as told (user_id, feedback_id, kind, actor_user_id, told_at)
    where told_at > now() - interval '30 days'
  `.execute(tx)
}

import { sql } from 'kysely'
import type { FeedbackSelection } from '#contract/inbox.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import { followJoins, matchesSelection } from './selection.queries.ts'

/** Those of the ids whose items belong to a selection. Nothing of a project that is being deleted. */
export async function listMatching(
  tx: SystemTx,
  organizationId: string,
  selection: FeedbackSelection,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const followed = await followJoins(tx, organizationId, selection)
  const { rows } = await sql<RowAs<'feedback', { id: 'id' }>>`
    select f.id
    from unnest(${[...ids]}::uuid[]) as n (id)
    join feedback f on f.organization_id = ${organizationId} and f.id = n.id
    where ${matchesSelection(followed)} and f.project_id <> all ((select app.deleted_project_ids())::uuid[])
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Undefined: no such project, or it is being deleted. */
export async function findProjectName(tx: SystemTx, organizationId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<RowAs<'projects', { name: 'name' }>>`
    select name from projects where organization_id = ${organizationId} and id = ${id} and deleted_at is null
  `.execute(tx)
  return rows[0]?.name
}

/** A note, a reply or a visitor's answer, with its author's name as it is now. */
export interface DeliveredComment
  extends RowAs<'feedback_comments', { id: 'id'; kind: 'kind'; fromVisitor: 'from_visitor'; text: 'text' }> {
  readonly authorName: string | null
}

export async function findDeliveredComment(
  tx: SystemTx,
  organizationId: string,
  id: string,
): Promise<DeliveredComment | undefined> {
  const { rows } = await sql<DeliveredComment>`
    select c.id, c.kind, c.from_visitor as "fromVisitor", c.text,
      coalesce(nullif(p.full_name, ''), p.email, k.name) as "authorName"
    from feedback_comments c
    left join profiles p on p.user_id = c.author_user_id
    left join api_keys k on k.organization_id = c.organization_id and k.id = c.author_user_id
    where c.organization_id = ${organizationId} and c.id = ${id}
  `.execute(tx)
  return rows[0]
}

import { sql } from 'kysely'
import type { Presence } from '#contract/presence.ts'
import type { Database, TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'
import { skipFlush } from '#server/platform/database/skip-flush.ts'

/** A page in a member's browser. */
export interface Page {
  readonly organizationId: string
  readonly userId: string
  readonly pageId: string
}

export async function hasFeedback(tx: TenantTx, organizationId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from feedback where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
  return rows.length > 0
}

/**
 * Stores which item a page shows, if any, and deletes the organisation's silent pages.
 *
 * @returns the item that the page showed before, if any.
 */
export async function recordPage(
  tx: TenantTx,
  { organizationId, userId, pageId }: Page,
  feedbackId: string | null,
): Promise<string | undefined> {
  await skipFlush(tx)
  const { rows } = await sql<Row<'presence', 'feedback_id'>>`
    select feedback_id from presence
    where organization_id = ${organizationId} and user_id = ${userId} and page_id = ${pageId}
      and seen_at > now() - interval '45 seconds'
  `.execute(tx)
  await sql`
    delete from presence
    where organization_id = ${organizationId} and (
      seen_at < now() - interval '45 seconds'
      or (user_id = ${userId} and page_id = ${pageId} and ${feedbackId === null}))
  `.execute(tx)
  if (feedbackId !== null) {
    await sql`
      insert into presence (organization_id, user_id, page_id, feedback_id)
      values (${organizationId}, ${userId}, ${pageId}, ${feedbackId})
      on conflict (organization_id, user_id, page_id)
      do update set feedback_id = excluded.feedback_id, seen_at = excluded.seen_at
    `.execute(tx)
  }
  return rows[0]?.feedback_id
}

/** Colleagues who have one of the items open, each once per item. */
export async function listOthers(
  tx: TenantTx,
  { organizationId, userId }: Pick<Page, 'organizationId' | 'userId'>,
  feedbackIds: readonly string[],
): Promise<Presence[]> {
  const { rows } = await sql<Row<'presence', 'feedback_id' | 'user_id'> & { name: string }>`
    select distinct p.feedback_id, p.user_id, coalesce(nullif(o.full_name, ''), o.email) as name
    from presence p
    join profiles o on o.user_id = p.user_id
    where p.organization_id = ${organizationId} and p.user_id <> ${userId}
      and p.feedback_id = any (${[...feedbackIds]}::uuid[]) and p.seen_at > now() - interval '45 seconds'
    order by name, p.user_id
  `.execute(tx)
  return rows.map((row) => ({ feedbackId: row.feedback_id, userId: row.user_id, name: row.name }))
}

/** Deletes silent pages of organisations in which no member has an item open. */
export async function deleteSilentPages(database: Database): Promise<void> {
  await database.asSystem('who is silent is so in every organisation', async (tx) => {
    await sql`delete from presence where seen_at < now() - interval '1 hour'`.execute(tx)
  })
}

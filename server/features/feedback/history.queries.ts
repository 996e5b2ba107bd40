import { sql } from 'kysely'
import type { FeedbackEvent } from '#contract/feedback.ts'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row } from '#server/platform/database/row.ts'

interface EventRow extends Row<'feedback_events', 'id' | 'field' | 'from_value' | 'to_value' | 'created_at'> {
  actor_name: string | null
}

/**
 * The history of an item, oldest first, with names of people and numbers of items in place of their ids.
 * Simultaneous changes are in the order of field names: ids sort by the millisecond, and randomly within it.
 */
export async function listHistory(tx: TenantTx, organizationId: string, feedbackId: string): Promise<FeedbackEvent[]> {
  const { rows } = await sql<EventRow>`
    select e.id, e.field, e.created_at,
           app.name_agent(e.agent_name, coalesce(nullif(p.full_name, ''), p.email,
             app.get_key_name(e.organization_id, e.actor_user_id))) as actor_name,
           ${forPeople('from_value', organizationId)} as from_value,
           ${forPeople('to_value', organizationId)} as to_value
    from feedback_events e
    left join profiles p on p.user_id = e.actor_user_id
    where e.organization_id = ${organizationId} and e.feedback_id = ${feedbackId}
    order by e.created_at, e.field, e.id
  `.execute(tx)
  return rows.map((row) => ({
    id: row.id,
    field: row.field,
    from: row.from_value,
    to: row.to_value,
    actorName: row.actor_name,
    createdAt: row.created_at.toISOString(),
  }))
}

// Permanently deleted people and items have no name.
function forPeople(column: 'from_value' | 'to_value', organizationId: string) {
  const value = sql.ref(`e.${column}`)
  return sql`case
    when ${value} is null then null
    when e.field = 'assignee' then coalesce(
      (select coalesce(nullif(n.full_name, ''), n.email) from profiles n where n.user_id = ${value}::uuid),
      'a former member')
    when e.field in ('merged', 'duplicate') then coalesce(
      (select '#' || f.number from feedback f where f.organization_id = ${organizationId} and f.id = ${value}::uuid),
      'a deleted item')
    when e.field = 'snoozed'
      then to_char(${value}::timestamptz at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    else ${value}
  end`
}

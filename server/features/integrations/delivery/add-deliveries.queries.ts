import { sql } from 'kysely'
import type { DeliveryRules } from '#contract/integrations.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** An integration that events are delivered to. */
export interface Receiver
  extends RowAs<
    'integrations',
    { organizationId: 'organization_id'; id: 'id'; type: 'type'; eventNames: 'event_names'; isTracker: 'is_tracker' }
  > {
  readonly rules: DeliveryRules
  /** Of a tracker: whether each new item that its rules name gets an issue. */
  readonly createsIssues: boolean
}

/** Active integrations of some organisations, always in the same order: their queues are locked in it. */
export async function listReceivers(tx: SystemTx, organizationIds: readonly string[]): Promise<Receiver[]> {
  const { rows } = await sql<Receiver>`
    select organization_id as "organizationId", id, type, event_names as "eventNames", rules,
      is_tracker as "isTracker", coalesce((settings ->> 'createAutomatically')::boolean, false) as "createsIssues"
    from integrations
    where organization_id = any (${[...organizationIds]}::uuid[]) and state = 'active'
    order by organization_id, id
  `.execute(tx)
  return rows
}

/** A delivery to add. */
export interface NewDelivery {
  readonly organizationId: string
  readonly integrationId: string
  readonly eventId: string
  readonly event: string
  readonly occurredAt: Date
  /** Null: the item no longer exists. */
  readonly feedbackId: string | null
  readonly subjectId: string
}

/** Adds deliveries that are not there yet. Leaves out those of items that are gone. @returns how many it added. */
export async function addDeliveries(tx: SystemTx, deliveries: readonly NewDelivery[]): Promise<number> {
  if (deliveries.length === 0) return 0
  const { rows } = await sql`
    insert into deliveries (organization_id, integration_id, event_id, event_name, occurred_at, feedback_id, subject_id)
    select d."organizationId", d."integrationId", d."eventId", d.event, d."occurredAt", d."feedbackId", d."subjectId"
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as d (
      "organizationId" uuid, "integrationId" uuid, "eventId" uuid, event text, "occurredAt" timestamptz,
      "feedbackId" uuid, "subjectId" uuid)
    left join feedback f on f.organization_id = d."organizationId" and f.id = d."feedbackId"
    where (d."feedbackId" is null or f.id is not null)
      and exists (
        select from integrations i where i.organization_id = d."organizationId" and i.id = d."integrationId")
    on conflict do nothing
    returning id
  `.execute(tx)
  return rows.length
}

import { sql } from 'kysely'
import type { Delivery, DeliveryDetail } from '#contract/deliveries.ts'
import type { EventName } from '#contract/events.ts'
import type { SystemTx, TenantTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'
import type { DueDelivery } from './queue.queries.ts'

interface DeliveryRow
  extends RowAs<
    'deliveries',
    {
      id: 'id'
      event: 'event_name'
      feedbackId: 'feedback_id'
      attempts: 'attempts'
      nextAttemptAt: 'next_attempt_at'
      createdAt: 'created_at'
      endedAt: 'ended_at'
    }
  > {
  readonly state: Delivery['state']
  readonly feedbackNumber: number | null
  readonly status: number | null
  readonly durationMs: number | null
  readonly failure: string | null
}

const deliveryRows = sql`
  select d.id, d.event_name as event, d.feedback_id as "feedbackId", f.number as "feedbackNumber", d.state, d.attempts,
    d.next_attempt_at as "nextAttemptAt", d.created_at as "createdAt", d.ended_at as "endedAt", a.status,
    a.duration_ms as "durationMs", a.failure
  from deliveries d
  left join feedback f on f.organization_id = d.organization_id and f.id = d.feedback_id
  left join delivery_attempts a
    on a.organization_id = d.organization_id and a.delivery_id = d.id and a.number = d.attempts
`

/** Deliveries of an integration, latest first, from before another one. */
export async function listDeliveries(
  tx: TenantTx,
  {
    organizationId,
    integrationId,
    state,
    before,
    limit,
  }: {
    organizationId: string
    integrationId: string
    state: Delivery['state'] | undefined
    before: string | undefined
    limit: number
  },
): Promise<Delivery[]> {
  const { rows } = await sql<DeliveryRow>`
    ${deliveryRows}
    where d.organization_id = ${organizationId} and d.integration_id = ${integrationId}
      and (${state ?? null}::text is null or d.state = ${state ?? null})
      and (${before ?? null}::uuid is null or d.id < ${before ?? null}::uuid)
    order by d.id desc limit ${limit}
  `.execute(tx)
  return rows.map(toDelivery)
}

export async function findDelivery(
  tx: TenantTx,
  { organizationId, integrationId, deliveryId }: { organizationId: string; integrationId: string; deliveryId: string },
): Promise<Delivery | undefined> {
  const { rows } = await sql<DeliveryRow>`
    ${deliveryRows}
    where d.organization_id = ${organizationId} and d.integration_id = ${integrationId} and d.id = ${deliveryId}
      -- Hidden while a job removes them.
      and exists (select from integrations i where i.organization_id = d.organization_id and i.id = d.integration_id)
  `.execute(tx)
  return rows[0] && toDelivery(rows[0])
}

/** What a delivery sends, and its attempts, latest first. */
export async function readLog(
  tx: TenantTx,
  organizationId: string,
  deliveryId: string,
): Promise<Pick<DeliveryDetail, 'body' | 'log'>> {
  const { rows: bodies } = await sql<RowAs<'deliveries', { body: 'body' }>>`
    select body from deliveries where organization_id = ${organizationId} and id = ${deliveryId}
  `.execute(tx)
  const { rows } = await sql<
    RowAs<
      'delivery_attempts',
      {
        number: 'number'
        createdAt: 'created_at'
        durationMs: 'duration_ms'
        request: 'request'
        status: 'status'
        response: 'response'
        failure: 'failure'
      }
    >
  >`
    select number, created_at as "createdAt", duration_ms as "durationMs", request, status, response, failure
    from delivery_attempts where organization_id = ${organizationId} and delivery_id = ${deliveryId}
    order by number desc
  `.execute(tx)
  return {
    body: bodies[0]?.body ?? null,
    log: rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
  }
}

/** Makes a delivery due now, under its own id. */
export async function retryNow(tx: TenantTx, organizationId: string, id: string): Promise<void> {
  await sql`
    update deliveries set state = 'waiting', next_attempt_at = now(), ended_at = null
    where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

/** Adds a test that no worker takes before the caller has tried it. */
export async function addTest(
  tx: SystemTx,
  { organizationId, integrationId, id }: { organizationId: string; integrationId: string; id: string },
): Promise<DueDelivery> {
  const { rows } = await sql<DueDelivery>`
    insert into deliveries (organization_id, id, integration_id, event_name, subject_id, next_attempt_at)
    values (${organizationId}, ${id}, ${integrationId}, 'integration.test', ${id}, now() + interval '1 minute')
    returning id, event_id as "eventId", event_name as event, occurred_at as "occurredAt", feedback_id as "feedbackId",
      subject_id as "subjectId", attempts, body, requests
  `.execute(tx)
  const added = rows[0]
  if (!added) throw new Error('an insert returned no row')
  return added
}

/** Events of an organisation since a time, after a position, oldest first. */
export async function listEventsSince(
  tx: SystemTx,
  {
    organizationId,
    names,
    since,
    afterId,
    limit,
  }: {
    organizationId: string
    names: readonly EventName[]
    since: Date
    afterId: string
    limit: number
  },
): Promise<{ id: string }[]> {
  const { rows } = await sql<{ id: string }>`
    select id from app.events
    where organization_id = ${organizationId} and id > ${afterId} and name = any (${[...names]}::text[])
      and occurred_at >= ${since}
    order by id limit ${limit}
  `.execute(tx)
  return rows
}

/** Puts deliveries that were given up back into the queue. @returns how many. */
export async function retryFailedSince(
  tx: SystemTx,
  { organizationId, integrationId }: { organizationId: string; integrationId: string },
  since: Date,
): Promise<number> {
  const { rows } = await sql`
    update deliveries set state = 'waiting', next_attempt_at = now(), ended_at = null
    where organization_id = ${organizationId} and integration_id = ${integrationId} and state = 'failed'
      and occurred_at >= ${since} and event_name <> 'integration.test'
    returning id
  `.execute(tx)
  return rows.length
}

/** Puts down that a queue is due now. */
export async function callQueue(
  tx: SystemTx,
  { organizationId, integrationId }: { organizationId: string; integrationId: string },
): Promise<void> {
  await sql`
    update integration_queues set due_at = now()
    where organization_id = ${organizationId} and integration_id = ${integrationId}
  `.execute(tx)
  await sql`select pg_notify('deliveries', '')`.execute(tx)
}

/** Deletes deliveries older than so many days that no longer wait, at most `limit`. @returns how many. */
export async function deleteOldDeliveries(
  tx: SystemTx,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from deliveries d using (
      select organization_id, id from deliveries
      where created_at < now() - make_interval(days => ${days}) and state <> 'waiting'
      order by created_at limit ${limit} for update skip locked) old
    where d.organization_id = old.organization_id and d.id = old.id`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

function toDelivery({ nextAttemptAt, createdAt, endedAt, ...row }: DeliveryRow): Delivery {
  return {
    ...row,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }
}

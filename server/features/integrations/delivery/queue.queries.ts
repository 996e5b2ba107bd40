import { sql } from 'kysely'
import type { IssueMapping } from '#contract/issue-mapping.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

/** A queue that this process works through. */
export interface Queue
  extends RowAs<
    'integration_queues',
    {
      organizationId: 'organization_id'
      integrationId: 'integration_id'
      failures: 'failures'
      failingSince: 'failing_since'
    }
  > {}

/** An integration with all that delivering takes. */
export interface ConnectedIntegration
  extends RowAs<
    'integrations',
    { organizationId: 'organization_id'; id: 'id'; type: 'type'; secrets: 'secrets'; name: 'name' }
  > {
  readonly settings: Readonly<Record<string, unknown>>
  readonly mapping: IssueMapping
}

/** A delivery whose time has come. */
export interface DueDelivery
  extends RowAs<
    'deliveries',
    {
      id: 'id'
      eventId: 'event_id'
      occurredAt: 'occurred_at'
      feedbackId: 'feedback_id'
      subjectId: 'subject_id'
      attempts: 'attempts'
      body: 'body'
      requests: 'requests'
    }
  > {
  readonly event: string
}

/** How an attempt ended. */
export interface AttemptRecord {
  readonly deliveryId: string
  readonly number: number
  readonly durationMs: number
  readonly request: string | null
  readonly status: number | null
  readonly response: string | null
  readonly failure: string | null
}

/** Takes queues that are due and that no living process works through, longest due first. */
export async function takeQueues(
  tx: SystemTx,
  { workerId, leaseSeconds, limit }: { workerId: string; leaseSeconds: number; limit: number },
): Promise<Queue[]> {
  const { rows } = await sql<Queue>`
    with due as materialized (
      select q.organization_id, q.integration_id from integration_queues q
      where q.due_at <= now() and (q.leased_until is null or q.leased_until < now())
        and app.is_open_organization(q.organization_id)
      order by q.due_at limit ${limit} for no key update skip locked
    )
    update integration_queues q
    set leased_by = ${workerId}, leased_until = now() + make_interval(secs => ${leaseSeconds})
    from due d where q.organization_id = d.organization_id and q.integration_id = d.integration_id
    returning q.organization_id as "organizationId", q.integration_id as "integrationId", q.failures,
      q.failing_since as "failingSince"
  `.execute(tx)
  return rows
}

/** Extends the leases of this process. @returns ids of the integrations that are still its own. */
export async function renewLeases(
  tx: SystemTx,
  { workerId, leaseSeconds }: { workerId: string; leaseSeconds: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with own as materialized (
      select organization_id, integration_id from integration_queues
      where leased_by = ${workerId} and leased_until > now()
      -- As those who add deliveries lock them: two in opposite orders would wait for each other.
      order by organization_id, integration_id for no key update
    )
    update integration_queues q set leased_until = now() + make_interval(secs => ${leaseSeconds})
    from own o where q.organization_id = o.organization_id and q.integration_id = o.integration_id
    returning q.integration_id as id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Milliseconds until the next queue is due, or null when none waits. */
export async function findNextDueMs(tx: SystemTx): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    select greatest(0, extract(epoch from min(greatest(due_at, coalesce(leased_until, due_at))) - now()) * 1000)::float8 as ms
    from integration_queues where due_at is not null
  `.execute(tx)
  return rows[0]?.ms ?? null
}

/**
 * An integration that is active, or in one of the states.
 *
 * @param states default: active alone.
 */
export async function findConnected(
  tx: SystemTx,
  { organizationId, integrationId }: Pick<Queue, 'organizationId' | 'integrationId'>,
  states: readonly string[] = ['active'],
): Promise<ConnectedIntegration | undefined> {
  const { rows } = await sql<ConnectedIntegration>`
    select organization_id as "organizationId", id, type, name, secrets, settings, mapping from integrations
    where organization_id = ${organizationId} and id = ${integrationId}
      and state = any (${[...states]}::text[]) and removed_at is null
  `.execute(tx)
  return rows[0]
}

/** Deliveries of a queue whose time has come, oldest first. */
export async function listDue(
  tx: SystemTx,
  { organizationId, integrationId }: Pick<Queue, 'organizationId' | 'integrationId'>,
  limit: number,
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    select id, event_id as "eventId", event_name as event, occurred_at as "occurredAt", feedback_id as "feedbackId",
      subject_id as "subjectId", attempts, body, requests
    from deliveries
    where organization_id = ${organizationId} and integration_id = ${integrationId} and state = 'waiting'
      and next_attempt_at <= now()
    order by next_attempt_at, id limit ${limit}
  `.execute(tx)
  return rows
}

/** Keeps what a delivery sends, so that every attempt sends the same. */
export async function storeBody(tx: SystemTx, organizationId: string, id: string, body: string): Promise<void> {
  await sql`
    update deliveries set body = ${body} where organization_id = ${organizationId} and id = ${id}
  `.execute(tx)
}

export type Ending =
  | { readonly state: 'delivered' | 'failed' | 'dropped' }
  | { readonly state: 'waiting'; readonly waitSeconds: number }

/** Records an attempt and what became of its delivery. */
export async function recordAttempt(
  tx: SystemTx,
  organizationId: string,
  attempt: AttemptRecord & Pick<DueDelivery, 'requests'>,
  ending: Ending,
): Promise<void> {
  const { deliveryId, number, durationMs, request, status, response, failure, requests } = attempt
  const waitSeconds = ending.state === 'waiting' ? ending.waitSeconds : null
  await sql`
    with ended as (
      update deliveries d set attempts = ${number}, state = n.state, next_attempt_at = n.next_attempt_at,
        ended_at = case when n.state <> 'waiting' then now() end
      from (
        select ${ending.state} as state, now() + make_interval(secs => ${waitSeconds}::float8) as next_attempt_at,
          ${requests}::integer as requests
        -- It was requested again meanwhile.
        union all select 'waiting', now(), null
      ) n
      where organization_id = ${organizationId} and id = ${deliveryId}
        and (n.requests = d.requests or (n.requests is null and d.requests <> ${requests}))
      returning id
    )
    insert into delivery_attempts (organization_id, delivery_id, number, duration_ms, request, status, response, failure)
    select ${organizationId}, id, ${number}, ${durationMs}, ${request}, ${status}::integer, ${response}, ${failure} from ended
    on conflict (organization_id, delivery_id, number) do update set created_at = now(),
      duration_ms = excluded.duration_ms, request = excluded.request, status = excluded.status,
      response = excluded.response, failure = excluded.failure
  `.execute(tx)
}

/** Ends a delivery without an attempt: what it was about no longer exists. */
export async function dropDelivery(tx: SystemTx, organizationId: string, id: string): Promise<void> {
  await sql`
    update deliveries set state = 'dropped', next_attempt_at = null, ended_at = now()
    where organization_id = ${organizationId} and id = ${id} and state = 'waiting'
  `.execute(tx)
}

/**
 * Notes that the service answers. Of arrivals in quick succession, the first is noted alone: all would wait for one row. After
 * failures, everything that waits because of them is due at once.
 */
export async function noteAnswer(
  tx: SystemTx,
  { organizationId, integrationId, failures }: Pick<Queue, 'organizationId' | 'integrationId' | 'failures'>,
  hasArrived: boolean,
): Promise<void> {
  await sql`
    update integration_queues set failures = 0, failing_since = null, last_failure = null,
      last_delivered_at = case when ${hasArrived} then now() else last_delivered_at end
    where organization_id = ${organizationId} and integration_id = ${integrationId}
      and (failures > 0 or ${hasArrived} and coalesce(last_delivered_at < now() - interval '5 seconds', true))
  `.execute(tx)
  if (failures === 0) return
  await sql`
    update deliveries set next_attempt_at = now()
    where organization_id = ${organizationId} and integration_id = ${integrationId} and state = 'waiting' and attempts > 0
      and next_attempt_at > now()
  `.execute(tx)
}

/** Notes a failed attempt. @returns the failures in a row, and since when. */
export async function noteFailure(
  tx: SystemTx,
  { organizationId, integrationId }: Pick<Queue, 'organizationId' | 'integrationId'>,
  failure: string,
): Promise<{ failures: number; failingSince: Date }> {
  const { rows } = await sql<{ failures: number; failingSince: Date }>`
    update integration_queues set failures = failures + 1, failing_since = coalesce(failing_since, now()),
      last_failure = ${failure}
    where organization_id = ${organizationId} and integration_id = ${integrationId}
    returning failures, failing_since as "failingSince"
  `.execute(tx)
  return rows[0] ?? { failures: 0, failingSince: new Date() }
}

/** Gives a queue back: it is due when its next delivery is, and not before its rest has ended. */
export async function releaseQueue(
  tx: SystemTx,
  workerId: string,
  { organizationId, integrationId }: Pick<Queue, 'organizationId' | 'integrationId'>,
  restSeconds: number,
): Promise<void> {
  // First the lock, for which those who are adding a delivery are waited for (`for key share`): the next statement sees it.
  await sql`
    select from integration_queues
    where organization_id = ${organizationId} and integration_id = ${integrationId} for update
  `.execute(tx)
  await sql`
    update integration_queues q set leased_by = null, leased_until = null, due_at = (
      select greatest(min(d.next_attempt_at), now() + make_interval(secs => ${restSeconds}))
      from deliveries d
      where d.organization_id = q.organization_id and d.integration_id = q.integration_id and d.state = 'waiting'
      having min(d.next_attempt_at) is not null)
    where organization_id = ${organizationId} and integration_id = ${integrationId} and leased_by = ${workerId}
  `.execute(tx)
}

/** Disables an integration that was active. @returns false when it was not. */
export async function disableIntegration(
  tx: SystemTx,
  { organizationId, integrationId }: Pick<Queue, 'organizationId' | 'integrationId'>,
  reason: string,
): Promise<Pick<Row<'integrations', 'type' | 'name'>, 'type' | 'name'> | undefined> {
  const { rows } = await sql<Row<'integrations', 'type' | 'name'>>`
    update integrations set state = 'disabled', state_reason = ${reason}, disabled_mailed_at = null, updated_at = now()
    where organization_id = ${organizationId} and id = ${integrationId} and state = 'active'
    returning type, name
  `.execute(tx)
  return rows[0]
}

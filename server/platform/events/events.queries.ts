import { sql } from 'kysely'
import type { EventName } from '#contract/events.ts'
import type { Database, SystemTx, TenantTx } from '../database/database.ts'
import type { RowAs } from '../database/row.ts'

/** An event as the table holds it. The payload may be older than the code. */
export interface StoredEvent
  extends RowAs<
    'app.events',
    {
      id: 'id'
      organizationId: 'organization_id'
      ids: 'ids'
      actorUserId: 'actor_user_id'
      actorKind: 'actor_kind'
      actorName: 'actor_name'
      requestId: 'request_id'
      ip: 'ip'
      userAgent: 'user_agent'
      cause: 'cause'
      impersonationId: 'impersonation_id'
      occurredAt: 'occurred_at'
    }
  > {
  readonly name: EventName
  readonly payload: unknown
}

/** Which event. */
export type EventKey = Pick<StoredEvent, 'organizationId' | 'id'>

export async function insertEvent(
  tx: TenantTx | SystemTx,
  event: {
    organizationId: string
    name: EventName
    ids: readonly string[]
    payload: unknown
    actorUserId: string | null
    announced: 'commit' | 'never'
  },
): Promise<void> {
  const { organizationId, name, ids, payload, announced, actorUserId } = event
  await sql`
    select app.record_event(${organizationId}, ${name}, ${[...ids]}::uuid[], ${JSON.stringify(payload)}::jsonb,
      ${announced}, ${actorUserId})
  `.execute(tx)
}

/** What the dispatcher needs of an event. */
export interface WaitingEvent extends EventKey {
  readonly name: EventName
  /** Null: already announced, or not to be announced. */
  readonly unannouncedIds: readonly string[] | null
}

/** Takes events that are not dispatched yet, oldest first. Skips those that another process is taking. */
export async function takeWaitingEvents(tx: SystemTx, limit: number): Promise<WaitingEvent[]> {
  const { rows } = await sql<WaitingEvent>`
    with waiting as materialized (
      select e.organization_id, e.id from app.events e where e.dispatched_at is null
      order by e.transaction_id limit ${limit} for update skip locked
    )
    update app.events e set dispatched_at = now()
    from waiting w where e.organization_id = w.organization_id and e.id = w.id
    returning e.organization_id as "organizationId", e.id, e.name,
      case when e.announced = 'dispatch' then e.ids end as "unannouncedIds"
  `.execute(tx)
  return rows
}

/** Puts jobs into the queue, once this transaction commits. */
export async function enqueueJobs(tx: SystemTx, jobs: readonly { name: string; payload: unknown }[]): Promise<void> {
  if (jobs.length === 0) return
  await sql`
    select app.enqueue_job(j.name, j.payload)
    from json_to_recordset(${JSON.stringify(jobs)}::json) as j (name text, payload json)
  `.execute(tx)
}

/** Tells every process, once this transaction commits. Each message must be below 8,000 bytes. */
export async function notifyEvents(tx: SystemTx, messages: readonly string[]): Promise<void> {
  if (messages.length === 0) return
  await sql`select pg_notify('events', m.text) from unnest(${[...messages]}::text[]) as m (text)`.execute(tx)
}

/** Sends a message that is not recorded: once the transaction commits, or given the database, at once. */
export async function notifyLive(
  on: SystemTx | TenantTx | Database,
  organizationId: string,
  kind: string,
  ids: readonly string[],
): Promise<void> {
  const message = sql`app.send_live_message(${organizationId}, ${kind}, ${[...ids]}::uuid[])`
  if (!('powerless' in on)) await sql`select ${message}`.execute(on)
  // Reads and writes nothing, so it needs no role, and no disk is waited for.
  else await sql`select set_config('synchronous_commit', 'off', true), ${message}`.execute(on.powerless)
}

/** Events by key. Leaves out deleted ones. */
export async function listEvents(tx: SystemTx, keys: readonly EventKey[]): Promise<StoredEvent[]> {
  const { rows } = await sql<StoredEvent>`
    select e.organization_id as "organizationId", e.id, e.name, e.ids, e.payload, e.actor_user_id as "actorUserId",
      e.actor_kind as "actorKind", e.actor_name as "actorName", e.request_id as "requestId", host(e.ip) as ip,
      e.user_agent as "userAgent", e.cause, e.impersonation_id as "impersonationId",
      e.occurred_at as "occurredAt"
    from json_to_recordset(${JSON.stringify(keys)}::json) as k ("organizationId" uuid, id uuid)
    join app.events e on e.organization_id = k."organizationId" and e.id = k.id
    order by e.id
  `.execute(tx)
  return rows
}

/** Deletes events that are older than so many days, at most `limit`. @returns how many it deleted. */
export async function deleteOldEvents(tx: SystemTx, { days, limit }: { days: number; limit: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.events e using (
      select organization_id, id from app.events
      where occurred_at < now() - make_interval(days => ${days}) and dispatched_at is not null
      order by occurred_at limit ${limit} for update skip locked) old
    where e.organization_id = old.organization_id and e.id = old.id`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '../database/database.ts'
import type { RowAs } from '../database/row.ts'

/** Which request. */
export interface RequestName {
  readonly organizationId: string
  readonly projectId: string
  readonly keyHash: Buffer
}

/** Long enough for any request: the server gives up on one after a minute. */
const longestRun = sql`interval '70 seconds'`
const keptFor = sql`interval '24 hours'`

/**
 * Notes that a request has begun.
 *
 * @returns when, if it may run: it is new, its former run died, or its answer was kept long enough. Undefined: see
 *   {@link findRequest}.
 */
export async function beginRequest(
  tx: TenantTx,
  { organizationId, projectId, keyHash }: RequestName,
  requestHash: Buffer,
): Promise<string | undefined> {
  const { rows } = await sql<{ startedAt: string }>`
    insert into app.idempotent_requests as r (organization_id, project_id, key_hash, request_hash)
    values (${organizationId}, ${projectId}, ${keyHash}, ${requestHash})
    on conflict (organization_id, project_id, key_hash) do update
    set request_hash = excluded.request_hash, started_at = now(), status = null, body = null
    where r.started_at < now() - ${keptFor}
      or r.status is null and r.request_hash = excluded.request_hash and r.started_at < now() - ${longestRun}
    returning r.started_at::text as "startedAt"
  `.execute(tx)
  return rows[0]?.startedAt
}

export async function findRequest(tx: TenantTx, { organizationId, projectId, keyHash }: RequestName) {
  const { rows } = await sql<
    RowAs<'app.idempotent_requests', { requestHash: 'request_hash'; status: 'status'; body: 'body' }>
  >`
    select request_hash as "requestHash", status, body from app.idempotent_requests
    where organization_id = ${organizationId} and project_id = ${projectId} and key_hash = ${keyHash}
  `.execute(tx)
  return rows[0]
}

/** Keeps the answer of the run that began at `startedAt`, unless another run took its place. */
export async function keepAnswer(
  tx: TenantTx,
  { organizationId, projectId, keyHash }: RequestName,
  startedAt: string,
  answer: { status: number; body: string },
): Promise<void> {
  await sql`
    update app.idempotent_requests set status = ${answer.status}, body = ${answer.body}
    where organization_id = ${organizationId} and project_id = ${projectId} and key_hash = ${keyHash}
      and started_at = ${startedAt}::timestamptz
  `.execute(tx)
}

/** Forgets a run that failed, so that a retry runs again. */
export async function forgetRequest(
  tx: TenantTx,
  { organizationId, projectId, keyHash }: RequestName,
  startedAt: string,
): Promise<void> {
  await sql`
    delete from app.idempotent_requests
    where organization_id = ${organizationId} and project_id = ${projectId} and key_hash = ${keyHash}
      and started_at = ${startedAt}::timestamptz
  `.execute(tx)
}

/** Deletes requests that were kept for long enough, at most `limit`. @returns how many it deleted. */
export async function deleteOldRequests(tx: SystemTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.idempotent_requests where (organization_id, project_id, key_hash) in (
      select organization_id, project_id, key_hash from app.idempotent_requests
      where started_at < now() - ${keptFor} order by started_at limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

import { type RawBuilder, sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/*
 * Each deletes at most `limit` rows that nobody needs any more, and says how many. A row that somebody holds at this
 * moment is left for the next night.
 */

/** Sign-ins begun and never finished. One whose link was opened just now may still be finished. */
export function deleteOldFlows(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.flow_state where id in (
      select id from auth.flow_state
      where created_at < now() - interval '24 hours'
        and (auth_code_issued_at is null or auth_code_issued_at < now() - interval '1 hour')
      order by created_at limit ${limit} for update skip locked)`,
  )
}

/** Secrets of mails. None works for longer than a day; a day later even the reason why it fails is of no interest. */
export function deleteDeadSecrets(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.one_time_tokens where id in (
      select id from auth.one_time_tokens
      where greatest(created_at, updated_at) < localtimestamp - interval '48 hours'
      limit ${limit} for update skip locked)`,
  )
}

/** Revoked tokens of imported sessions. Within a day one that comes back still tells that it was stolen. */
export function deleteRevokedTokens(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.refresh_tokens where id in (
      select id from auth.refresh_tokens
      where revoked and updated_at < now() - interval '24 hours'
      order by updated_at limit ${limit} for update skip locked)`,
  )
}

/** Sessions that were given an end, and are past it. Their tokens go with them. */
export function deleteEndedSessions(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.sessions where id in (
      select id from auth.sessions
      where not_after < now()
      order by not_after limit ${limit} for update skip locked)`,
  )
}

export function deleteOldAuditEntries(tx: AuthTx, { days, limit }: { days: number; limit: number }): Promise<number> {
  return run(
    tx,
    sql`delete from auth.audit_log_entries where id in (
      select id from auth.audit_log_entries
      where created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit} for update skip locked)`,
  )
}

async function run(tx: AuthTx, statement: RawBuilder<unknown>): Promise<number> {
  const { numAffectedRows } = await statement.execute(tx)
  return Number(numAffectedRows ?? 0)
}

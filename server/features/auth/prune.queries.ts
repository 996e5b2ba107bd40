import { type RawBuilder, sql } from 'kysely'
import type { AuthTx } from '#server/platform/database/database.ts'

/*
 * Each deletes at most `limit` expired rows and returns the count. A locked row is left for the next night.
 */

/** Unfinished sign-ins. One whose link was just opened may still finish. */
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

/** Emailed secrets. None is valid for longer than a day; a day later even the reason of its failure is irrelevant. */
export function deleteDeadSecrets(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.one_time_tokens where id in (
      select id from auth.one_time_tokens
      where greatest(created_at, updated_at) < localtimestamp - interval '48 hours'
      limit ${limit} for update skip locked)`,
  )
}

/** Revoked tokens of imported sessions. For a day, reuse of one still reveals a theft. */
export function deleteRevokedTokens(tx: AuthTx, limit: number): Promise<number> {
  return run(
    tx,
    sql`delete from auth.refresh_tokens where id in (
      select id from auth.refresh_tokens
      where revoked and updated_at < now() - interval '24 hours'
      order by updated_at limit ${limit} for update skip locked)`,
  )
}

/** Sessions past their end, with their tokens. */
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

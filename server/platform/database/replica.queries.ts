import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Up to where the primary's WAL is on its disk: every acknowledged write lies before. */
export async function readPosition({ powerless }: Pick<Database, 'powerless'>): Promise<string> {
  const { rows } = await sql<{ position: string }>`select pg_current_wal_flush_lsn()::text as position`.execute(
    powerless,
  )
  return rows[0]?.position ?? ''
}

/** Whether a read there finds all that was written before. A server that never was a replica has it all. */
export async function hasReplayed({ powerless }: Pick<Database, 'powerless'>, position: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, true) as has`.execute(powerless)
  return rows[0]?.has ?? false
}

/**
 * How far a replica is behind.
 *
 * @returns undefined where the server is no replica.
 */
export async function readLag(
  { powerless }: Pick<Database, 'powerless'>,
  position: string,
): Promise<{ bytes: number; seconds: number } | undefined> {
  const { rows } = await sql<{ isReplica: boolean; bytes: number; seconds: number }>`
    select pg_is_in_recovery() as "isReplica",
      greatest(0, coalesce(${position}::pg_lsn - pg_last_wal_replay_lsn(), 0))::float8 as bytes,
      -- Without new transactions, the last one that was replayed grows old on a replica that has everything.
      case when pg_last_wal_replay_lsn() >= ${position}::pg_lsn then 0
        else coalesce(extract(epoch from now() - pg_last_xact_replay_timestamp()), 0) end::float8 as seconds
  `.execute(powerless)
  const lag = rows[0]
  return lag?.isReplica ? { bytes: lag.bytes, seconds: lag.seconds } : undefined
}

import { sql } from 'kysely'
import type { AuthTx, Database, SystemTx } from '../database/database.ts'

/** Takes one token of a bucket. @returns 0 when granted, else the milliseconds until the next one. */
export async function takeToken(
  on: Database['powerless'] | AuthTx,
  { name, key, capacity, refillMs }: { name: string; key: string; capacity: number; refillMs: number },
): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select app.take_token(${name}, ${key}, ${capacity}, ${refillMs}) as wait`.execute(on)
  return rows[0]?.wait ?? 0
}

/** Puts a taken token back. */
export async function returnToken(
  on: Database['powerless'],
  { name, key, capacity, refillMs }: Parameters<typeof takeToken>[1],
): Promise<void> {
  await sql`select app.return_token(${name}, ${key}, ${capacity}, ${refillMs})`.execute(on)
}

/** As {@link takeToken}, but rolled back immediately, so that no other request waits for this transaction. */
export async function probeToken(tx: AuthTx, bucket: Parameters<typeof takeToken>[1]): Promise<number> {
  await sql`savepoint probe`.execute(tx)
  const wait = await takeToken(tx, bucket)
  await sql`rollback to savepoint probe`.execute(tx)
  return wait
}

/**
 * Deletes full buckets: a missing row means full. A bucket in use stays. Reads the whole table, because an index would
 * cost every request more than this scan.
 *
 * @returns how many it deleted.
 */
export async function deleteFullBuckets(tx: SystemTx, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from app.rate_limits where full_at < now() and (name, key_hash) in (
      select name, key_hash from app.rate_limits where full_at < now() limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/**
 * Takes tokens that were granted already, of many buckets of one limit.
 *
 * @param spent tokens by key.
 * @returns the level of each after that, in tokens; below zero: a debt.
 */
export async function spendTokens(
  database: Database,
  { name, capacity, refillMs }: { name: string; capacity: number; refillMs: number },
  spent: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; level: number }>`
    select key, level
    from app.spend_tokens(${name}, ${capacity}, ${refillMs}, ${[...spent.keys()]}, ${[...spent.values()]})
  `.execute(database.powerless)
  return new Map(rows.map(({ key, level }) => [key, level]))
}

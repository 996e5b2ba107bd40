import { sql } from 'kysely'
import type { AuthTx, Database } from '../database/database.ts'

/** Takes one token of a bucket. @returns 0 when there was one, else the milliseconds until there is. */
export async function takeToken(
  on: Database['powerless'] | AuthTx,
  { name, key, capacity, refillMs }: { name: string; key: string; capacity: number; refillMs: number },
): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select app.take_token(${name}, ${key}, ${capacity}, ${refillMs}) as wait`.execute(on)
  return rows[0]?.wait ?? 0
}

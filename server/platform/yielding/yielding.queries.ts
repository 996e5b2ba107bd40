import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

export const fullLoadChannel = 'full_load'

/** Tells every process that one has full load. */
export async function announceFullLoad({ powerless }: Pick<Database, 'powerless'>): Promise<void> {
  await sql`select pg_notify(${fullLoadChannel}, '')`.execute(powerless)
}

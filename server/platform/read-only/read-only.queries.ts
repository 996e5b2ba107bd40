import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** Read-only mode while it is on. */
export interface ReadOnlyMode {
  /** Null: the default words. */
  readonly message: string | null
  /** When it is expected to end. */
  readonly endsAt: Date | null
  readonly since: Date
  readonly turnedOnBy: string
}

export const readOnlyChannel = 'read_only'

export async function findReadOnlyMode(database: Pick<Database, 'asSystem'>): Promise<ReadOnlyMode | undefined> {
  const { rows } = await database.asSystem('read-only mode belongs to no organisation', (tx) =>
    sql<ReadOnlyMode>`
      select message, ends_at as "endsAt", since, turned_on_by as "turnedOnBy" from app.read_only_periods
      where ended_at is null
    `.execute(tx),
  )
  return rows[0]
}

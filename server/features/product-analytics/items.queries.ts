import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** What product analytics may know of an item: no word of the visitor's. */
export interface CountedItem
  extends RowAs<
    'feedback',
    { id: 'id'; projectId: 'project_id'; type: 'type'; source: 'source'; status: 'status'; media: 'media_kinds' }
  > {
  /** It was over a limit of the plan when it arrived, and can be read now. */
  readonly wasLocked: boolean
}

/** Items of one organisation by id. Those that were deleted are missing. */
export async function findCountedItems(
  tx: SystemTx,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, CountedItem>> {
  const { rows } = await sql<CountedItem>`
    select id, project_id as "projectId", type, source, status, media_kinds as media,
      unlocked_at is not null as "wasLocked"
    from feedback where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[])
  `.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

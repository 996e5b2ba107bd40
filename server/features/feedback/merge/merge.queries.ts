import { sql } from 'kysely'
import type { TenantTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

/** What merging asks of an item. */
export interface MergeItem
  extends Readonly<
    RowAs<'feedback', { id: 'id'; projectId: 'project_id'; number: 'number'; mergedInto: 'merged_into' }>
  > {
  readonly isInTrash: boolean
}

const columns = sql`
  id, project_id as "projectId", number, merged_into as "mergedInto", deleted_at is not null as "isInTrash"
`

/** Lets one merge of an organisation after the other: two at once could put an item under one that goes elsewhere. */
export async function waitForMerges(tx: TenantTx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`merge ${organizationId}`}, 0))`.execute(tx)
}

export async function findById(tx: TenantTx, organizationId: string, id: string): Promise<MergeItem | undefined> {
  const { rows } = await sql<MergeItem>`
    select ${columns} from feedback where organization_id = ${organizationId} and id = ${id}`.execute(tx)
  return rows[0]
}

export async function findByNumber(
  tx: TenantTx,
  organizationId: string,
  projectId: string,
  number: number,
): Promise<MergeItem | undefined> {
  const { rows } = await sql<MergeItem>`
    select ${columns} from feedback
    where organization_id = ${organizationId} and project_id = ${projectId} and number = ${number}`.execute(tx)
  return rows[0]
}

/** Puts items, and what is under them, under another one. @returns ids of all that moved. */
export async function moveUnder(
  tx: TenantTx,
  organizationId: string,
  ids: readonly string[],
  targetId: string,
): Promise<string[]> {
  const { rows } = await sql<Row<'feedback', 'id'>>`
    update feedback set merged_into = ${targetId}
    where organization_id = ${organizationId}
      and (id = any (${[...ids]}::uuid[]) or merged_into = any (${[...ids]}::uuid[]))
      and id <> ${targetId} and merged_into is distinct from ${targetId}
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Unmerges an item. An item that is not merged stays as it is. */
export async function takeOut(tx: TenantTx, organizationId: string, id: string): Promise<void> {
  await sql`
    update feedback set merged_into = null
    where organization_id = ${organizationId} and id = ${id} and merged_into is not null`.execute(tx)
}

/** Of the items those that are still under the one that this came out of: they come along. */
export async function takeAlong(
  tx: TenantTx,
  organizationId: string,
  { id, from, ids }: { id: string; from: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    update feedback set merged_into = ${id}
    where organization_id = ${organizationId} and id = any (${[...ids]}::uuid[]) and merged_into = ${from} and id <> ${id}`.execute(
    tx,
  )
}

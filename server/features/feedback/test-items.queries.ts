import { type RawBuilder, sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

export interface TestItemRow {
  readonly id: string
  readonly number: number
  readonly excerpt: string
  readonly isLocked: boolean
  readonly createdAt: Date
}

/** The latest test items of a project outside of the trash. */
export async function listTestItems(
  tx: SystemTx,
  { organizationId, projectId }: { organizationId: string; projectId: string },
  limit: number,
): Promise<TestItemRow[]> {
  const { rows } = await sql<TestItemRow>`
    select id, number, left(message, 120) as excerpt, locked as "isLocked", created_at as "createdAt" from feedback
    where organization_id = ${organizationId} and project_id = ${projectId} and source = 'test' and deleted_at is null
    order by number desc limit ${limit}
  `.execute(tx)
  return rows
}

export async function hasProject(
  tx: SystemTx,
  { organizationId, projectId }: { organizationId: string; projectId: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from projects where organization_id = ${organizationId} and id = ${projectId} and deleted_at is null
  `.execute(tx)
  return rows.length > 0
}

/** The item, if it is a test item. */
export function namedTestItem(organizationId: string, id: string): RawBuilder<unknown> {
  return sql`
    select organization_id, id from feedback
    where organization_id = ${organizationId} and id = ${id} and source = 'test'
    for update
  `
}

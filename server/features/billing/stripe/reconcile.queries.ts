import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

export async function startReport(tx: SystemTx): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into stripe_reconciliations default values returning id`.execute(tx)
  if (!rows[0]) throw new Error('the report was not written')
  return rows[0].id
}

export async function endReport(
  tx: SystemTx,
  id: string,
  { organizations, differences, failures }: { organizations: number; differences: number; failures: number },
): Promise<void> {
  await sql`
    update stripe_reconciliations
    set ended_at = now(), organizations = ${organizations}, differences = ${differences}, failures = ${failures}
    where id = ${id}
  `.execute(tx)
}

/** Organisations with a customer, after a position. */
export async function listBilledOrganizations(tx: SystemTx, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id from stripe_customers
    where ${after}::uuid is null or organization_id > ${after}::uuid
    order by organization_id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { Row, RowAs } from '#server/platform/database/row.ts'

/** Stripe's id of the organisation's customer. Undefined: it has none. */
export async function findCustomerId(tx: SystemTx, organizationId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select customer_id as id from stripe_customers where organization_id = ${organizationId}
  `.execute(tx)
  return rows[0]?.id
}

/** Takes the place of a customer that Stripe no longer has. */
export async function saveCustomerId(tx: SystemTx, organizationId: string, customerId: string): Promise<void> {
  await sql`
    insert into stripe_customers (organization_id, customer_id) values (${organizationId}, ${customerId})
    on conflict (organization_id) do update set customer_id = excluded.customer_id
  `.execute(tx)
}

/** Who pays, as invoices name them until the customer says otherwise. */
export interface Payer
  extends Readonly<RowAs<'organizations', { organizationName: 'name' }>>,
    Readonly<Row<'profiles', 'email'>> {}

/** Undefined: the organisation or the account is gone. */
export async function findPayer(tx: SystemTx, organizationId: string, userId: string): Promise<Payer | undefined> {
  const { rows } = await sql<Payer>`
    select o.name as "organizationName", p.email
    from organizations o
    join memberships m on m.organization_id = o.id and m.user_id = ${userId}
    join profiles p on p.user_id = m.user_id
    where o.id = ${organizationId}
  `.execute(tx)
  return rows[0]
}

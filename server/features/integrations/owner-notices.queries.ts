import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

interface Place {
  readonly organizationId: string
  readonly integrationId: string
}

/** Takes an integration that is disabled and whose owners were not emailed since. Undefined: there is none. */
export async function takeDisabled(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
): Promise<RowAs<'integrations', { type: 'type'; name: 'name'; reason: 'state_reason' }> | undefined> {
  const { rows } = await sql<RowAs<'integrations', { type: 'type'; name: 'name'; reason: 'state_reason' }>>`
    update integrations set disabled_mailed_at = now()
    where organization_id = ${organizationId} and id = ${integrationId} and state = 'disabled' and disabled_mailed_at is null
    returning type, name, state_reason as reason
  `.execute(tx)
  return rows[0]
}

// Days of the calendar, so that a warning comes on the day that owners expect, whatever the time of the token's end.
const daysLeft = sql`((credentials_end_at at time zone 'UTC')::date - (now() at time zone 'UTC')::date)`
const level = sql`(case when ${daysLeft} <= 1 then 1 when ${daysLeft} <= 7 then 7 else 30 end)`
/** One warning for each level of each token; of several levels that were missed, the last. */
const isDue = sql`
  state = 'active' and credentials_end_at > now() and credentials_end_at < now() + interval '32 days'
  and ${daysLeft} <= 30 and app.is_open_organization(organization_id)
  and (warned_end_at is distinct from credentials_end_at or warned_days > ${level})
`

/** Integrations whose token ends soon and whose owners were not warned yet, soonest first. */
export async function listEndingTokens(tx: SystemTx, limit: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select organization_id as "organizationId", id as "integrationId" from integrations
    where ${isDue} order by credentials_end_at limit ${limit}
  `.execute(tx)
  return rows
}

/** Takes a token whose end is to be warned of, and notes the warning. Undefined: it was already, or has changed. */
export async function takeEndingToken(
  tx: SystemTx,
  { organizationId, integrationId }: Place,
): Promise<(RowAs<'integrations', { type: 'type'; name: 'name' }> & { endsAt: Date; daysLeft: number }) | undefined> {
  const { rows } = await sql<
    RowAs<'integrations', { type: 'type'; name: 'name' }> & { endsAt: Date; daysLeft: number }
  >`
    update integrations set warned_end_at = credentials_end_at, warned_days = ${level}
    where organization_id = ${organizationId} and id = ${integrationId} and ${isDue}
    returning type, name, credentials_end_at as "endsAt", ${daysLeft} as "daysLeft"
  `.execute(tx)
  return rows[0]
}

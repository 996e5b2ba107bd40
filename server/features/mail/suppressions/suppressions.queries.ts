import { sql } from 'kysely'
import type { SuppressionFilters, SuppressionReason } from '#contract/email-suppressions.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { TimePlace } from '#server/platform/http/time-cursor.ts'

export interface SuppressionRow {
  readonly id: string
  readonly address: string
  readonly reason: SuppressionReason
  readonly since: Date
  /** For {@link TimePlace}. */
  readonly place: string
}

const columns = sql`s.id, s.address, s.reason, s.since, s.since::text as place`

/** Suppressed addresses that contain the words. */
export async function listSuppressions(
  tx: SystemTx,
  { search = '', order }: SuppressionFilters,
  { after, limit }: { after: TimePlace | undefined; limit: number },
): Promise<SuppressionRow[]> {
  const [beyond, direction] = order === 'oldest' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`]
  const { rows } = await sql<SuppressionRow>`
    select ${columns} from email_suppressions s
    where strpos(s.address, ${search.trim().toLowerCase()}) > 0
      and ${after ? sql`(s.since, s.id) ${beyond} (${after.at}::timestamptz, ${after.id}::uuid)` : sql`true`}
    order by s.since ${direction}, s.id ${direction} limit ${limit}
  `.execute(tx)
  return rows
}

/** Suppresses an address. A suppressed one keeps its reason, unless emails to it bounce now. @returns whether it is new. */
export async function suppress(tx: SystemTx, address: string, reason: SuppressionReason): Promise<boolean> {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into email_suppressions as s (address, reason) values (${address.toLowerCase()}, ${reason})
    on conflict (address) do update set reason = excluded.reason
      where excluded.reason = 'hard_bounce' and s.reason <> 'hard_bounce'
    returning xmax = 0 as "isNew"
  `.execute(tx)
  return rows[0]?.isNew ?? false
}

export async function findSuppression(tx: SystemTx, address: string): Promise<SuppressionRow | undefined> {
  const { rows } = await sql<SuppressionRow>`
    select ${columns} from email_suppressions s where s.address = ${address.toLowerCase()}`.execute(tx)
  return rows[0]
}

/** @returns the address; undefined: there is no such suppression. */
export async function deleteSuppression(tx: SystemTx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    delete from email_suppressions where id = ${id} returning address`.execute(tx)
  return rows[0]?.address
}

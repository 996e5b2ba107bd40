import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'
import type { RowAs } from '#server/platform/database/row.ts'

/** Those of the addresses, in lower case, that belong to members with a confirmed, usable account. */
export async function listMemberAddresses(
  tx: SystemTx,
  organizationId: string,
  addresses: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct lower(a.email) as email
    from memberships m
    join profiles p on p.user_id = m.user_id and lower(p.email) = any (${[...addresses]}::text[])
    cross join lateral app.find_mailable(m.user_id) as a (email)
    where m.organization_id = ${organizationId}
  `.execute(tx)
  return rows.map(({ email }) => email)
}

export interface MailFrame
  extends Readonly<RowAs<'organizations', { organizationName: 'name'; holdsWords: 'mails_hold_words' }>> {}

/** Undefined: the organisation no longer exists. */
export async function findMailFrame(tx: SystemTx, organizationId: string): Promise<MailFrame | undefined> {
  const { rows } = await sql<MailFrame>`
    select name as "organizationName", mails_hold_words as "holdsWords" from organizations where id = ${organizationId}
  `.execute(tx)
  return rows[0]
}

/** Whether the organisation sent so many emails of a kind to the address within the last hour, apart from this one. */
export async function hasEnoughEmails(
  tx: SystemTx,
  {
    organizationId,
    to,
    kind,
    id,
    most,
  }: { organizationId: string; to: string; kind: string; id: string; most: number },
): Promise<boolean> {
  const { rows } = await sql<{ isEnough: boolean }>`
    select count(*) >= ${most} and not coalesce(bool_or(id = ${id}), false) as "isEnough"
    from app.emails
    where to_address = ${to} and created_at > now() - interval '1 hour'
      and organization_id = ${organizationId} and kind = ${kind}
  `.execute(tx)
  return rows[0]?.isEnough ?? false
}

/** Whom an item is assigned to; undefined: no one, or no member with a confirmed, usable account. */
export async function findAssignee(
  tx: SystemTx,
  organizationId: string,
  userId: string | null,
): Promise<{ email: string; name: string | null } | undefined> {
  const { rows } = await sql<{ email: string; name: string | null }>`
    select a.email, nullif(p.full_name, '') as name
    from memberships m
    join profiles p on p.user_id = m.user_id
    cross join lateral app.find_mailable(m.user_id) as a (email)
    where m.organization_id = ${organizationId} and m.user_id = ${userId}
  `.execute(tx)
  return rows[0]
}

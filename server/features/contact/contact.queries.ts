import { sql } from 'kysely'
import type { ContactMessage } from '#contract/contact.ts'
import type { SystemTx } from '#server/platform/database/database.ts'

/** @returns whether it is new: a repeated request changes nothing. */
export async function insertMessage(
  tx: SystemTx,
  { id, topic, name, email, message, isSpam }: Omit<ContactMessage, 'website'> & { isSpam: boolean },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('contact_messages')
    .values({ id, topic, name, email, message, is_spam: isSpam })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Deletes messages that are older than so many days. @returns how many. */
export async function deleteOldMessages(tx: SystemTx, days: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from contact_messages where id in (
      select id from contact_messages where created_at < now() - make_interval(days => ${days})
      order by created_at limit ${limit}
    )
  `.execute(tx)
  return Number(numAffectedRows)
}

/** The address of who became superadmin first; undefined: there is none. */
export async function findSuperadminEmail(tx: SystemTx): Promise<string | undefined> {
  const { rows } = await sql<{ email: string }>`
    select a.email from app.superadmins s
    cross join lateral app.find_mailable(s.user_id) as a (email)
    order by s.granted_at, s.user_id limit 1
  `.execute(tx)
  return rows[0]?.email
}

type OpenMessageRow = Pick<ContactMessage, 'id' | 'topic' | 'name' | 'email' | 'message'> & { readonly createdAt: Date }

/** Messages that are not marked as answered, the oldest first. */
export async function listOpenMessages(
  tx: SystemTx,
  limit: number,
): Promise<{ rows: OpenMessageRow[]; count: number }> {
  const { rows } = await sql<OpenMessageRow>`
    select id, topic, name, email, message, created_at as "createdAt" from contact_messages
    where answered_at is null and not is_spam order by created_at, id limit ${limit}
  `.execute(tx)
  const counted = await sql<{ count: number }>`
    select count(*) as count from contact_messages where answered_at is null and not is_spam
  `.execute(tx)
  return { rows, count: counted.rows[0]?.count ?? 0 }
}

/** @returns when it was answered, which is kept if it was already, and whether that is new; undefined: no such message. */
export async function markMessage(
  tx: SystemTx,
  { id, isAnswered, userId }: { id: string; isAnswered: boolean; userId: string },
): Promise<{ answeredAt: Date | null; hasChanged: boolean; email: string } | undefined> {
  const { rows } = await sql<{ answeredAt: Date | null; hasChanged: boolean; email: string }>`
    with before as (select id, answered_at from contact_messages where id = ${id} for update)
    update contact_messages m
    set answered_at = case when ${isAnswered} then coalesce(m.answered_at, now()) end,
      answered_by = case when ${isAnswered} then coalesce(answered_by, ${userId}::uuid) end
    from before b where m.id = b.id
    returning m.answered_at as "answeredAt", m.email,
      (b.answered_at is null) <> (m.answered_at is null) as "hasChanged"
  `.execute(tx)
  return rows[0]
}

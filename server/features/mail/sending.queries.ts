import { sql } from 'kysely'
import type { SystemTx } from '#server/platform/database/database.ts'

/* What the job that sends emails reads and records. */

/** Reads an email that is not yet sent or given up and counts the attempt; undefined when there is none. */
export async function beginSending(tx: SystemTx, id: string) {
  return tx
    .updateTable('app.emails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning(['id', 'to_address', 'subject', 'html', 'text', 'attempts', 'created_at', 'sender_name', 'refers_to'])
    .returning(['unsubscribe_url', 'reply_to', 'retried_at'])
    .executeTakeFirst()
}

// The body is deleted after sending: it may contain a link that signs someone in.
export async function markSent(tx: SystemTx, id: string): Promise<void> {
  await tx
    .updateTable('app.emails')
    .set({ sent_at: sql`now()`, html: '', text: '', last_error: null })
    .where('id', '=', id)
    .execute()
}

/** Gives an email up. Its body is kept for a while, so that a superadmin can send it again. */
export async function markGivenUp(tx: SystemTx, id: string, reason: string): Promise<void> {
  await tx.updateTable('app.emails').set({ failed_at: sql`now()`, last_error: reason }).where('id', '=', id).execute()
}

/** Records how an attempt ended. `answer` null: the mail server accepted the email. */
export async function recordAttempt(
  tx: SystemTx,
  { id, number, answer }: { id: string; number: number; answer: string | null },
): Promise<void> {
  await sql`
    insert into app.email_attempts (email_id, number, answer)
    select e.id, ${number}::integer, ${answer}::text from app.emails e where e.id = ${id} on conflict do nothing
  `.execute(tx)
}

/**
 * Gives up an email that is to be sent to a suppressed address.
 *
 * @param exempt kinds that are refused only where emails to the address bounce.
 * @returns whether it was given up.
 */
export async function suppressSending(tx: SystemTx, id: string, exempt: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    update app.emails e set failed_at = now(), suppressed_at = now(), last_error = 'address suppressed: ' || s.reason
    from email_suppressions s
    where e.id = ${id} and e.sent_at is null and e.failed_at is null and s.address = lower(e.to_address)
      and (s.reason = 'hard_bounce' or e.kind <> all (${[...exempt]}::text[]))
    returning e.id
  `.execute(tx)
  return rows.length > 0
}

/**
 * Requeues the job of an email, which counts as no attempt.
 *
 * @param exempt kinds that are not held back.
 * @returns whether it is held back.
 */
export async function holdSending(
  tx: SystemTx,
  id: string,
  exempt: readonly string[],
  seconds: number,
): Promise<boolean> {
  const { rows } = await sql`
    select app.enqueue_job('send_email', ${JSON.stringify({ emailId: id })}, ${`send_email:${id}`},
      now() + make_interval(secs => ${seconds}))
    from app.emails where id = ${id} and kind <> all (${[...exempt]}::text[])
  `.execute(tx)
  return rows.length > 0
}

/** Records why it was not sent, and requeues its job. */
export async function postponeSending(
  tx: SystemTx,
  { id, reason, seconds }: { id: string; reason: string; seconds: number },
): Promise<void> {
  await tx.updateTable('app.emails').set({ last_error: reason }).where('id', '=', id).execute()
  await sql`select app.enqueue_job('send_email', ${JSON.stringify({ emailId: id })}, ${`send_email:${id}`},
    now() + make_interval(secs => ${seconds}))`.execute(tx)
}

import { sql } from 'kysely'
import type { AuthTx, SystemTx } from '#server/platform/database/database.ts'
import type { RenderedMail } from './mail-layout.ts'

export async function insertEmail(
  tx: AuthTx | SystemTx,
  { id, to, mail }: { id: string; to: string; mail: RenderedMail },
): Promise<void> {
  await sql`select app.queue_email(${id}, ${mail.kind}, ${to}, ${mail.subject}, ${mail.html}, ${mail.text})`.execute(tx)
}

/** Asks for one mail of a kind to an address: 0 when it may go, else the seconds until it may. */
export async function beginEmailPause(
  tx: AuthTx | SystemTx,
  { kind, to, seconds }: { kind: string; to: string; seconds: number },
): Promise<number> {
  const { rows } = await sql<{ wait: number }>`
    select app.begin_email_pause(${kind}, ${to}, ${seconds}) as wait`.execute(tx)
  return rows[0]?.wait ?? 0
}

/** A mail not yet sent or given up, counting the attempt; undefined when there is nothing left to do. */
export async function beginSending(tx: SystemTx, id: string) {
  return tx
    .updateTable('app.emails')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('sent_at', 'is', null)
    .where('failed_at', 'is', null)
    .returning(['id', 'to_address', 'subject', 'html', 'text'])
    .executeTakeFirst()
}

// The body goes with the sending: it may hold a link that signs someone in.
export async function markSent(tx: SystemTx, id: string): Promise<void> {
  await tx
    .updateTable('app.emails')
    .set({ sent_at: sql`now()`, html: '', text: '', last_error: null })
    .where('id', '=', id)
    .execute()
}

export async function markGivenUp(tx: SystemTx, id: string, reason: string): Promise<void> {
  await tx
    .updateTable('app.emails')
    .set({ failed_at: sql`now()`, html: '', text: '', last_error: reason })
    .where('id', '=', id)
    .execute()
}

export async function markFailed(tx: SystemTx, id: string, reason: string): Promise<void> {
  await tx.updateTable('app.emails').set({ last_error: reason }).where('id', '=', id).execute()
}

/** Pauses are short: what is a day old says nothing any more. */
export async function deleteOldPauses(tx: SystemTx): Promise<void> {
  await tx.deleteFrom('app.email_pauses').where('asked_at', '<', sql<Date>`now() - interval '1 day'`).execute()
}

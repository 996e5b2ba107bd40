import { v7 as uuidV7 } from 'uuid'
import type { AuthTx, SystemTx } from '#server/platform/database/database.ts'
import { type ConfirmSignUp, renderConfirmSignUp } from './confirm-sign-up.mail.ts'
import * as queries from './mail.queries.ts'
import type { RenderedMail } from './mail-layout.ts'

export type { RenderedMail } from './mail-layout.ts'

/**
 * Puts a mail into the outbox, in the caller's transaction: it is sent if, and only if, that commits.
 *
 * @returns the mail's id.
 */
export async function queueEmail(tx: AuthTx | SystemTx, to: string, mail: RenderedMail): Promise<string> {
  const id = uuidV7()
  await queries.insertEmail(tx, { id, to, mail })
  return id
}

/** Queues the mail that a sign-up waits for. */
export async function queueConfirmSignUp(tx: AuthTx | SystemTx, content: ConfirmSignUp): Promise<void> {
  await queueEmail(tx, content.to, renderConfirmSignUp(content))
}

/**
 * Asks to send one mail of a kind to an address, and begins the pause before the next, for known and unknown
 * addresses alike and for every process.
 *
 * @param seconds length of the pause; 0 grants always.
 * @returns 0 when granted, else the seconds left.
 */
export function beginEmailPause(tx: AuthTx | SystemTx, kind: string, to: string, seconds: number): Promise<number> {
  return queries.beginEmailPause(tx, { kind, to, seconds })
}

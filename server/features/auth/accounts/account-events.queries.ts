import { sql } from 'kysely'
import type { EventName, PayloadOf } from '#contract/events.ts'
import type { AuthTx } from '#server/platform/database/database.ts'

type AccountEventName = Extract<EventName, `account.${string}`>

/**
 * Records an event of an account in each organisation of its user, for their audit logs (decision 019).
 *
 * @param event.isOwn whether the user did it; false: someone who proved nothing.
 */
export async function recordAccountEvent<const N extends AccountEventName>(
  tx: AuthTx,
  event: { userId: string; name: N; payload: PayloadOf<N>; isOwn: boolean },
): Promise<void> {
  const { userId, name, payload, isOwn } = event
  await sql`
    select app.record_account_event(${userId}, ${name}, ${JSON.stringify(payload)}::jsonb, ${isOwn ? userId : null})
  `.execute(tx)
}

import { Check } from 'typebox/value'
import { type EventName, events, type PayloadOf } from '#contract/events.ts'
import type { SystemTx, TenantTx } from '../database/database.ts'
import { insertEvent } from './events.queries.ts'

export interface NewEvent<N extends EventName> {
  readonly organizationId: string
  readonly name: N
  readonly ids: readonly string[]
  readonly payload: PayloadOf<N>
  /** The actor a job works for. A signed-in caller is always the actor. */
  readonly actorUserId?: string | null
  /**
   * `never`: immediate subscribers do not hear of it. For events that interest none, and for writers that send one live
   * message at the end of many. Default `commit`: they hear of it when the transaction commits.
   */
  readonly announced?: 'commit' | 'never'
}

/**
 * Records an event in the caller's transaction. Its subscribers run if, and only if, that transaction commits. Of one transaction, organisation and name there is one row: a second call adds its ids to it.
 *
 * @throws when the payload is none of this event's, or the caller does not belong to the organisation.
 */
export async function recordEvent<const N extends EventName>(
  tx: TenantTx | SystemTx,
  event: NewEvent<N>,
): Promise<void> {
  if (!Check(events[event.name].payload, event.payload)) throw new Error(`the payload of ${event.name} does not fit`)
  await insertEvent(tx, { actorUserId: null, announced: 'commit', ...event })
}

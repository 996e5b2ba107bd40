import type { PayloadOf } from '#contract/events.ts'
import type { AuthParts } from '../auth-parts.ts'
import { recordAccountEvent } from './account-events.queries.ts'

/** Records a wrong password for an account. A few an hour tell of an attack; more would fill the logs. */
export async function recordWrongProof(
  { database, limits }: Pick<AuthParts, 'database' | 'limits'>,
  userId: string,
  proof: PayloadOf<'account.proof_failed'>['proof'],
): Promise<void> {
  if ((await limits.wrongProof.take(userId)) !== undefined) return
  await database.asAuthAdmin('wrong password', (tx) =>
    recordAccountEvent(tx, { userId, name: 'account.proof_failed', payload: { proof }, isOwn: false }),
  )
}

import type { PayloadOf } from '#contract/events.ts'
import type { SystemTx } from '#server/platform/database/database.ts'
import { recordEvent } from '#server/platform/events/record-event.ts'
import { invalid } from '#server/platform/http/invalid.ts'

type BillingAct = PayloadOf<'superadmin.billing_changed'>

/**
 * Records what a superadmin does, for the audit log.
 *
 * @throws ProductError `validation_failed` for a blank reason.
 */
export async function recordAct(tx: SystemTx, organizationId: string, act: BillingAct): Promise<void> {
  const reason = act.reason.trim()
  if (reason === '') throw invalid('body.reason', 'must not be blank')
  await recordEvent(tx, {
    organizationId,
    name: 'superadmin.billing_changed',
    ids: [organizationId],
    payload: { ...act, reason },
    announced: 'never',
  })
}

import type { OwedPayment } from '#contract/billing.ts'
import { describePlanWarning } from '../shared/describe-plan-warning.ts'
import type { PlanNotice } from './use-plan-notice.ts'

interface NoticeWords {
  readonly text: string
  /** For owners: where they can do something about it. */
  readonly to: string
  readonly action: string
  /** For everyone else. */
  readonly wish: string
}

const payment = { to: '/dashboard/settings/billing', wish: 'Ask an owner to pay it.' }
const choice = { to: '/plan-selection', action: 'Compare plans', wish: 'Ask an owner to choose a plan.' }

/** @param owed how far the unpaid invoice got, where it is known. */
export function describePlanNotice(notice: PlanNotice, owed?: OwedPayment['state']): NoticeWords {
  switch (notice.kind) {
    case 'past_due':
      return owed === 'action_required'
        ? { ...payment, text: 'Your bank asks you to confirm a payment.', action: 'Confirm payment' }
        : { ...payment, text: 'The last payment failed. Pay it to keep your plan.', action: 'Open billing' }
    case 'plan_over':
      return { ...choice, text: 'Your plan has ended. New feedback is locked.' }
    default:
      return { ...choice, text: describePlanWarning(notice) }
  }
}

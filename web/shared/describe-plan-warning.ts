import type { PlanWarning } from '#contract/plans.ts'
import { locale } from '#web/lib/locale.ts'

const number = new Intl.NumberFormat(locale)

/** A warning about a limit or a trial, in one line. */
export function describePlanWarning({ kind, level, used, max }: PlanWarning): string {
  const share = `${number.format(used ?? 0)} of ${number.format(max ?? 0)}`
  switch (kind) {
    case 'trial_ended':
      return 'Your trial has ended. New feedback is locked.'
    case 'trial_expiring':
      return level === 1 ? 'Your trial ends within a day.' : `Your trial ends within ${level} days.`
    case 'payment_failed':
      return 'The last payment failed. Check your payment method.'
    case 'payment_action_required':
      return 'Your bank asks you to confirm a payment.'
    case 'plan_ended':
      return 'Your plan has ended. New feedback is locked.'
    case 'items':
      return level >= 100
        ? `You have reached the limit of ${number.format(max ?? 0)} items this month. New feedback is locked.`
        : `${share} feedback items this month used.`
    case 'projects':
    case 'members':
      return `${share} ${kind} used.`
  }
}

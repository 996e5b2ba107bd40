import { expect, it } from 'vitest'
import { describePlanWarning } from './describe-plan-warning.ts'

const warnedAt = '2026-11-23T09:00:00.000Z'

it.each([
  ['trial_ended', 0, null, null, 'Your trial has ended. New feedback is locked.'],
  ['trial_expiring', 1, null, null, 'Your trial ends within a day.'],
  ['trial_expiring', 7, null, null, 'Your trial ends within 7 days.'],
  ['items', 80, 4000, 5000, '4,000 of 5,000 feedback items this month used.'],
  ['items', 100, 500, 500, 'You have reached the limit of 500 items this month. New feedback is locked.'],
  ['payment_failed', 0, null, null, 'The last payment failed. Check your payment method.'],
  ['payment_action_required', 0, null, null, 'Your bank asks you to confirm a payment.'],
  ['plan_ended', 0, null, null, 'Your plan has ended. New feedback is locked.'],
  ['projects', 100, 3, 3, '3 of 3 projects used.'],
] as const)('words a warning of %s at %s', (kind, level, used, max, words) => {
  expect(describePlanWarning({ kind, level, used, max, warnedAt })).toBe(words)
})

import { expect, it } from 'vitest'
import { describePlanNotice } from './describe-plan-notice.ts'

const billing = '/dashboard/settings/billing'

it('leads owners to what is owed', () => {
  expect(describePlanNotice({ kind: 'past_due' })).toMatchObject({
    text: 'The last payment failed. Pay it to keep your plan.',
    to: billing,
    wish: 'Ask an owner to pay it.',
  })
  expect(describePlanNotice({ kind: 'past_due' }, 'action_required')).toMatchObject({
    text: 'Your bank asks you to confirm a payment.',
    to: billing,
    action: 'Confirm payment',
  })
})

it('tells an ended plan from an ended trial', () => {
  const trial = { kind: 'trial_ended', level: 0, used: null, max: null, warnedAt: '' } as const
  expect(describePlanNotice({ kind: 'plan_over' }).text).toBe('Your plan has ended. New feedback is locked.')
  expect(describePlanNotice(trial)).toMatchObject({
    text: 'Your trial has ended. New feedback is locked.',
    to: '/plan-selection',
  })
})

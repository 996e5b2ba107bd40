import { expect, it } from 'vitest'
import { describeRunningPlan } from './describe-running-plan.ts'

const periodEnd = '2031-05-01T00:00:00.000Z'
const cancelAt = '2031-06-01T00:00:00.000Z'

it.each([
  ['active', null, 'Renews on 2031-05-01.', false],
  ['past_due', null, 'The last payment failed. Your plan stays active while we try again.', true],
  ['active', cancelAt, 'Your plan ends on 2031-06-01. It is not renewed.', true],
  ['past_due', cancelAt, 'Your plan ends on 2031-06-01. It is not renewed.', true],
  ['expired', null, 'Your plan has ended, because it was not paid. New feedback is stored and locked.', true],
] as const)('says of a plan that is %s and ends at %s: %s', (status, end, text, isWarning) => {
  const words = describeRunningPlan(status, { periodEnd, cancelAt: end }, (instant) => instant.slice(0, 10))
  expect(words).toEqual({ text, isWarning })
})

it('names no day before the first period is known', () => {
  expect(describeRunningPlan('active', { periodEnd: null, cancelAt: null }, () => '').text).toBe('Renews by itself.')
})

import { describe, expect, it } from 'vitest'
import { findPlanStanding } from './plan-standing.ts'

const now = Date.parse('2026-11-21T12:00:00Z')
const later = '2026-11-30T12:00:00Z'
const earlier = '2026-11-20T12:00:00Z'

describe('findPlanStanding', () => {
  it.each([
    ['self_hosted', null, 'not_needed'],
    ['trialing', later, 'on_trial'],
    ['trialing', earlier, 'trial_over'],
    ['expired', earlier, 'trial_over'],
    ['canceled', earlier, 'plan_over'],
    ['active', earlier, 'on_plan'],
    ['past_due', earlier, 'on_plan'],
  ])('reads %s, trial until %s, as %s', (subscriptionStatus, trialEndsAt, kind) => {
    expect(findPlanStanding({ subscriptionStatus, trialEndsAt, subscriptionPlanId: null }, now).kind).toBe(kind)
  })

  it('tells a plan that was not paid from a trial', () => {
    const unpaid = { subscriptionStatus: 'expired', trialEndsAt: earlier, subscriptionPlanId: 'growth' }
    expect(findPlanStanding(unpaid, now).kind).toBe('plan_over')
  })

  it('is unknown for a visitor who is not signed in', () => {
    expect(findPlanStanding(undefined, now).kind).toBe('unknown')
  })
})

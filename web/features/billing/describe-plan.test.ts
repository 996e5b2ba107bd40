import { describe, expect, it } from 'vitest'
import type { PlanOffer } from '#contract/plans.ts'
import { describeLimit, describeLimits, describeSaving, formatPrice } from './describe-plan.ts'

const growth: PlanOffer = {
  id: '0190b5a0-0000-7000-8000-000000000001',
  key: 'growth',
  name: 'Growth',
  forWhom: '',
  monthlyCents: 4_900,
  yearlyCents: 49_000,
  maxProjects: 10,
  maxMembers: 15,
  maxItemsPerMonth: 5_000,
}

describe('formatPrice', () => {
  it('shows cents only where there are some', () => {
    expect([4_900, 129_000, 1_950, 0].map(formatPrice)).toEqual(['$49', '$1,290', '$19.50', '$0'])
  })
})

describe('describeLimits', () => {
  it('lists the limits of a plan', () => {
    expect(describeLimits(growth)).toEqual([
      '10 projects',
      '15 members, and unlimited viewers',
      '5,000 feedback items a month',
    ])
    expect(describeLimits({ ...growth, maxProjects: 1, maxMembers: 1, maxItemsPerMonth: 1 })).toEqual([
      '1 project',
      '1 member, and unlimited viewers',
      '1 feedback item a month',
    ])
    expect(describeLimits({ ...growth, maxProjects: null, maxMembers: null, maxItemsPerMonth: null })).toEqual([
      'Unlimited projects',
      'Unlimited members',
      'Unlimited feedback',
    ])
  })
})

it('names a limit alone', () => {
  expect([null, 1, 5_000].map(describeLimit)).toEqual(['Unlimited', '1', '5,000'])
})

describe('describeSaving', () => {
  it('names the months that all plans save', () => {
    expect(describeSaving([growth, { ...growth, monthlyCents: 1_900, yearlyCents: 19_000 }])).toBe(
      'Pay for 10 months, get 12.',
    )
  })

  it('says nothing where plans differ, save nothing, or are free', () => {
    expect(describeSaving([growth, { ...growth, yearlyCents: 53_900 }])).toBeUndefined()
    expect(describeSaving([{ ...growth, yearlyCents: 58_800 }])).toBeUndefined()
    expect(describeSaving([{ ...growth, monthlyCents: 0, yearlyCents: 0 }])).toBeUndefined()
    expect(describeSaving([])).toBeUndefined()
  })
})

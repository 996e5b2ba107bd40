import { describe, expect, it } from 'vitest'
import { computePrice, describeLimits, plans } from './plans.ts'

describe('computePrice', () => {
  it('counts a year as ten months', () => {
    expect(plans.map((plan) => [plan.name, computePrice(plan, 'month'), computePrice(plan, 'year')])).toEqual([
      ['Starter', 19, 190],
      ['Growth', 49, 490],
      ['Business', 129, 1290],
    ])
  })
})

describe('describeLimits', () => {
  it('lists the limits of each plan', () => {
    expect(plans.map(describeLimits)).toEqual([
      ['3 projects', '5 members, and unlimited viewers', '500 feedback items a month'],
      ['10 projects', '15 members, and unlimited viewers', '5,000 feedback items a month'],
      ['Unlimited projects', 'Unlimited members', '50,000 feedback items a month'],
    ])
  })
})

import { describe, expect, it } from 'vitest'
import type { Coupon } from '#contract/coupons.ts'
import { describeDiscount, describeUse } from './describe-coupon.ts'

const coupon: Coupon = {
  id: 'promo_1',
  code: 'SPRING',
  percentOff: 20,
  amountOffCents: null,
  currency: null,
  duration: 'repeating',
  months: 3,
  maxRedemptions: 10,
  redemptions: 3,
  expiresAt: null,
  state: 'active',
  createdAt: '2026-01-01T00:00:00.000Z',
}

describe('describeDiscount', () => {
  it.each([
    [{}, '20 % off for 3 months'],
    [{ months: 1 }, '20 % off for 1 month'],
    [{ duration: 'once', months: null }, '20 % off one invoice'],
    [
      { percentOff: null, amountOffCents: 500, currency: 'usd', duration: 'forever', months: null },
      '$5 off every invoice',
    ],
  ] as const)('says of %j: %s', (change, text) => {
    expect(describeDiscount({ ...coupon, ...change })).toBe(text)
  })
})

describe('describeUse', () => {
  it.each([
    [{}, 'Redeemed 3 of 10 times'],
    [{ maxRedemptions: null }, 'Redeemed 3 times'],
    [{ maxRedemptions: null, redemptions: 1 }, 'Redeemed once'],
    [{ maxRedemptions: null, redemptions: 0 }, 'Not redeemed yet'],
  ])('says of %j: %s', (change, text) => {
    expect(describeUse({ ...coupon, ...change })).toBe(text)
  })
})

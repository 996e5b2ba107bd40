import { describe, expect, it } from 'vitest'
import { checkValue, emptyCoupon, readCouponDraft } from './coupon-draft.ts'

describe('readCouponDraft', () => {
  it('reads percentages, amounts and what is left empty', () => {
    const none = { months: null, maxRedemptions: null, expiresAt: null }
    expect(readCouponDraft({ ...emptyCoupon, code: ' SPRING ', value: '12,5' })).toEqual({
      code: 'SPRING',
      percentOff: 12.5,
      amountOffCents: null,
      duration: 'once',
      ...none,
    })
    const draft = {
      ...emptyCoupon,
      code: 'TEN',
      kind: 'amount',
      value: '$10',
      duration: 'repeating',
      limit: '5',
    } as const
    expect(readCouponDraft(draft)).toMatchObject({
      percentOff: null,
      amountOffCents: 1000,
      months: 3,
      maxRedemptions: 5,
    })
  })
})

describe('checkValue', () => {
  it.each(['', '0', '101', '1e1', '-5', '12.345'])('refuses %j percent', (value) => {
    expect(checkValue(value, emptyCoupon)).not.toBe(true)
  })

  it.each(['0.01', '100', '33,3'])('takes %j percent', (value) => {
    expect(checkValue(value, emptyCoupon)).toBe(true)
  })
})

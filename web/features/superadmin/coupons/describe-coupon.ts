import type { Coupon } from '#contract/coupons.ts'
import { formatCents } from '../format-money.ts'

/** `20 % off for 3 months`. */
export function describeDiscount({ percentOff, amountOffCents, currency, duration, months }: Coupon): string {
  const discount =
    percentOff !== null
      ? `${percentOff} %`
      : formatCents(amountOffCents ?? 0, { currency: currency ?? 'usd', isShort: true })
  return `${discount} off ${describeDuration(duration, months)}`
}

/** `Redeemed 3 of 10 times`. */
export function describeUse({ redemptions, maxRedemptions }: Coupon): string {
  if (maxRedemptions !== null) return `Redeemed ${redemptions} of ${maxRedemptions} times`
  if (redemptions === 0) return 'Not redeemed yet'
  return redemptions === 1 ? 'Redeemed once' : `Redeemed ${redemptions} times`
}

function describeDuration(duration: Coupon['duration'], months: number | null): string {
  if (duration === 'once') return 'one invoice'
  if (duration === 'forever') return 'every invoice'
  return months === 1 ? 'for 1 month' : `for ${months} months`
}

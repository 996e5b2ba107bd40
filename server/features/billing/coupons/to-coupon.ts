import type Stripe from 'stripe'
import { type Coupon, type CouponDuration, couponDurations } from '#contract/coupons.ts'

/** @param code with its coupon expanded */
export function toCoupon(code: Stripe.PromotionCode): Coupon {
  const { coupon } = code.promotion
  // Undefined: the coupon was deleted at Stripe.
  const found = typeof coupon === 'string' ? undefined : (coupon ?? undefined)
  const maxRedemptions = code.max_redemptions ?? found?.max_redemptions ?? null
  const expiresAt = code.expires_at ?? found?.redeem_by ?? null
  return {
    id: code.id,
    code: code.code,
    percentOff: found?.percent_off ?? null,
    amountOffCents: found?.amount_off ?? null,
    currency: found?.currency ?? null,
    duration: toDuration(found?.duration),
    months: found?.duration_in_months ?? null,
    maxRedemptions,
    expiresAt: expiresAt === null ? null : toTimestamp(expiresAt),
    redemptions: code.times_redeemed,
    state: findState(code, { maxRedemptions, expiresAt }),
    createdAt: toTimestamp(code.created),
  }
}

function findState(
  { active, times_redeemed: redemptions }: Stripe.PromotionCode,
  { maxRedemptions, expiresAt }: { maxRedemptions: number | null; expiresAt: number | null },
): Coupon['state'] {
  // Before `active`, which Stripe turns off for these, too.
  if (maxRedemptions !== null && redemptions >= maxRedemptions) return 'used_up'
  if (expiresAt !== null && expiresAt * 1000 <= Date.now()) return 'expired'
  return active ? 'active' : 'deactivated'
}

/** Stripe's types leave room for further ones. */
function toDuration(duration: string | undefined): CouponDuration {
  return couponDurations.find((each) => each === duration) ?? 'once'
}

function toTimestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

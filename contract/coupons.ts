import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** How long a coupon lowers the price: of one invoice, of those of some months, or of all. */
export const couponDurations = ['once', 'repeating', 'forever'] as const
export type CouponDuration = (typeof couponDurations)[number]

/** `used_up`: its limit is reached. */
export const couponStates = ['active', 'deactivated', 'expired', 'used_up'] as const
export type CouponState = (typeof couponStates)[number]

export const couponOrders = ['latest', 'oldest', 'redemptions'] as const
export type CouponOrder = (typeof couponOrders)[number]

const maxCents = 99_999_999
const closed = { additionalProperties: false } as const
const discount = {
  /** Either this or an amount. */
  percentOff: nullable(Type.Number({ exclusiveMinimum: 0, maximum: 100, multipleOf: 0.01 })),
  /** In cents of a US dollar, of each invoice. */
  amountOffCents: nullable(Type.Integer({ minimum: 1, maximum: maxCents })),
  duration: Type.Enum([...couponDurations]),
  /** With `repeating`, and only then. */
  months: nullable(Type.Integer({ minimum: 1, maximum: 36 })),
  /** How often it can be redeemed, by all customers together; null: without limit. */
  maxRedemptions: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  /** When it can no longer be redeemed; null: it does not expire. */
  expiresAt: nullable(Timestamp),
}

/** A code that customers enter, and the discount that it gives. Stripe keeps it. */
export const Coupon = Type.Object({
  /** Stripe's id of the promotion code. */
  id: Type.String(),
  code: Type.String(),
  ...discount,
  percentOff: nullable(Type.Number()),
  /** Of a coupon that was made at Stripe. */
  currency: nullable(Type.String()),
  redemptions: Type.Integer(),
  state: Type.Enum([...couponStates]),
  createdAt: Timestamp,
})
export type Coupon = Static<typeof Coupon>

export const NewCoupon = Type.Object(
  {
    /** Made by the caller. Sent again, the same coupon is meant. */
    id: Uuid,
    /** Customers may enter it in any case. */
    code: Type.String({ pattern: '^[A-Za-z0-9-]+$', minLength: 3, maxLength: 40 }),
    ...discount,
  },
  closed,
)
export type NewCoupon = Static<typeof NewCoupon>

const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const base = '/api/v1/superadmin/coupons'

const filters = {
  /** Part of the code. */
  search: Type.Optional(line({ maxLength: 100 })),
  state: Type.Optional(Type.Enum([...couponStates])),
  /** Default: the latest first. Stripe has that order alone: the others sort the latest 2,000. */
  order: Type.Optional(Type.Enum([...couponOrders])),
}
const CouponFilters = Type.Object(filters, closed)
export type CouponFilters = Static<typeof CouponFilters>

export const exportCoupons = route({
  ...superadmin,
  operationId: 'exportCoupons',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download coupons and how often each was redeemed as CSV',
  body: CouponFilters,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: ['payments_not_configured', 'payments_unavailable'],
  rate: 'write',
})

export const listCoupons = route({
  ...superadmin,
  operationId: 'listCoupons',
  method: 'GET',
  path: base,
  summary: 'List coupons and how often each was redeemed, from Stripe',
  query: Type.Object(
    {
      ...filters,
      cursor: Type.Optional(Type.String({ maxLength: 255, pattern: '^promo_[A-Za-z0-9_]+$' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(Coupon), nextCursor: nullable(Type.String()) }) },
  errors: ['payments_not_configured', 'payments_unavailable'],
  rate: 'read',
})

export const createCoupon = route({
  ...superadmin,
  operationId: 'createCoupon',
  method: 'POST',
  path: base,
  summary: 'Create a coupon at Stripe',
  body: NewCoupon,
  replies: { 201: Coupon },
  errors: ['coupon_code_taken', 'id_reused', 'payments_not_configured', 'payments_unavailable'],
  rate: 'write',
})

export const deactivateCoupon = route({
  ...superadmin,
  operationId: 'deactivateCoupon',
  method: 'POST',
  path: `${base}/{couponId}/deactivation`,
  summary: 'Deactivate a coupon; subscriptions that have it keep it',
  params: Type.Object({ couponId: Type.String({ minLength: 1, maxLength: 255 }) }),
  replies: { 200: Coupon },
  errors: ['coupon_not_found', 'payments_not_configured', 'payments_unavailable'],
  rate: 'write',
})

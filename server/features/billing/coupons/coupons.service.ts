import type Stripe from 'stripe'
import type { Coupon, CouponFilters, NewCoupon } from '#contract/coupons.ts'
import type { Database, SystemTx } from '#server/platform/database/database.ts'
import { beginDownload, type CsvDownload } from '#server/platform/events/csv-download.ts'
import { writeInstanceEntry } from '#server/platform/events/instance-entry.queries.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Cell } from '#server/platform/text/write-csv.ts'
import { askStripe } from '../stripe/ask-stripe.ts'
import type { StripeAccess } from '../stripe/stripe-access.ts'
import { isMissing } from '../stripe/stripe-client.ts'
import { readCouponPage } from './list-coupons.ts'
import { toCoupon } from './to-coupon.ts'

/**
 * Coupons, as Stripe has them: nothing of them is stored here. Those made at Stripe are among them if they have a code. All
 * throw ProductError `payments_unavailable` within 10 s when Stripe doesn't answer, `payments_not_configured` without a key.
 */
export interface Coupons {
  /** @throws ProductError `validation_failed` for a foreign cursor. */
  list(
    query: CouponFilters & { cursor?: string; limit?: number },
  ): Promise<{ items: Coupon[]; nextCursor: string | null }>
  export(filters: CouponFilters): Promise<CsvDownload>
  /** @throws ProductError `validation_failed`, `coupon_code_taken`, `id_reused`. */
  create(coupon: NewCoupon): Promise<Coupon>
  /** @throws ProductError `coupon_not_found`. */
  deactivate(id: string): Promise<Coupon>
}

const reason = 'superadmins manage coupons'
const pageSize = 50
const withCoupon = { expand: ['promotion.coupon'] }

export function createCoupons(database: Database, stripe: StripeAccess): Coupons {
  return {
    list: async ({ cursor, limit = pageSize, ...filters }) => {
      const { items, next } = await stripe.ask((sdk) => readCouponPage(sdk, filters, { after: cursor, limit }))
      return { items, nextCursor: next ?? null }
    },

    export: (filters) =>
      beginDownload<string>(database, {
        name: 'Coupons',
        file: 'coupons',
        filters,
        columns,
        read: async (after, limit) => {
          const { items, next } = await stripe.ask((sdk) => readCouponPage(sdk, filters, { after, limit }))
          return { rows: items.map(toCells), next }
        },
      }),

    create: (coupon) => {
      checkCoupon(coupon)
      return askStripe(async () => {
        await stripe.ask((sdk) => requireFreeCode(sdk, coupon))
        await database.asSystem(reason, (tx) => writeCouponEntry(tx, 'coupon.created', { ...coupon, id: coupon.id }))
        return toCoupon(await stripe.ask((sdk) => createAtStripe(sdk, coupon)))
      })
    },

    deactivate: (id) => {
      if (!id.startsWith('promo_')) throw new ProductError('coupon_not_found')
      return askStripe(async () => {
        const { code } = await stripe.ask((sdk) => findCode(() => sdk.promotionCodes.retrieve(id)))
        await database.asSystem(reason, (tx) => writeCouponEntry(tx, 'coupon.deactivated', { code, id }))
        return toCoupon(
          await stripe.ask((sdk) => findCode(() => sdk.promotionCodes.update(id, { active: false, ...withCoupon }))),
        )
      })
    },
  }
}

/** Writes into the audit log what the present request does to a coupon. */
function writeCouponEntry(
  tx: SystemTx,
  action: 'coupon.created' | 'coupon.deactivated',
  { code, ...after }: Partial<Coupon> & Pick<Coupon, 'code'>,
): Promise<void> {
  return writeInstanceEntry(tx, { action, targetType: 'coupon', targetName: code, after })
}

/** @throws ProductError `validation_failed`. */
function checkCoupon({ percentOff, amountOffCents, duration, months, expiresAt }: NewCoupon): void {
  if (percentOff === null && amountOffCents === null) {
    throw invalid('body.percentOff', 'is needed for a coupon without an amount')
  }
  if (percentOff !== null && amountOffCents !== null) {
    throw invalid('body.amountOffCents', 'is only for a coupon without a percentage')
  }
  if ((duration === 'repeating') !== (months !== null)) {
    throw invalid('body.months', 'is needed for a coupon of several months, and only then')
  }
  if (expiresAt === null) return
  const expires = Date.parse(expiresAt)
  if (Number.isNaN(expires) || expires <= Date.now()) throw invalid('body.expiresAt', 'must be a time in the future')
}

const requestKey = 'earshot_request'

/** @throws ProductError `coupon_code_taken`, unless this request has taken it. */
async function requireFreeCode(sdk: Stripe, { id, code }: NewCoupon): Promise<void> {
  const { data } = await sdk.promotionCodes.list({ code, active: true, limit: 1 })
  const [found] = data
  if (found && found.metadata?.[requestKey] !== id) throw new ProductError('coupon_code_taken')
}

/** Sent again with the same id, it makes nothing twice. @throws ProductError `coupon_code_taken`, `id_reused`. */
async function createAtStripe(sdk: Stripe, coupon: NewCoupon): Promise<Stripe.PromotionCode> {
  const { id, code, percentOff, amountOffCents, duration, months, maxRedemptions, expiresAt } = coupon
  try {
    const { id: couponId } = await sdk.coupons.create(
      {
        // On invoices.
        name: code,
        ...(percentOff !== null && { percent_off: percentOff }),
        ...(amountOffCents !== null && { amount_off: amountOffCents, currency: 'usd' }),
        duration,
        ...(months !== null && { duration_in_months: months }),
        metadata: { [requestKey]: id },
      },
      { idempotencyKey: `earshot_coupon_${id}` },
    )
    return await sdk.promotionCodes.create(
      {
        promotion: { type: 'coupon', coupon: couponId },
        code,
        ...(maxRedemptions !== null && { max_redemptions: maxRedemptions }),
        ...(expiresAt !== null && { expires_at: Math.floor(Date.parse(expiresAt) / 1000) }),
        metadata: { [requestKey]: id },
        ...withCoupon,
      },
      { idempotencyKey: `earshot_code_${id}` },
    )
  } catch (error) {
    if (error instanceof Error && 'type' in error && error.type === 'StripeIdempotencyError') {
      throw new ProductError('id_reused', { cause: error })
    }
    // Someone was faster. The coupon stays without a code, so no one can redeem it.
    if (error instanceof Error && /already exists/.test(error.message)) {
      throw new ProductError('coupon_code_taken', { cause: error })
    }
    throw error
  }
}

/** @throws ProductError `coupon_not_found`. */
async function findCode(find: () => Promise<Stripe.PromotionCode>): Promise<Stripe.PromotionCode> {
  try {
    return await find()
  } catch (error) {
    throw isMissing(error) ? new ProductError('coupon_not_found', { cause: error }) : error
  }
}

const columns = [
  ...['id', 'code', 'state', 'percent_off', 'amount_off_cents', 'currency', 'duration', 'months'],
  ...['redemptions', 'max_redemptions', 'expires_at', 'created_at'],
]

function toCells(coupon: Coupon): Cell[] {
  const { id, code, state, percentOff, amountOffCents, currency, duration, months } = coupon
  const { redemptions, maxRedemptions, expiresAt, createdAt } = coupon
  return [
    ...[id, code, state, percentOff, amountOffCents, currency, duration, months],
    ...[redemptions, maxRedemptions, expiresAt, createdAt],
  ]
}

import type Stripe from 'stripe'
import type { Coupon, CouponFilters } from '#contract/coupons.ts'
import { invalid } from '#server/platform/http/invalid.ts'
import { isMissing } from '../stripe/stripe-client.ts'
import { toCoupon } from './to-coupon.ts'

/** The most that Stripe lists at once. */
const codesAtATime = 100
/** Codes that one page looks through for a rare match. The next page continues from there. */
const mostExamined = 1000
/** Codes that can be sorted: Stripe has no order but its own, the latest first. */
const mostSorted = 2000

export interface CouponPage {
  readonly items: Coupon[]
  /** Id of the code that the next page begins after; undefined: this is the last. */
  readonly next: string | undefined
}

/** Coupons that match. A page may be short, or empty, before the last. @throws ProductError `validation_failed` for a foreign cursor. */
export async function readCouponPage(
  sdk: Stripe,
  { search = '', state, order = 'latest' }: CouponFilters,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CouponPage> {
  const words = search.trim().toLowerCase()
  const isWanted = (coupon: Coupon) =>
    coupon.code.toLowerCase().includes(words) && (state === undefined || coupon.state === state)
  if (order === 'latest') return findLatest(sdk, isWanted, { after, limit })
  const all: Coupon[] = []
  for await (const coupon of eachCoupon(sdk, undefined)) {
    all.push(coupon)
    if (all.length === mostSorted) break
  }
  const found = all.filter(isWanted)
  const sorted = order === 'oldest' ? found.toReversed() : found.toSorted((a, b) => b.redemptions - a.redemptions)
  const start = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1
  if (after !== undefined && start === 0) throw foreignCursor()
  const items = sorted.slice(start, start + limit)
  return { items, next: start + limit < sorted.length ? items.at(-1)?.id : undefined }
}

async function findLatest(
  sdk: Stripe,
  isWanted: (coupon: Coupon) => boolean,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<CouponPage> {
  const items: Coupon[] = []
  let examined = 0
  let last = after
  for await (const coupon of eachCoupon(sdk, after)) {
    // One more: there is a next page.
    if (examined === mostExamined || (items.length === limit && isWanted(coupon))) return { items, next: last }
    if (isWanted(coupon)) items.push(coupon)
    examined += 1
    last = coupon.id
  }
  return { items, next: undefined }
}

/** @throws ProductError `validation_failed` when Stripe knows no such code. */
async function* eachCoupon(sdk: Stripe, after: string | undefined): AsyncGenerator<Coupon> {
  let place = after
  do {
    const { data, has_more: hasMore } = await sdk.promotionCodes
      .list({
        limit: codesAtATime,
        ...(place !== undefined && { starting_after: place }),
        expand: ['data.promotion.coupon'],
      })
      .catch((error: unknown) => {
        throw after !== undefined && isMissing(error) ? foreignCursor() : error
      })
    yield* data.map(toCoupon)
    place = hasMore ? data.at(-1)?.id : undefined
  } while (place !== undefined)
}

function foreignCursor(): Error {
  return invalid('query.cursor', 'must be the nextCursor of an earlier page')
}

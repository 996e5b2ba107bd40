/* Coupons, promotion codes (https://docs.stripe.com/api/coupons, …/promotion_codes) and the discounts that they give. */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, newCode, snapshotOf } from './account.ts'
import { readCurrency } from './catalog.ts'
import { addInterval } from './periods.ts'
import { refuse } from './refusal.ts'

export function createCoupon(account: Account, params: Stripe.CouponCreateParams): Stripe.Coupon {
  const { amount_off: amount, percent_off: percent, duration = 'once', duration_in_months: months } = params
  if ((amount === undefined) === (percent === undefined))
    throw refuse('You must pass either percent_off or amount_off, and not both.', 'percent_off', 'parameter_missing')
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw refuse('Invalid decimal: must be greater than 0 and at most 100', 'percent_off')
  if (amount !== undefined && amount <= 0) throw refuse('Invalid positive integer', 'amount_off')
  if (amount !== undefined && params.currency === undefined)
    throw refuse('You must pass currency when passing amount_off.', 'currency', 'parameter_missing')
  if ((duration === 'repeating') !== (months !== undefined))
    throw refuse('duration_in_months is required with duration=repeating, and only then.', 'duration_in_months')
  if (params.max_redemptions !== undefined && params.max_redemptions < 1)
    throw refuse('Invalid positive integer', 'max_redemptions')
  if (params.redeem_by !== undefined && params.redeem_by <= account.now())
    throw refuse('redeem_by must be in the future', 'redeem_by')
  if (params.id !== undefined && account.tables.coupons.find(params.id))
    throw refuse('Coupon already exists.', 'id', 'resource_already_exists')
  const products = params.applies_to?.products ?? []
  for (const product of products) account.tables.products.get(product, 'applies_to[products]')
  const coupon: Stripe.Coupon = {
    id: params.id ?? newCode(),
    object: 'coupon',
    amount_off: amount ?? null,
    created: account.now(),
    currency: amount === undefined ? null : readCurrency(params.currency ?? ''),
    duration,
    duration_in_months: months ?? null,
    livemode: false,
    max_redemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    percent_off: percent ?? null,
    redeem_by: params.redeem_by ?? null,
    times_redeemed: 0,
    valid: true,
  }
  account.tables.coupons.add(coupon)
  if (products.length > 0) account.couponProducts.set(coupon.id, products)
  account.emit('coupon.created', coupon)
  return coupon
}

export function updateCoupon(account: Account, id: string, params: Stripe.CouponUpdateParams): Stripe.Coupon {
  const coupon = account.tables.coupons.get(id)
  const before = snapshotOf(coupon)
  if (params.name !== undefined) coupon.name = params.name || null
  if (params.metadata !== undefined) coupon.metadata = mergeMetadata(coupon.metadata ?? {}, params.metadata)
  account.emit('coupon.updated', coupon, before)
  return coupon
}

/** Discounts that were given stay. */
export function deleteCoupon(account: Account, id: string): Stripe.DeletedCoupon {
  const coupon = account.tables.coupons.get(id)
  account.tables.coupons.remove(id)
  account.emit('coupon.deleted', coupon)
  return { id, object: 'coupon', deleted: true }
}

/** Times and numbers of uses end a coupon's validity. */
function isValidCoupon(account: Account, coupon: Stripe.Coupon): boolean {
  if (coupon.max_redemptions !== null && coupon.times_redeemed >= coupon.max_redemptions) return false
  return coupon.redeem_by === null || coupon.redeem_by > account.now()
}

export function createPromotionCode(account: Account, params: Stripe.PromotionCodeCreateParams): Stripe.PromotionCode {
  if (params.promotion.coupon === undefined)
    throw refuse('Missing required param: promotion[coupon].', 'promotion[coupon]', 'parameter_missing')
  const coupon = account.tables.coupons.get(params.promotion.coupon, 'promotion[coupon]')
  if (!isValidCoupon(account, coupon))
    throw refuse(`Coupon ${coupon.id} is not valid.`, 'promotion[coupon]', 'coupon_expired')
  const code = params.code ?? newCode()
  if (!/^[A-Za-z0-9-]{1,500}$/.test(code))
    throw refuse('Promotion codes may contain letters, digits and dashes.', 'code', 'invalid_characters')
  if (account.tables.promotionCodes.list((each) => each.active && sameCode(each.code, code)).length > 0)
    throw refuse(`An active promotion code with \`code: ${code}\` already exists.`, 'code', 'resource_already_exists')
  if (params.expires_at !== undefined && params.expires_at <= account.now())
    throw refuse('expires_at must be in the future', 'expires_at')
  if (params.customer !== undefined) account.getCustomer(params.customer)
  const promotionCode: Stripe.PromotionCode = {
    id: account.newId('promo'),
    object: 'promotion_code',
    active: params.active ?? true,
    code,
    created: account.now(),
    customer: params.customer ?? null,
    customer_account: null,
    expires_at: params.expires_at ?? null,
    livemode: false,
    max_redemptions: params.max_redemptions ?? null,
    metadata: mergeMetadata({}, params.metadata),
    promotion: { coupon: coupon.id, type: 'coupon' },
    restrictions: {
      first_time_transaction: params.restrictions?.first_time_transaction ?? false,
      minimum_amount: params.restrictions?.minimum_amount ?? null,
      minimum_amount_currency: params.restrictions?.minimum_amount_currency ?? null,
    },
    times_redeemed: 0,
  }
  account.tables.promotionCodes.add(promotionCode)
  account.emit('promotion_code.created', promotionCode)
  return promotionCode
}

export function updatePromotionCode(account: Account, id: string, params: Stripe.PromotionCodeUpdateParams) {
  const code = account.tables.promotionCodes.get(id)
  const before = snapshotOf(code)
  if (params.active !== undefined) code.active = params.active
  if (params.metadata !== undefined) code.metadata = mergeMetadata(code.metadata ?? {}, params.metadata)
  account.emit('promotion_code.updated', code, before)
  return code
}

/** A code as a customer enters it, in any case. */
export function findPromotionCode(account: Account, code: string): Stripe.PromotionCode | undefined {
  return account.tables.promotionCodes.list((each) => each.active && sameCode(each.code, code.trim()))[0]
}

const sameCode = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** A coupon as a customer or an operator redeems it. */
export interface Redemption {
  readonly coupon: Stripe.Coupon
  readonly promotionCode: Stripe.PromotionCode | undefined
}
interface RedemptionRequest {
  readonly coupon?: string
  readonly promotion_code?: string
}
interface Redeemer {
  readonly customer: string | undefined
  readonly currency: string
  /** Before the discount, in the smallest unit of the currency. */
  readonly amount: number
}

/** @throws StripeRefusal for coupons and codes that are unknown, used up, expired, or for others */
export function readRedemption(
  account: Account,
  request: RedemptionRequest,
  redeemer: Redeemer,
  param: string,
): Redemption {
  const { coupon: couponId, promotion_code: codeId } = request
  if ((couponId === undefined) === (codeId === undefined))
    throw refuse('Pass either coupon or promotion_code.', param, 'parameters_exclusive')
  const promotionCode = codeId === undefined ? undefined : account.tables.promotionCodes.get(codeId, param)
  if (promotionCode) checkPromotionCode(account, promotionCode, redeemer, param)
  const id = couponId ?? idOf(promotionCode?.promotion.coupon)
  const coupon = account.tables.coupons.get(id, param)
  if (!isValidCoupon(account, coupon)) throw refuse(`Coupon expired: ${coupon.id}`, param, 'coupon_expired')
  if (coupon.currency !== null && coupon.currency !== redeemer.currency)
    throw refuse(`The coupon's currency (${coupon.currency}) does not match ${redeemer.currency}.`, param)
  return { coupon, promotionCode }
}

function checkPromotionCode(account: Account, code: Stripe.PromotionCode, redeemer: Redeemer, param: string): void {
  const isUsedUp = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions
  const isExpired = code.expires_at !== null && code.expires_at <= account.now()
  if (!code.active || isUsedUp || isExpired) throw refuse('This promotion code is not active.', param, 'coupon_expired')
  if (code.customer !== null && idOf(code.customer) !== redeemer.customer)
    throw refuse('This promotion code cannot be redeemed because the associated customer is another one.', param)
  if ((code.restrictions.minimum_amount ?? 0) > redeemer.amount)
    throw refuse('The amount is less than the minimum amount of this promotion code.', param)
  const hasPaid = account.tables.invoices.list(
    ({ customer, status, amount_paid: paid }) => idOf(customer) === redeemer.customer && status === 'paid' && paid > 0,
  )
  if (code.restrictions.first_time_transaction && hasPaid.length > 0)
    throw refuse('This promotion code cannot be redeemed because the customer has prior transactions.', param)
}

/** Gives a discount to a subscription, and counts it. */
export function redeem(
  account: Account,
  { coupon, promotionCode }: Redemption,
  given: { readonly customer: string; readonly subscription: string; readonly checkoutSession?: string; start: number },
): Stripe.Discount {
  const discount: Stripe.Discount = {
    id: account.newId('di'),
    object: 'discount',
    checkout_session: given.checkoutSession ?? null,
    customer: given.customer,
    customer_account: null,
    end: coupon.duration === 'repeating' ? addInterval(given.start, 'month', coupon.duration_in_months ?? 0) : null,
    invoice: null,
    invoice_item: null,
    promotion_code: promotionCode?.id ?? null,
    source: { coupon: coupon.id, type: 'coupon' },
    start: given.start,
    subscription: given.subscription,
    subscription_item: null,
  }
  coupon.times_redeemed += 1
  coupon.valid = isValidCoupon(account, coupon)
  if (promotionCode) promotionCode.times_redeemed += 1
  account.tables.discounts.add(discount)
  account.discountCoupons.set(discount.id, coupon)
  account.emit('customer.discount.created', discount)
  return discount
}

/** Ends a discount of a subscription. */
export function endDiscount(account: Account, subscription: Stripe.Subscription, id: string): void {
  const discount = account.tables.discounts.get(id)
  subscription.discounts = subscription.discounts.filter((each) => idOf(each) !== id)
  account.emit('customer.discount.deleted', discount)
}

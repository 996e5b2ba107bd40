import type Stripe from 'stripe'
import { idOf } from '../account.ts'
import { createPrice, createProduct, deleteProduct, updatePrice, updateProduct } from '../catalog.ts'
import { createCoupon, createPromotionCode, deleteCoupon, updateCoupon, updatePromotionCode } from '../discounts.ts'
import { isInRange, paginate } from '../lists.ts'
import { type Route, route } from '../route.ts'

const pages = 'limit starting_after ending_before'

const products: readonly Route[] = [
  route<Stripe.ProductCreateParams>(
    'POST /products',
    'Products ProductCreateParams',
    'name active description id images marketing_features metadata statement_descriptor tax_code type unit_label url',
    ({ account }, params) => createProduct(account, params),
  ),
  route('GET /products/{id}', 'Products ProductRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.products.get(id),
  ),
  route<Stripe.ProductUpdateParams>(
    'POST /products/{id}',
    'Products ProductUpdateParams',
    'name active default_price description marketing_features metadata tax_code',
    ({ account, ids: [id] }, params) => updateProduct(account, id, params),
  ),
  route('DELETE /products/{id}', 'Products ProductDeleteParams', '', ({ account, ids: [id] }) =>
    deleteProduct(account, id),
  ),
  route<Stripe.ProductListParams>(
    'GET /products',
    'Products ProductListParams',
    `active ids created ${pages}`,
    ({ account, path }, { active, ids, created, ...page }) => {
      const found = account.tables.products.list(
        (each) =>
          (active === undefined || each.active === active) &&
          (ids?.includes(each.id) ?? true) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

const prices: readonly Route[] = [
  route<Stripe.PriceCreateParams>(
    'POST /prices',
    'Prices PriceCreateParams',
    'currency product unit_amount active billing_scheme lookup_key transfer_lookup_key metadata nickname recurring tax_behavior',
    ({ account }, params) => createPrice(account, params),
  ),
  route('GET /prices/{id}', 'Prices PriceRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.prices.get(id),
  ),
  route<Stripe.PriceUpdateParams>(
    'POST /prices/{id}',
    'Prices PriceUpdateParams',
    'active lookup_key transfer_lookup_key metadata nickname tax_behavior',
    ({ account, ids: [id] }, params) => updatePrice(account, id, params),
  ),
  route<Stripe.PriceListParams>(
    'GET /prices',
    'Prices PriceListParams',
    `active created currency lookup_keys product recurring type ${pages}`,
    ({ account, path }, { active, created, currency, lookup_keys: keys, product, recurring, type, ...page }) => {
      const found = account.tables.prices.list(
        (each) =>
          (active === undefined || each.active === active) &&
          (currency === undefined || each.currency === currency) &&
          (keys?.includes(each.lookup_key ?? '') ?? true) &&
          (product === undefined || idOf(each.product) === product) &&
          (recurring?.interval === undefined || each.recurring?.interval === recurring.interval) &&
          (type === undefined || each.type === type) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

const coupons: readonly Route[] = [
  route<Stripe.CouponCreateParams>(
    'POST /coupons',
    'Coupons CouponCreateParams',
    'amount_off applies_to currency duration duration_in_months id max_redemptions metadata name percent_off redeem_by',
    ({ account }, params) => createCoupon(account, params),
  ),
  route('GET /coupons/{id}', 'Coupons CouponRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.coupons.get(id, 'coupon'),
  ),
  route<Stripe.CouponUpdateParams>(
    'POST /coupons/{id}',
    'Coupons CouponUpdateParams',
    'name metadata',
    ({ account, ids: [id] }, params) => updateCoupon(account, id, params),
  ),
  route('DELETE /coupons/{id}', 'Coupons CouponDeleteParams', '', ({ account, ids: [id] }) =>
    deleteCoupon(account, id),
  ),
  route<Stripe.CouponListParams>(
    'GET /coupons',
    'Coupons CouponListParams',
    `created ${pages}`,
    ({ account, path }, { created, ...page }) =>
      paginate(
        account.tables.coupons.list((each) => isInRange(each.created, created)),
        page,
        path,
      ),
  ),
]

const promotionCodes: readonly Route[] = [
  route<Stripe.PromotionCodeCreateParams>(
    'POST /promotion_codes',
    'PromotionCodes PromotionCodeCreateParams',
    'promotion active code customer expires_at max_redemptions metadata restrictions',
    ({ account }, params) => createPromotionCode(account, params),
  ),
  route('GET /promotion_codes/{id}', 'PromotionCodes PromotionCodeRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.promotionCodes.get(id),
  ),
  route<Stripe.PromotionCodeUpdateParams>(
    'POST /promotion_codes/{id}',
    'PromotionCodes PromotionCodeUpdateParams',
    'active metadata',
    ({ account, ids: [id] }, params) => updatePromotionCode(account, id, params),
  ),
  route<Stripe.PromotionCodeListParams>(
    'GET /promotion_codes',
    'PromotionCodes PromotionCodeListParams',
    `active code coupon customer created ${pages}`,
    ({ account, path }, { active, code, coupon, customer, created, ...page }) => {
      const found = account.tables.promotionCodes.list(
        (each) =>
          (active === undefined || each.active === active) &&
          (code === undefined || each.code.toUpperCase() === code.toUpperCase()) &&
          (coupon === undefined || idOf(each.promotion.coupon) === coupon) &&
          (customer === undefined || idOf(each.customer) === customer) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

/** Products, prices, coupons and promotion codes. */
export const catalogRoutes: readonly Route[] = [...products, ...prices, ...coupons, ...promotionCodes]

import type Stripe from 'stripe'
import { ProductError } from '#server/platform/http/product-error.ts'

/** Stripe's id of a code, as a customer typed it. @throws ProductError `promotion_code_invalid`; Stripe's errors. */
export async function findPromotionCode(stripe: Stripe, typed: string): Promise<string> {
  const { data } = await stripe.promotionCodes.list({ code: typed.trim(), active: true, limit: 1 })
  const found = data[0]
  if (!found) throw new ProductError('promotion_code_invalid')
  return found.id
}

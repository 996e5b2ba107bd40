/*
 * What Earshot keeps of a customer at Stripe. Amounts are in cents, before tax and discounts where they are prices.
 */

/** A product's price for each of these. */
export type Interval = 'day' | 'week' | 'month' | 'year'

export interface MirroredSubscription {
  readonly id: string
  /** Stripe's. */
  readonly status: string
  /** Null: the product is none of our plans. */
  readonly planId: string | null
  readonly priceId: string
  readonly interval: Interval
  readonly cents: number
  readonly currency: string
  readonly coupon: string | null
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  readonly trialEnd: Date | null
  /** When it will end, as the customer asked; null: it renews. */
  readonly cancelAt: Date | null
  readonly cancelReason: string | null
  readonly endedAt: Date | null
  readonly createdAt: Date
}

export interface MirroredPayment {
  /** Of the invoice. */
  readonly id: string
  readonly number: string | null
  readonly subscriptionId: string | null
  readonly status: string
  readonly reason: string | null
  readonly planId: string | null
  readonly interval: Interval | null
  /** Of the time that the line of the plan pays for; null: there is none. */
  readonly periodStart: Date | null
  readonly periodEnd: Date | null
  /** What the plan costs in each interval after this invoice's discounts, without tax and prorations. */
  readonly recurringCents: number | null
  readonly coupon: string | null
  readonly totalCents: number
  readonly taxCents: number
  readonly dueCents: number
  readonly paidCents: number
  readonly currency: string
  readonly attempts: number
  /** Why the latest attempt failed; null: it did not. */
  readonly error: string | null
  readonly nextAttemptAt: Date | null
  readonly pageUrl: string | null
  readonly pdfUrl: string | null
  readonly createdAt: Date
  readonly paidAt: Date | null
}

export interface MirroredRefund {
  readonly id: string
  readonly paymentId: string | null
  readonly status: string
  readonly reason: string | null
  readonly cents: number
  readonly currency: string
  readonly createdAt: Date
}

/** Of one customer. Each list is ordered by id. */
export interface Mirror {
  readonly subscriptions: readonly MirroredSubscription[]
  readonly payments: readonly MirroredPayment[]
  readonly refunds: readonly MirroredRefund[]
}

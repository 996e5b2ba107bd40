export type Properties = Readonly<Record<string, unknown>>

/** The organisation that events belong to. */
export interface Group {
  readonly id: string
  readonly subscriptionPlan: string | null
  readonly subscriptionStatus: string | null
}

/** `price` in units of the currency. */
export interface Purchase {
  readonly transactionId: string
  readonly plan: string
  readonly price: number
  readonly interval: string
  readonly coupon: string | null
}

/** `amount` in units of the currency. */
export interface Refund {
  readonly transactionId: string
  readonly plan: string | null
  readonly amount: number
}

/** A service that is told what happens. Each does what it can. */
export interface Service {
  capture?(name: string, properties: Properties): void
  identify?(userId: string): void
  forget?(): void
  group?(group: Group): void
  reportError?(error: unknown, context: string): void
  purchase?(purchase: Purchase): void
  refund?(refund: Refund): void
  /** Stops it and deletes what it stored in the browser. */
  end(): void
}

export type Measuring = Required<Service>

/*
 * The state of one Stripe account: its resources, its time and its events. Every secret key has an account of its own, so
 * that ids of another account do not exist.
 */
import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import type { TestCard } from './cards.ts'
import { noSuch } from './refusal.ts'

/** Resources of one kind by id, oldest first. */
class Table<Kind extends { readonly id: string }> {
  readonly noun: string
  readonly #rows = new Map<string, Kind>()
  constructor(noun: string) {
    this.noun = noun
  }

  add(row: Kind): Kind {
    this.#rows.set(row.id, row)
    return row
  }

  find(id: string): Kind | undefined {
    return this.#rows.get(id)
  }

  /** @throws StripeRefusal 404 when the account lacks it */
  get(id: string, param = 'id'): Kind {
    const row = this.#rows.get(id)
    if (!row) throw noSuch(this.noun, id, param)
    return row
  }

  remove(id: string): void {
    this.#rows.delete(id)
  }

  /** Newest first, as Stripe lists. */
  list(isWanted: (row: Kind) => boolean = () => true): Kind[] {
    return [...this.#rows.values()].filter(isWanted).reverse()
  }

  /** Remembers all rows. @returns puts them back: the same objects, with the fields that they had */
  remember(): () => void {
    const before = [...this.#rows.values()].map((row) => ({ row, fields: snapshotOf(row) }))
    return () => {
      this.#rows.clear()
      for (const { row, fields } of before) this.#rows.set(row.id, Object.assign(row, fields))
    }
  }
}

/** Where tax is collected: the seller's country, and percentages by the customer's country. None: no registrations. */
export interface TaxSettings {
  readonly country: string
  readonly percents: Readonly<Record<string, number>>
}

/** What a request says about itself in its events. */
export interface RequestOrigin {
  readonly id: string | null
  readonly idempotency_key: string | null
}

/** How events are sent to the account's webhook endpoints. */
export type SendEvent = (event: Stripe.Event, endpoints: readonly WebhookEndpointState[]) => void
export interface WebhookEndpointState extends Stripe.WebhookEndpoint {
  readonly id: string
  /** Shown once, when the endpoint is created. */
  readonly signingSecret: string
}

/** Facts that Stripe does not show in its resources. */
interface CardState {
  readonly card: TestCard
  /** Authenticated for later payments without the customer. */
  isSetUp: boolean
}

const listTables = () => ({
  products: new Table<Stripe.Product>('product'),
  prices: new Table<Stripe.Price>('price'),
  customers: new Table<Stripe.Customer | Stripe.DeletedCustomer>('customer'),
  taxIds: new Table<Stripe.TaxId>('tax id'),
  balanceTransactions: new Table<Stripe.CustomerBalanceTransaction>('customer balance transaction'),
  paymentMethods: new Table<Stripe.PaymentMethod>('PaymentMethod'),
  coupons: new Table<Stripe.Coupon>('coupon'),
  promotionCodes: new Table<Stripe.PromotionCode>('promotion code'),
  discounts: new Table<Stripe.Discount>('discount'),
  subscriptions: new Table<Stripe.Subscription>('subscription'),
  invoices: new Table<Stripe.Invoice>('invoice'),
  invoicePayments: new Table<Stripe.InvoicePayment>('invoice payment'),
  paymentIntents: new Table<Stripe.PaymentIntent>('payment_intent'),
  charges: new Table<Stripe.Charge>('charge'),
  refunds: new Table<Stripe.Refund>('refund'),
  creditNotes: new Table<Stripe.CreditNote>('credit note'),
  checkoutSessions: new Table<Stripe.Checkout.Session>('checkout.session'),
  portalSessions: new Table<Stripe.BillingPortal.Session>('billing portal session'),
  events: new Table<Stripe.Event>('event'),
  testClocks: new Table<Stripe.TestHelpers.TestClock>('test clock'),
  endpoints: new Table<WebhookEndpointState>('webhook endpoint'),
})

/** One account. */
export class Account {
  readonly id: string
  readonly tables = listTables()
  readonly cards = new Map<string, CardState>()
  /** Lines of prorations that wait for the next invoice, by subscription. */
  readonly pendingLines = new Map<string, Stripe.InvoiceLineItem[]>()
  /** Updates that wait for their invoice's payment, by subscription. */
  readonly pendingUpdates = new Map<string, { readonly invoice: string; readonly apply: () => void }>()
  /** Line items of checkout sessions, by session. */
  readonly lineItems = new Map<string, Stripe.LineItem[]>()
  /** Products that a coupon is limited to, by coupon. */
  readonly couponProducts = new Map<string, readonly string[]>()
  /** Coupons by the discounts that they gave, which outlive a deleted coupon. */
  readonly discountCoupons = new Map<string, Stripe.Coupon>()
  /** Events that were sent for one moment only, such as `invoice.upcoming`. */
  readonly announced = new Set<string>()
  readonly baseUrl: () => string
  readonly tax: TaxSettings | undefined
  origin: RequestOrigin = { id: null, idempotency_key: null }
  readonly #send: SendEvent
  /** How far the account's time is ahead of the system's, in seconds. */
  #aheadSeconds = 0
  #frozenTime: number | undefined
  #held: Stripe.Event[] | undefined

  constructor(options: { id: string; baseUrl: () => string; send: SendEvent; tax: TaxSettings | undefined }) {
    this.id = options.id
    this.baseUrl = options.baseUrl
    this.tax = options.tax
    this.#send = options.send
  }

  newId(prefix: string): string {
    return newId(prefix)
  }

  /** Seconds since 1970 on a test clock, or of the account for objects without one. */
  now(testClock: string | Stripe.TestHelpers.TestClock | null = null): number {
    if (testClock !== null) return this.tables.testClocks.get(idOf(testClock)).frozen_time
    return this.#frozenTime ?? Math.floor(Date.now() / 1000) + this.#aheadSeconds
  }

  /** Sets the account's time while it is moved step by step. */
  freeze(time: number): void {
    this.#frozenTime = time
  }

  /** The account's time runs again, from where it was moved to. */
  unfreeze(aheadSeconds: number): void {
    this.#frozenTime = undefined
    this.#aheadSeconds = aheadSeconds
  }

  get aheadSeconds(): number {
    return this.#aheadSeconds
  }

  /** A customer that is not deleted. @throws StripeRefusal */
  getCustomer(id: string | { readonly id: string } | null, param = 'customer'): Stripe.Customer {
    const customer = this.tables.customers.get(idOf(id), param)
    if (customer.deleted) throw noSuch('customer', customer.id, param)
    return customer
  }

  /**
   * Records an event and sends it.
   * @param before the object as it was, for the previous values in `*.updated`
   */
  emit(type: Stripe.Event['type'], object: { readonly id: string }, before?: object): void {
    const snapshot: object = JSON.parse(JSON.stringify(object))
    const clock = 'test_clock' in object && typeof object.test_clock === 'string' ? object.test_clock : null
    const event = {
      id: newId('evt'),
      object: 'event',
      api_version: Stripe.API_VERSION,
      created: this.now(clock),
      data: { object: snapshot, ...(before && { previous_attributes: listChanges(before, snapshot) }) },
      livemode: false,
      pending_webhooks: this.tables.endpoints.list().length,
      request: this.origin,
      type,
      // Which type belongs to which object is known to the callers only.
    } as unknown as Stripe.Event
    this.tables.events.add(event)
    if (this.#held) this.#held.push(event)
    else this.#send(event, this.tables.endpoints.list())
  }

  /** Undoes all changes and events when the action throws, as `error_if_incomplete` needs. */
  atomically<Result>(action: () => Result): Result {
    const undo = Object.values(this.tables).map((table) => table.remember())
    const pending = [...this.pendingLines].map(([id, lines]) => [id, lines.map(snapshotOf)] as const)
    this.#held = []
    try {
      const result = action()
      const held = this.#held
      this.#held = undefined
      for (const event of held) this.#send(event, this.tables.endpoints.list())
      return result
    } catch (error) {
      this.#held = undefined
      for (const each of undo) each()
      this.pendingLines.clear()
      for (const [id, lines] of pending) this.pendingLines.set(id, lines)
      throw error
    }
  }
}

/** An id as Stripe forms them. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}

/** Eight characters for people: a coupon's id, a promotion code, the start of invoice numbers. */
export function newCode(): string {
  return randomBytes(4).toString('hex').toUpperCase()
}

/** The id of an expandable field. */
export function idOf(value: string | { readonly id: string } | null | undefined): string {
  return typeof value === 'string' ? value : (value?.id ?? '')
}

/** A copy. Decimals become texts, as they are sent. */
export function snapshotOf<Kind extends object>(object: Kind): Kind {
  // JSON keeps the fields of resources, which are plain objects.
  return JSON.parse(JSON.stringify(object)) as Kind
}

function listChanges(before: object, after: object): object {
  const now = new Map(Object.entries(after))
  const changed = Object.entries(before).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(now.get(name)),
  )
  return Object.fromEntries(changed)
}

/** A list inside of a resource. */
export function listOf<Kind>(data: Kind[], url: string): Stripe.ApiList<Kind> {
  return { object: 'list', data, has_more: false, url }
}

/** Metadata after a change: empty values unset keys, an empty text unsets all. */
export function mergeMetadata(before: Stripe.Metadata, change: Stripe.Emptyable<Stripe.MetadataParam> | undefined) {
  if (change === '' || change === null) return {}
  const merged = { ...before, ...change }
  const kept = Object.entries(merged).filter(([, value]) => value !== '' && value !== null)
  return Object.fromEntries(kept.map(([key, value]) => [key, String(value)]))
}

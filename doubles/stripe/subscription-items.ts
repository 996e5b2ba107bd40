/*
 * The items of a subscription, and the lines of changing them: credits for the unused time of what was billed, and debits
 * for the rest of the period (https://docs.stripe.com/billing/subscriptions/prorations, billing mode `flexible`).
 */
import type Stripe from 'stripe'
import { type Account, idOf, newId, snapshotOf } from './account.ts'
import { showPlan } from './catalog.ts'
import { createLine, netOf } from './invoice-lines.ts'
import { addInterval, findPeriodEnd } from './periods.ts'
import { notImplemented, refuse } from './refusal.ts'

const maxQuantity = 999_999

/** An item as a request names it. */
export interface ItemRequest {
  readonly id?: string
  readonly price?: string
  readonly quantity?: number
  readonly deleted?: boolean
  readonly metadata?: Stripe.Emptyable<Stripe.MetadataParam>
}

/** @throws StripeRefusal for prices that a subscription cannot have */
export function readItemPrice(account: Account, request: ItemRequest, param: string): Stripe.Price {
  for (const name of ['price_data', 'plan', 'billing_thresholds', 'tax_rates', 'discounts', 'current_trial'])
    if (Object.hasOwn(request, name)) throw notImplemented(`${param}[${name}]`)
  if (request.price === undefined)
    throw refuse(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing')
  const price = account.tables.prices.get(request.price, `${param}[price]`)
  if (!price.active)
    throw refuse('The price specified is inactive. This field only accepts active prices.', `${param}[price]`)
  if (!price.recurring) {
    const message =
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.'
    throw refuse(message, `${param}[price]`)
  }
  return price
}

/** @throws StripeRefusal for negative and huge quantities */
export function readQuantity(quantity: number | undefined, param: string): number {
  if (quantity === undefined) return 1
  if (quantity < 0) throw refuse('Invalid non-negative integer', `${param}[quantity]`, 'parameter_invalid_integer')
  if (quantity > maxQuantity)
    throw refuse(`Quantity must be at most ${maxQuantity}`, `${param}[quantity]`, 'parameter_invalid_integer')
  return quantity
}

/** A new item, whose period the caller sets. */
export function createItem(
  subscription: string,
  { price, quantity, created }: { readonly price: Stripe.Price; readonly quantity: number; readonly created: number },
): Stripe.SubscriptionItem {
  return {
    id: newId('si'),
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: 0,
    current_period_start: 0,
    current_trial: null,
    discounts: [],
    metadata: {},
    plan: showPlan(price),
    price,
    quantity,
    subscription,
    tax_rates: [],
  }
}

/** All items of a subscription are billed at the same times in the same currency. @throws StripeRefusal */
export function requireSameInterval(items: readonly Stripe.SubscriptionItem[], param: string): void {
  const [first] = items
  if (!first) throw refuse('A subscription must have at least one item.', param, 'parameter_missing')
  for (const { price } of items) {
    if (price.currency !== first.price.currency)
      throw refuse(
        `The price specified has currency ${price.currency}, which is not ${first.price.currency}.`,
        `${param}[0][price]`,
      )
    if (intervalOf(price) !== intervalOf(first.price))
      throw refuse('Currently all prices of a subscription must have the same interval here.', `${param}[0][price]`)
  }
  const prices = new Set(items.map(({ price }) => price.id))
  if (prices.size < items.length) throw refuse('Cannot add multiple subscription items with the same price.', param)
}

const intervalOf = ({ recurring }: Stripe.Price) => `${recurring?.interval_count} ${recurring?.interval}`

/** How long one period of a price is, counted from an anchor. */
export function endOfPeriod(price: Stripe.Price, anchor: number, start: number): number {
  return findPeriodEnd(anchor, start, price.recurring?.interval ?? 'month', price.recurring?.interval_count ?? 1)
}

/** The full price of a period. */
export function createPeriodLine(
  account: Account,
  item: Stripe.SubscriptionItem,
  period: { readonly start: number; readonly end: number },
  isTrial = false,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1
  const name = account.tables.products.find(idOf(item.price.product))?.name ?? 'Subscription'
  const unit = `$${((item.price.unit_amount ?? 0) / 100).toFixed(2)} / ${item.price.recurring?.interval}`
  return createLine(account, {
    amount: isTrial ? 0 : quantity * (item.price.unit_amount ?? 0),
    description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name} (at ${unit})`,
    period: { start: period.start, end: period.end },
    price: item.price,
    quantity,
    subscription: item.subscription,
    item: item.id,
  })
}

/** A change of items, before it is made. */
export interface ItemChange {
  readonly items: Stripe.SubscriptionItem[]
  /** Lines of prorations, and of a new period when the billing cycle starts again. */
  readonly lines: Stripe.InvoiceLineItem[]
  /** The billing cycle starts again at the time of the change. */
  readonly resetsCycle: boolean
}

interface ChangeRequest {
  readonly requests: readonly ItemRequest[]
  readonly at: number
  readonly prorates: boolean
  readonly resetsCycle: boolean
  readonly isTrialing: boolean
}

/** Works out a change without making it. @throws StripeRefusal */
export function planItemChange(account: Account, subscription: Stripe.Subscription, change: ChangeRequest): ItemChange {
  const old = subscription.items.data
  const items = old.map((item) => snapshotOf(item))
  for (const [place, request] of change.requests.entries()) applyRequest(account, subscription, items, request, place)
  const kept = items.filter(({ id }) => !change.requests.some((each) => each.id === id && each.deleted))
  requireSameInterval(kept, 'items')
  const [first, firstOld] = [kept[0], old[0]]
  if (!first || !firstOld) throw refuse('A subscription must have at least one item.', 'items')
  if (first.price.currency !== subscription.currency)
    throw refuse(
      `The price specified has currency ${first.price.currency}, but the subscription has ${subscription.currency}.`,
      'items[0][price]',
    )
  const isNewInterval = intervalOf(first.price) !== intervalOf(firstOld.price)
  const resetsCycle = !change.isTrialing && (change.resetsCycle || isNewInterval)
  const period = resetsCycle
    ? {
        start: change.at,
        end: addInterval(
          change.at,
          first.price.recurring?.interval ?? 'month',
          first.price.recurring?.interval_count ?? 1,
        ),
      }
    : { start: firstOld.current_period_start, end: firstOld.current_period_end }
  for (const item of kept) {
    item.current_period_start = period.start
    item.current_period_end = period.end
  }
  const lines = change.isTrialing ? [] : listLines(account, subscription, { old, kept, change, resetsCycle })
  return { items: kept, lines, resetsCycle }
}

function applyRequest(
  account: Account,
  subscription: Stripe.Subscription,
  items: Stripe.SubscriptionItem[],
  request: ItemRequest,
  place: number,
): void {
  const param = `items[${place}]`
  const item = items.find(({ id }) => id === request.id)
  if (request.id !== undefined && !item)
    throw refuse(`The subscription ${subscription.id} has no item ${request.id}.`, `${param}[id]`, 'resource_missing')
  if (request.deleted) {
    if (!item) throw refuse('Pass the id of the item to delete.', `${param}[id]`, 'parameter_missing')
    return
  }
  if (!item) {
    const price = readItemPrice(account, request, param)
    const quantity = readQuantity(request.quantity, param)
    items.push(createItem(subscription.id, { price, quantity, created: account.now(subscription.test_clock) }))
    return
  }
  if (request.price !== undefined) {
    item.price = readItemPrice(account, request, param)
    item.plan = showPlan(item.price)
  }
  if (request.quantity !== undefined) item.quantity = readQuantity(request.quantity, param)
}

interface LineRequest {
  readonly old: readonly Stripe.SubscriptionItem[]
  readonly kept: readonly Stripe.SubscriptionItem[]
  readonly change: ChangeRequest
  readonly resetsCycle: boolean
}

function listLines(
  account: Account,
  subscription: Stripe.Subscription,
  { old, kept, change, resetsCycle }: LineRequest,
): Stripe.InvoiceLineItem[] {
  const isSame = (one: Stripe.SubscriptionItem, other: Stripe.SubscriptionItem | undefined) =>
    one.price.id === other?.price.id && one.quantity === other.quantity
  const ended = old.filter(
    (item) =>
      resetsCycle ||
      !isSame(
        item,
        kept.find(({ id }) => id === item.id),
      ),
  )
  const started = kept.filter(
    (item) =>
      resetsCycle ||
      !isSame(
        item,
        old.find(({ id }) => id === item.id),
      ),
  )
  const credits = change.prorates ? ended.flatMap((item) => creditUnused(account, subscription, item, change.at)) : []
  if (resetsCycle)
    return [
      ...credits,
      ...started.map((item) => createPeriodLine(account, item, { start: change.at, end: item.current_period_end })),
    ]
  return [...credits, ...(change.prorates ? started.map((item) => debitRest(account, item, change.at)) : [])]
}

/** Takes back the unused part of an item's latest charge. */
function creditUnused(
  account: Account,
  subscription: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  at: number,
): Stripe.InvoiceLineItem[] {
  const invoices = account.tables.invoices.list(
    (invoice) =>
      idOf(invoice.parent?.subscription_details?.subscription) === subscription.id &&
      invoice.status !== 'void' &&
      invoice.status !== 'uncollectible',
  )
  const pending = account.pendingLines.get(subscription.id) ?? []
  const lines = [...pending.toReversed(), ...invoices.flatMap(({ lines: { data } }) => data.toReversed())]
  const billed = lines.find(
    (line) => line.parent?.subscription_item_details?.subscription_item === item.id && line.amount > 0,
  )
  if (!billed || billed.period.end <= at) return []
  const { start, end } = billed.period
  const amount = -Math.round((netOf(billed) * (end - at)) / (end - start))
  if (amount === 0) return []
  const name = account.tables.products.find(idOf(item.price.product))?.name ?? 'Subscription'
  return [
    createLine(account, {
      amount,
      description: `Unused time on ${name}`,
      period: { start: at, end },
      price: item.price,
      quantity: item.quantity ?? 1,
      subscription: subscription.id,
      item: item.id,
      proration: { credits: billed },
    }),
  ]
}

function debitRest(account: Account, item: Stripe.SubscriptionItem, at: number): Stripe.InvoiceLineItem {
  const { current_period_start: start, current_period_end: end, price, quantity = 1 } = item
  const full = endOfPeriod(price, start, start) - start
  const name = account.tables.products.find(idOf(price.product))?.name ?? 'Subscription'
  return createLine(account, {
    amount: Math.round((quantity * (price.unit_amount ?? 0) * (end - at)) / Math.max(full, end - start)),
    description: `Remaining time on ${name}`,
    period: { start: at, end },
    price,
    quantity,
    subscription: item.subscription,
    item: item.id,
    proration: {},
  })
}

/* Pagination (https://docs.stripe.com/api/pagination) and expanded objects (https://docs.stripe.com/api/expanding_objects). */
import type Stripe from 'stripe'
import { type Account, idOf, listOf } from './account.ts'
import { noSuch, refuse } from './refusal.ts'

const maxLimit = 100
const defaultLimit = 10
const maxDepth = 4

interface Page {
  readonly limit?: number
  readonly starting_after?: string
  readonly ending_before?: string
}

/** One page of rows that are sorted already. @throws StripeRefusal for wrong limits and unknown ids */
export function paginate<Kind extends { readonly id: string }>(rows: readonly Kind[], page: Page, url: string) {
  const { limit = defaultLimit, starting_after: after, ending_before: before } = page
  if (limit < 1 || limit > maxLimit)
    throw refuse(`Invalid limit: must be between 1 and ${maxLimit}`, 'limit', 'parameter_invalid_integer')
  if (after !== undefined && before !== undefined)
    throw refuse(
      'You may only specify one of these parameters: starting_after, ending_before.',
      'ending_before',
      'parameters_exclusive',
    )
  const place = (id: string, param: string) => {
    const found = rows.findIndex((row) => row.id === id)
    if (found < 0) throw noSuch('object', id, param)
    return found
  }
  if (before !== undefined) {
    const end = place(before, 'ending_before')
    const start = Math.max(0, end - limit)
    return { object: 'list', url, has_more: start > 0, data: rows.slice(start, end) }
  }
  const start = after === undefined ? 0 : place(after, 'starting_after') + 1
  return { object: 'list', url, has_more: start + limit < rows.length, data: rows.slice(start, start + limit) }
}

/** Whether a time is in a range of a list's parameters. */
export function isInRange(time: number, range: number | Stripe.RangeQueryParam | undefined): boolean {
  if (range === undefined) return true
  if (typeof range === 'number') return time === range
  const { gt = -1, gte = 0, lt = Number.POSITIVE_INFINITY, lte = Number.POSITIVE_INFINITY } = range
  return time > gt && time >= gte && time < lt && time <= lte
}

type Fields = Record<string, unknown>

/** A copy of a response with what `expand` asks for. @throws StripeRefusal for fields that are no ids */
export function expand(account: Account, response: object, paths: readonly string[]): object {
  // JSON of an object is an object.
  const copy = JSON.parse(JSON.stringify(response)) as Fields
  for (const path of paths) {
    const parts = path.split('.')
    if (parts.filter((part) => part !== 'data').length > maxDepth)
      throw refuse(`You cannot expand more than ${maxDepth} levels of a property. Property: ${path}.`, 'expand')
    expandPath(account, [copy], parts, path)
  }
  return copy
}

function expandPath(account: Account, objects: readonly Fields[], parts: readonly string[], path: string): void {
  const [part, ...rest] = parts
  if (part === undefined) return
  const below = objects.flatMap((object) => {
    const value = Object.hasOwn(object, part) ? object[part] : includeField(account, object, part)
    if (value === undefined) {
      if (object.deleted === true) return []
      throw refuse(
        `This property cannot be expanded (${part}). You may want to try expanding another property.`,
        'expand',
      )
    }
    const expanded = expandValue(account, value)
    object[part] = expanded
    return [expanded].flat()
  })
  const found = below.filter((each): each is Fields => typeof each === 'object' && each !== null)
  if (rest.length > 0) expandPath(account, found, rest, path)
}

function expandValue(account: Account, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => expandValue(account, each))
  if (typeof value !== 'string') return value
  const found = Object.values(account.tables)
    .map((table) => table.find(value))
    .find((row) => row !== undefined)
  return found ? JSON.parse(JSON.stringify(found)) : value
}

/** Fields that Stripe leaves out unless they are asked for. */
function includeField(account: Account, object: Fields, field: string): unknown {
  const id = String(object.id)
  const { tables } = account
  if (object.object === 'invoice' && field === 'payments')
    return copy(
      listOf(
        tables.invoicePayments.list((each) => idOf(each.invoice) === id),
        '/v1/invoice_payments',
      ),
    )
  if (object.object === 'invoice' && field === 'confirmation_secret') {
    const payment = tables.invoicePayments.list((each) => idOf(each.invoice) === id)[0]
    const intent = tables.paymentIntents.find(idOf(payment?.payment.payment_intent))
    return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null
  }
  if (object.object === 'customer' && field === 'subscriptions')
    return copy(
      listOf(
        tables.subscriptions.list((each) => idOf(each.customer) === id && each.status !== 'canceled'),
        '/v1/subscriptions',
      ),
    )
  if (object.object === 'customer' && field === 'tax_ids')
    return copy(
      listOf(
        tables.taxIds.list((each) => each.customer === id),
        `/v1/customers/${id}/tax_ids`,
      ),
    )
  if (object.object === 'checkout.session' && field === 'line_items')
    return copy(listOf(account.lineItems.get(id) ?? [], `/v1/checkout/sessions/${id}/line_items`))
  if (object.object === 'coupon' && field === 'applies_to') return { products: account.couponProducts.get(id) ?? [] }
  if (object.object === 'charge' && field === 'refunds')
    return copy(
      listOf(
        tables.refunds.list((each) => each.charge === id),
        `/v1/charges/${id}/refunds`,
      ),
    )
  return undefined
}

function copy(value: object): unknown {
  return JSON.parse(JSON.stringify(value))
}

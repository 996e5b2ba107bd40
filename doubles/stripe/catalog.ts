/* Products and prices (https://docs.stripe.com/api/products, https://docs.stripe.com/api/prices). */
import Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, snapshotOf } from './account.ts'
import { notImplemented, refuse } from './refusal.ts'

const maxUnitAmount = 99_999_999
const currencies = ['usd', 'eur', 'gbp', 'chf', 'jpy']

export function createProduct(account: Account, params: Stripe.ProductCreateParams): Stripe.Product {
  if (params.id !== undefined && account.tables.products.find(params.id))
    throw refuse(`Product already exists.`, 'id', 'resource_already_exists')
  const now = account.now()
  const product: Stripe.Product = {
    id: params.id ?? account.newId('prod'),
    object: 'product',
    active: params.active ?? true,
    created: now,
    default_price: null,
    description: params.description ?? null,
    images: params.images ?? [],
    livemode: false,
    marketing_features: (params.marketing_features ?? []).map(({ name }) => ({ name })),
    metadata: mergeMetadata({}, params.metadata),
    name: params.name,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: params.statement_descriptor ?? null,
    tax_code: params.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: params.unit_label ?? null,
    updated: now,
    url: params.url ?? null,
  }
  account.tables.products.add(product)
  account.emit('product.created', product)
  return product
}

export function updateProduct(account: Account, id: string, params: Stripe.ProductUpdateParams): Stripe.Product {
  const product = account.tables.products.get(id)
  const before = snapshotOf(product)
  if (params.default_price !== undefined) {
    account.tables.prices.get(params.default_price, 'default_price')
    product.default_price = params.default_price
  }
  if (params.active !== undefined) product.active = params.active
  if (params.name !== undefined) product.name = params.name
  if (params.description !== undefined) product.description = params.description || null
  if (params.tax_code !== undefined) product.tax_code = params.tax_code || null
  if (params.marketing_features !== undefined)
    product.marketing_features = (params.marketing_features || []).map(({ name }) => ({ name }))
  if (params.metadata !== undefined) product.metadata = mergeMetadata(product.metadata, params.metadata)
  product.updated = account.now()
  account.emit('product.updated', product, before)
  return product
}

/** A product with prices stays. */
export function deleteProduct(account: Account, id: string): Stripe.DeletedProduct {
  const product = account.tables.products.get(id)
  if (account.tables.prices.list((price) => idOf(price.product) === id).length > 0)
    throw refuse('This product cannot be deleted because it has one or more user-created prices.')
  account.tables.products.remove(id)
  account.emit('product.deleted', product)
  return { id, object: 'product', deleted: true }
}

export function createPrice(account: Account, params: Stripe.PriceCreateParams): Stripe.Price {
  if (params.product === undefined) throw refuse('Missing required param: product.', 'product', 'parameter_missing')
  const product = account.tables.products.get(params.product, 'product')
  const price: Stripe.Price = {
    id: account.newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: account.now(),
    currency: readCurrency(params.currency),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: claimLookupKey(account, params.lookup_key, params.transfer_lookup_key),
    metadata: mergeMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product: product.id,
    recurring: params.recurring ? readRecurring(params.recurring) : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring ? 'recurring' : 'one_time',
    ...readAmount(params),
  }
  account.tables.prices.add(price)
  account.emit('price.created', price)
  return price
}

function readAmount({ unit_amount: amount }: Stripe.PriceCreateParams) {
  if (amount === undefined) throw refuse('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing')
  if (amount < 0) throw refuse('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer')
  if (amount > maxUnitAmount) throw refuse('Amount must be no more than $999,999.99', 'unit_amount', 'amount_too_large')
  return { unit_amount: amount, unit_amount_decimal: Stripe.Decimal.from(amount) }
}

function readRecurring(recurring: Stripe.PriceCreateParams.Recurring): Stripe.Price.Recurring {
  const count = recurring.interval_count ?? 1
  if (count < 1 || count > (recurring.interval === 'year' ? 3 : 36))
    throw refuse('Invalid interval_count', 'recurring[interval_count]')
  if (recurring.usage_type === 'metered' || recurring.meter !== undefined) throw notImplemented('recurring[usage_type]')
  return {
    interval: recurring.interval,
    interval_count: count,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/** @throws StripeRefusal for texts that are not a currency's code */
export function readCurrency(currency: string, param = 'currency'): string {
  const code = currency.toLowerCase()
  if (!currencies.includes(code)) throw refuse(`Invalid currency: ${currency}.`, param)
  return code
}

function claimLookupKey(account: Account, key: string | undefined, isTransferred = false): string | null {
  if (!key) return null
  const holder = account.tables.prices.list((price) => price.lookup_key === key)[0]
  if (!holder) return key
  if (!isTransferred)
    throw refuse(`A price (\`${holder.id}\`) already uses that lookup key.`, 'lookup_key', 'resource_already_exists')
  const before = snapshotOf(holder)
  holder.lookup_key = null
  account.emit('price.updated', holder, before)
  return key
}

export function updatePrice(account: Account, id: string, params: Stripe.PriceUpdateParams): Stripe.Price {
  const price = account.tables.prices.get(id)
  const before = snapshotOf(price)
  if (params.active !== undefined) price.active = params.active
  if (params.nickname !== undefined) price.nickname = params.nickname || null
  if (params.metadata !== undefined) price.metadata = mergeMetadata(price.metadata, params.metadata)
  if (params.lookup_key !== undefined && params.lookup_key !== price.lookup_key)
    price.lookup_key = claimLookupKey(account, params.lookup_key, params.transfer_lookup_key)
  if (params.tax_behavior !== undefined) {
    if (price.tax_behavior !== 'unspecified')
      throw refuse('You cannot change the tax_behavior of a price once it is set.', 'tax_behavior')
    price.tax_behavior = params.tax_behavior
  }
  account.emit('price.updated', price, before)
  return price
}

/** The deprecated view of a recurring price, which subscription items still have. */
export function showPlan(price: Stripe.Price): Stripe.Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

/* Customers, their tax ids and their balance (https://docs.stripe.com/api/customers, …/tax_ids, …/customer_balance_transactions). */
import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata, newCode, snapshotOf } from './account.ts'
import { noSuch, refuse } from './refusal.ts'

/** The forms of the tax ids that are checked; others are accepted as they are. */
const taxIdForms: Readonly<Record<string, RegExp>> = {
  eu_vat: /^(AT|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK|XI)[0-9A-Z+*.]{2,12}$/,
  gb_vat: /^(GB|XI)\d{9}(\d{3})?$/,
  ch_vat: /^CHE\d{9}(MWST|TVA|IVA)?$/,
  us_ein: /^\d{2}-?\d{7}$/,
}
const maxCustomersOfClock = 3

export function createCustomer(account: Account, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const clock = params.test_clock ?? null
  if (clock !== null) {
    account.tables.testClocks.get(clock, 'test_clock')
    const others = account.tables.customers.list((each) => !each.deleted && each.test_clock === clock)
    if (others.length >= maxCustomersOfClock)
      throw refuse(`Test clocks can have at most ${maxCustomersOfClock} customers.`, 'test_clock')
  }
  checkEmail(params.email)
  for (const { type, value } of params.tax_id_data ?? []) checkTaxId(type, value, 'tax_id_data')
  const customer: Stripe.Customer = {
    id: account.newId('cus'),
    object: 'customer',
    address: readAddress(params.address),
    balance: params.balance ?? 0,
    business_name: params.business_name || '',
    created: account.now(clock),
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: params.description ?? null,
    email: params.email ?? null,
    individual_name: params.individual_name || '',
    invoice_prefix: newCode(),
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    name: params.name ?? null,
    next_invoice_sequence: 1,
    phone: params.phone ?? null,
    preferred_locales: params.preferred_locales ?? [],
    shipping: null,
    tax_exempt: params.tax_exempt || 'none',
    test_clock: clock,
  }
  account.tables.customers.add(customer)
  account.emit('customer.created', customer)
  for (const { type, value } of params.tax_id_data ?? []) createTaxId(account, customer.id, { type, value })
  return customer
}

export function updateCustomer(account: Account, id: string, params: Stripe.CustomerUpdateParams): Stripe.Customer {
  const customer = account.getCustomer(id, 'id')
  checkEmail(params.email)
  const before = snapshotOf(customer)
  const method = params.invoice_settings?.default_payment_method
  if (method) {
    const owner = account.tables.paymentMethods.get(method, 'invoice_settings[default_payment_method]').customer
    if (idOf(owner) !== id)
      throw refuse(
        `The customer does not have a payment method with the ID ${method}.`,
        'invoice_settings[default_payment_method]',
      )
  }
  if (method !== undefined) customer.invoice_settings.default_payment_method = method || null
  if (params.address !== undefined) customer.address = readAddress(params.address)
  if (params.balance !== undefined && params.balance !== customer.balance)
    changeBalance(account, customer, params.balance - customer.balance, { type: 'adjustment' })
  if (params.name !== undefined) customer.name = params.name || null
  if (params.email !== undefined) customer.email = params.email || null
  if (params.phone !== undefined) customer.phone = params.phone || null
  if (params.description !== undefined) customer.description = params.description || null
  if (params.business_name !== undefined) customer.business_name = params.business_name || ''
  if (params.individual_name !== undefined) customer.individual_name = params.individual_name || ''
  if (params.preferred_locales !== undefined) customer.preferred_locales = params.preferred_locales
  if (params.tax_exempt !== undefined) customer.tax_exempt = params.tax_exempt || 'none'
  if (params.metadata !== undefined) customer.metadata = mergeMetadata(customer.metadata, params.metadata)
  account.emit('customer.updated', customer, before)
  return customer
}

/** The address with all of its fields. */
export function readAddress(address: Stripe.Emptyable<Stripe.AddressParam> | undefined): Stripe.Address | null {
  if (!address) return null
  const { city, country, line1, line2, postal_code: code, state } = address
  if (country !== undefined && !/^[A-Z]{2}$/.test(country))
    throw refuse(
      `Country '${country}' is unknown. Try using a 2-character alphanumeric country code.`,
      'address[country]',
      'country_code_invalid',
    )
  return {
    city: city ?? null,
    country: country ?? null,
    line1: line1 ?? null,
    line2: line2 ?? null,
    postal_code: code ?? null,
    state: state ?? null,
  }
}

function checkEmail(email: string | undefined): void {
  if (email !== undefined && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw refuse(`Invalid email address: ${email}`, 'email', 'email_invalid')
}

export function createTaxId(
  account: Account,
  customerId: string,
  { type, value }: { readonly type: string; readonly value: string },
): Stripe.TaxId {
  const customer = account.getCustomer(customerId)
  checkTaxId(type, value, 'value')
  const country = value.slice(0, 2) === 'EL' ? 'GR' : value.slice(0, 2)
  const taxId: Stripe.TaxId = {
    id: account.newId('txi'),
    object: 'tax_id',
    country: type === 'eu_vat' ? country : type.slice(0, 2).toUpperCase(),
    created: account.now(customer.test_clock),
    customer: customer.id,
    customer_account: null,
    livemode: false,
    owner: { type: 'customer', customer: customer.id, customer_account: null },
    type,
    value,
    verification: { status: 'verified', verified_address: null, verified_name: customer.name ?? null },
  }
  account.tables.taxIds.add(taxId)
  account.emit('customer.tax_id.created', taxId)
  return taxId
}

function checkTaxId(type: string, value: string, param: string): void {
  if (taxIdForms[type]?.test(value) === false) throw refuse(`Invalid value for ${type}.`, param, 'tax_id_invalid')
}

export function listTaxIds(account: Account, customerId: string): Stripe.TaxId[] {
  return account.tables.taxIds.list(({ customer }) => customer === customerId)
}

export function getTaxId(account: Account, customerId: string, id: string): Stripe.TaxId {
  const taxId = account.tables.taxIds.get(id)
  if (taxId.customer !== customerId) throw noSuch('tax id', id, 'id')
  return taxId
}

export function deleteTaxId(account: Account, customerId: string, id: string): Stripe.DeletedTaxId {
  const taxId = getTaxId(account, customerId, id)
  account.tables.taxIds.remove(id)
  account.emit('customer.tax_id.deleted', taxId)
  return { id, object: 'tax_id', deleted: true }
}

interface BalanceChange {
  readonly type: Stripe.CustomerBalanceTransaction.Type
  readonly invoice?: string
  readonly creditNote?: string
  readonly description?: string
}

/** @param amount negative: a credit for the customer; positive: a debt */
export function changeBalance(
  account: Account,
  customer: Stripe.Customer,
  amount: number,
  change: BalanceChange,
): Stripe.CustomerBalanceTransaction {
  customer.balance += amount
  return account.tables.balanceTransactions.add({
    id: account.newId('cbtxn'),
    object: 'customer_balance_transaction',
    amount,
    checkout_session: null,
    created: account.now(customer.test_clock),
    credit_note: change.creditNote ?? null,
    currency: customer.currency ?? 'usd',
    customer: customer.id,
    customer_account: null,
    description: change.description ?? null,
    ending_balance: customer.balance,
    invoice: change.invoice ?? null,
    livemode: false,
    metadata: {},
    type: change.type,
  })
}

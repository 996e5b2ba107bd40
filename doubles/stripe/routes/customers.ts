import type Stripe from 'stripe'
import { type Account, idOf, mergeMetadata } from '../account.ts'
import {
  changeBalance,
  createCustomer,
  createTaxId,
  deleteTaxId,
  getTaxId,
  listTaxIds,
  updateCustomer,
} from '../customers.ts'
import { isInRange, paginate } from '../lists.ts'
import {
  attachPaymentMethod,
  createPaymentMethod,
  detachPaymentMethod,
  resolvePaymentMethod,
} from '../payment-methods.ts'
import { refuse } from '../refusal.ts'
import { type Route, route } from '../route.ts'
import { endSubscription } from '../subscription-status.ts'

const pages = 'limit starting_after ending_before'
const fields =
  'address balance business_name description email individual_name metadata name phone preferred_locales tax_exempt'

const customers: readonly Route[] = [
  route<Stripe.CustomerCreateParams>(
    'POST /customers',
    'Customers CustomerCreateParams',
    `${fields} invoice_settings payment_method tax_id_data test_clock`,
    ({ account }, params) => createWithMethod(account, params),
  ),
  route('GET /customers/{id}', 'Customers CustomerRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.customers.get(id),
  ),
  route<Stripe.CustomerUpdateParams>(
    'POST /customers/{id}',
    'Customers CustomerUpdateParams',
    `${fields} invoice_settings`,
    ({ account, ids: [id] }, params) => updateCustomer(account, id, params),
  ),
  route('DELETE /customers/{id}', 'Customers CustomerDeleteParams', '', ({ account, ids: [id] }) =>
    deleteCustomer(account, id),
  ),
  route<Stripe.CustomerListParams>(
    'GET /customers',
    'Customers CustomerListParams',
    `created email test_clock ${pages}`,
    ({ account, path }, { created, email, test_clock: clock, ...page }) => {
      const found = account.tables.customers.list(
        (each) =>
          !each.deleted &&
          (email === undefined || each.email === email) &&
          (clock === undefined ? idOf(each.test_clock) === '' : idOf(each.test_clock) === clock) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
]

function createWithMethod(account: Account, params: Stripe.CustomerCreateParams): Stripe.Customer {
  const chosen = params.invoice_settings?.default_payment_method
  if (chosen !== undefined && chosen !== params.payment_method)
    throw refuse(
      'The default payment method must be the one in payment_method.',
      'invoice_settings[default_payment_method]',
    )
  const customer = createCustomer(account, params)
  if (params.payment_method === undefined) return customer
  const method = attachPaymentMethod(account, params.payment_method, customer.id)
  if (chosen === undefined) return customer
  return updateCustomer(account, customer.id, { invoice_settings: { default_payment_method: method.id } })
}

/** Its subscriptions end with it. */
function deleteCustomer(account: Account, id: string): Stripe.DeletedCustomer {
  const customer = account.getCustomer(id, 'id')
  for (const subscription of account.tables.subscriptions.list((each) => idOf(each.customer) === id))
    if (subscription.status !== 'canceled' && subscription.status !== 'incomplete_expired')
      endSubscription(account, subscription)
  const deleted: Stripe.DeletedCustomer = { id, object: 'customer', deleted: true }
  account.tables.customers.add(deleted)
  account.emit('customer.deleted', customer)
  return deleted
}

const details: readonly Route[] = [
  route<Stripe.CustomerCreateTaxIdParams>(
    'POST /customers/{id}/tax_ids',
    'Customers CustomerCreateTaxIdParams',
    'type value',
    ({ account, ids: [id] }, params) => createTaxId(account, id, params),
  ),
  route<Stripe.CustomerListTaxIdsParams>(
    'GET /customers/{id}/tax_ids',
    'Customers CustomerListTaxIdsParams',
    pages,
    ({ account, ids: [id], path }, page) => paginate(listTaxIds(account, account.getCustomer(id).id), page, path),
  ),
  route(
    'GET /customers/{id}/tax_ids/{id}',
    'Customers CustomerRetrieveTaxIdParams',
    '',
    ({ account, ids: [id, taxId] }) => getTaxId(account, id, taxId),
  ),
  route(
    'DELETE /customers/{id}/tax_ids/{id}',
    'Customers CustomerDeleteTaxIdParams',
    '',
    ({ account, ids: [id, taxId] }) => deleteTaxId(account, id, taxId),
  ),
  route<Stripe.CustomerCreateBalanceTransactionParams>(
    'POST /customers/{id}/balance_transactions',
    'Customers CustomerCreateBalanceTransactionParams',
    'amount currency description metadata',
    ({ account, ids: [id] }, params) => adjustBalance(account, id, params),
  ),
  route<Stripe.CustomerListBalanceTransactionsParams>(
    'GET /customers/{id}/balance_transactions',
    'Customers CustomerListBalanceTransactionsParams',
    pages,
    ({ account, ids: [id], path }, { limit, starting_after, ending_before }) => {
      const found = account.tables.balanceTransactions.list(
        (each) => idOf(each.customer) === account.getCustomer(id).id,
      )
      return paginate(
        found,
        {
          ...(limit !== undefined && { limit }),
          ...(starting_after && { starting_after }),
          ...(ending_before && { ending_before }),
        },
        path,
      )
    },
  ),
]

function adjustBalance(account: Account, id: string, params: Stripe.CustomerCreateBalanceTransactionParams) {
  const customer = account.getCustomer(id)
  if (customer.currency && customer.currency !== params.currency.toLowerCase())
    throw refuse(`The customer's currency is ${customer.currency}.`, 'currency')
  const transaction = changeBalance(account, customer, params.amount, {
    type: 'adjustment',
    ...(params.description !== undefined && { description: params.description }),
  })
  transaction.metadata = mergeMetadata({}, params.metadata)
  account.emit('customer.updated', customer)
  return transaction
}

const methods: readonly Route[] = [
  route<Stripe.PaymentMethodCreateParams>(
    'POST /payment_methods',
    'PaymentMethods PaymentMethodCreateParams',
    'type card metadata',
    ({ account }, params) => createPaymentMethod(account, params),
  ),
  route('GET /payment_methods/{id}', 'PaymentMethods PaymentMethodRetrieveParams', '', ({ account, ids: [id] }) =>
    resolvePaymentMethod(account, id),
  ),
  route<Stripe.PaymentMethodAttachParams>(
    'POST /payment_methods/{id}/attach',
    'PaymentMethods PaymentMethodAttachParams',
    'customer',
    ({ account, ids: [id] }, { customer }) => {
      if (customer === undefined) throw refuse('Missing required param: customer.', 'customer', 'parameter_missing')
      return attachPaymentMethod(account, id, customer)
    },
  ),
  route('POST /payment_methods/{id}/detach', 'PaymentMethods PaymentMethodDetachParams', '', ({ account, ids: [id] }) =>
    detachPaymentMethod(account, id),
  ),
  route<Stripe.PaymentMethodListParams>(
    'GET /payment_methods',
    'PaymentMethods PaymentMethodListParams',
    `customer type ${pages}`,
    ({ account, path }, { customer, type, ...page }) => listMethods(account, customer, type, page, path),
  ),
  route<Stripe.CustomerListPaymentMethodsParams>(
    'GET /customers/{id}/payment_methods',
    'Customers CustomerListPaymentMethodsParams',
    `type ${pages}`,
    ({ account, ids: [id], path }, { type, ...page }) => listMethods(account, id, type, page, path),
  ),
  route(
    'GET /customers/{id}/payment_methods/{id}',
    'Customers CustomerRetrievePaymentMethodParams',
    '',
    ({ account, ids: [, id] }) => account.tables.paymentMethods.get(id),
  ),
]

function listMethods(
  account: Account,
  customer: string | undefined,
  type: string | undefined,
  page: object,
  path: string,
) {
  if (customer === undefined) throw refuse('Missing required param: customer.', 'customer', 'parameter_missing')
  const { id } = account.getCustomer(customer)
  const found = account.tables.paymentMethods.list(
    (each) => idOf(each.customer) === id && (type === undefined || each.type === type),
  )
  return paginate(found, page, path)
}

/** Customers, their tax ids, balance and payment methods. */
export const customerRoutes: readonly Route[] = [...customers, ...details, ...methods]

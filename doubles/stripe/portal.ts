/* Sessions of the customer portal (https://docs.stripe.com/api/customer_portal/sessions). */
import type Stripe from 'stripe'
import { type Account, idOf } from './account.ts'
import { notImplemented, refuse } from './refusal.ts'

const portalConfigurationId = 'bpc_default'

export function createPortalSession(
  account: Account,
  params: Stripe.BillingPortal.SessionCreateParams,
): Stripe.BillingPortal.Session {
  if (params.customer === undefined) throw refuse('Missing required param: customer.', 'customer', 'parameter_missing')
  const customer = account.getCustomer(params.customer)
  if (params.configuration !== undefined && params.configuration !== portalConfigurationId)
    throw refuse(`No such configuration: '${params.configuration}'`, 'configuration', 'resource_missing')
  if (params.return_url !== undefined && !/^https?:\/\/\S+$/.test(params.return_url))
    throw refuse('Not a valid URL', 'return_url', 'url_invalid')
  const flow = readFlow(account, params.flow_data, customer.id)
  const id = account.newId('bps')
  const session: Stripe.BillingPortal.Session = {
    id,
    object: 'billing_portal.session',
    configuration: portalConfigurationId,
    created: account.now(customer.test_clock),
    customer: customer.id,
    customer_account: null,
    flow,
    livemode: false,
    locale: params.locale ?? null,
    on_behalf_of: null,
    return_url: params.return_url ?? null,
    url: `${account.baseUrl()}/p/session/${account.id}/${id}`,
    ...(params.after_expiration && { after_expiration: null }),
  }
  account.tables.portalSessions.add(session)
  account.emit('billing_portal.session.created', session)
  return session
}

function readFlow(
  account: Account,
  flow: Stripe.BillingPortal.SessionCreateParams.FlowData | undefined,
  customerId: string,
): Stripe.BillingPortal.Session.Flow | null {
  if (!flow) return null
  if (flow.type !== 'payment_method_update' && flow.type !== 'subscription_cancel')
    throw notImplemented('flow_data[type]')
  const subscription = flow.subscription_cancel?.subscription
  if (flow.type === 'subscription_cancel') {
    if (subscription === undefined)
      throw refuse(
        'Missing required param: flow_data[subscription_cancel].',
        'flow_data[subscription_cancel]',
        'parameter_missing',
      )
    const found = account.tables.subscriptions.get(subscription, 'flow_data[subscription_cancel][subscription]')
    if (idOf(found.customer) !== customerId)
      throw refuse('The subscription does not belong to the customer.', 'flow_data[subscription_cancel][subscription]')
  }
  const after = flow.after_completion
  return {
    after_completion: {
      type: after?.type ?? 'portal_homepage',
      hosted_confirmation: null,
      redirect: after?.redirect ? { return_url: after.redirect.return_url } : null,
    },
    customer_update: null,
    subscription_cancel: subscription === undefined ? null : { subscription, retention: null },
    subscription_pause: null,
    subscription_update: null,
    subscription_update_confirm: null,
    type: flow.type,
  }
}

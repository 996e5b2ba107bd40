import type Stripe from 'stripe'
import { idOf, mergeMetadata } from '../account.ts'
import { createCheckoutSession, expireCheckoutSession } from '../checkout.ts'
import { isInRange, paginate } from '../lists.ts'
import { createPortalSession } from '../portal.ts'
import { type Route, route } from '../route.ts'
import { advanceTestClock, createTestClock, deleteTestClock } from '../test-clocks.ts'
import { createWebhookEndpoint, showEndpoint, updateWebhookEndpoint } from '../webhook-endpoints.ts'

const pages = 'limit starting_after ending_before'

const sessions: readonly Route[] = [
  route<Stripe.Checkout.SessionCreateParams>(
    'POST /checkout/sessions',
    'Checkout/Sessions SessionCreateParams',
    'adaptive_pricing allow_promotion_codes automatic_tax billing_address_collection cancel_url client_reference_id currency customer customer_email customer_update discounts expires_at line_items locale managed_payments metadata mode payment_method_collection redirect_on_completion return_url subscription_data success_url tax_id_collection ui_mode',
    ({ account }, params) => createCheckoutSession(account, params),
  ),
  route('GET /checkout/sessions/{id}', 'Checkout/Sessions SessionRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.checkoutSessions.get(id, 'session'),
  ),
  route<Stripe.Checkout.SessionUpdateParams>(
    'POST /checkout/sessions/{id}',
    'Checkout/Sessions SessionUpdateParams',
    'metadata',
    ({ account, ids: [id] }, { metadata }) => {
      const session = account.tables.checkoutSessions.get(id, 'session')
      session.metadata = mergeMetadata(session.metadata ?? {}, metadata)
      return session
    },
  ),
  route('POST /checkout/sessions/{id}/expire', 'Checkout/Sessions SessionExpireParams', '', ({ account, ids: [id] }) =>
    expireCheckoutSession(account, id),
  ),
  route<Stripe.Checkout.SessionListLineItemsParams>(
    'GET /checkout/sessions/{id}/line_items',
    'Checkout/Sessions SessionListLineItemsParams',
    pages,
    ({ account, ids: [id], path }, page) => {
      const session = account.tables.checkoutSessions.get(id, 'session')
      return paginate(account.lineItems.get(session.id) ?? [], page, path)
    },
  ),
  route<Stripe.Checkout.SessionListParams>(
    'GET /checkout/sessions',
    'Checkout/Sessions SessionListParams',
    `created customer status subscription ${pages}`,
    ({ account, path }, { created, customer, status, subscription, ...page }) => {
      const found = account.tables.checkoutSessions.list(
        (each) =>
          (customer === undefined || idOf(each.customer) === customer) &&
          (status === undefined || each.status === status) &&
          (subscription === undefined || idOf(each.subscription) === subscription) &&
          isInRange(each.created, created),
      )
      return paginate(found, page, path)
    },
  ),
  route<Stripe.BillingPortal.SessionCreateParams>(
    'POST /billing_portal/sessions',
    'BillingPortal/Sessions SessionCreateParams',
    'configuration customer flow_data locale return_url',
    ({ account }, params) => createPortalSession(account, params),
  ),
]

const tests: readonly Route[] = [
  route<Stripe.TestHelpers.TestClockCreateParams>(
    'POST /test_helpers/test_clocks',
    'TestHelpers/TestClocks TestClockCreateParams',
    'frozen_time name',
    ({ account }, params) => createTestClock(account, params),
  ),
  route(
    'GET /test_helpers/test_clocks/{id}',
    'TestHelpers/TestClocks TestClockRetrieveParams',
    '',
    ({ account, ids: [id] }) => account.tables.testClocks.get(id, 'test_clock'),
  ),
  route<Stripe.TestHelpers.TestClockAdvanceParams>(
    'POST /test_helpers/test_clocks/{id}/advance',
    'TestHelpers/TestClocks TestClockAdvanceParams',
    'frozen_time',
    ({ account, ids: [id] }, { frozen_time: time }) => advanceTestClock(account, id, time),
  ),
  route(
    'DELETE /test_helpers/test_clocks/{id}',
    'TestHelpers/TestClocks TestClockDeleteParams',
    '',
    ({ account, ids: [id] }) => deleteTestClock(account, id),
  ),
]

const events: readonly Route[] = [
  route('GET /events/{id}', 'Events EventRetrieveParams', '', ({ account, ids: [id] }) =>
    account.tables.events.get(id),
  ),
  route<Stripe.EventListParams>(
    'GET /events',
    'Events EventListParams',
    `created type types ${pages}`,
    ({ account, path }, { created, type, types, ...page }) => {
      const isWanted = (name: string) =>
        (types?.includes(name) ?? true) &&
        (type === undefined || (type.endsWith('*') ? name.startsWith(type.slice(0, -1)) : name === type))
      const found = account.tables.events.list((each) => isWanted(each.type) && isInRange(each.created, created))
      return paginate(found, page, path)
    },
  ),
  route<Stripe.WebhookEndpointCreateParams>(
    'POST /webhook_endpoints',
    'WebhookEndpoints WebhookEndpointCreateParams',
    'api_version description enabled_events metadata url',
    ({ account }, params) => {
      const endpoint = createWebhookEndpoint(account, params)
      return { ...showEndpoint(endpoint), secret: endpoint.signingSecret }
    },
  ),
  route('GET /webhook_endpoints/{id}', 'WebhookEndpoints WebhookEndpointRetrieveParams', '', ({ account, ids: [id] }) =>
    showEndpoint(account.tables.endpoints.get(id)),
  ),
  route<Stripe.WebhookEndpointUpdateParams>(
    'POST /webhook_endpoints/{id}',
    'WebhookEndpoints WebhookEndpointUpdateParams',
    'description disabled enabled_events url',
    ({ account, ids: [id] }, params) => updateWebhookEndpoint(account, id, params),
  ),
  route(
    'DELETE /webhook_endpoints/{id}',
    'WebhookEndpoints WebhookEndpointDeleteParams',
    '',
    ({ account, ids: [id] }) => {
      account.tables.endpoints.get(id)
      account.tables.endpoints.remove(id)
      return { id, object: 'webhook_endpoint', deleted: true }
    },
  ),
  route<Stripe.WebhookEndpointListParams>(
    'GET /webhook_endpoints',
    'WebhookEndpoints WebhookEndpointListParams',
    pages,
    ({ account, path }, page) => paginate(account.tables.endpoints.list().map(showEndpoint), page, path),
  ),
]

/** Checkout, customer portal, test clocks, events and webhook endpoints. */
export const sessionRoutes: readonly Route[] = [...sessions, ...tests, ...events]

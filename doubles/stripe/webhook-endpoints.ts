/* Webhook endpoints (https://docs.stripe.com/api/webhook_endpoints). */
import Stripe from 'stripe'
import { type Account, mergeMetadata, newId, type WebhookEndpointState } from './account.ts'
import { refuse } from './refusal.ts'

/** The secret is in the answer to this request only. */
export function createWebhookEndpoint(
  account: Account,
  params: Pick<
    Stripe.WebhookEndpointCreateParams,
    'url' | 'enabled_events' | 'description' | 'metadata' | 'api_version'
  >,
): WebhookEndpointState {
  checkUrl(params.url)
  if (params.api_version !== undefined && params.api_version !== Stripe.API_VERSION)
    throw refuse(`The double sends events of ${Stripe.API_VERSION} only.`, 'api_version')
  const endpoint: WebhookEndpointState = {
    id: account.newId('we'),
    object: 'webhook_endpoint',
    api_version: Stripe.API_VERSION,
    application: null,
    created: account.now(),
    description: params.description || null,
    enabled_events: params.enabled_events,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata ?? {}),
    status: 'enabled',
    url: params.url,
    signingSecret: newId('whsec').replace(/^whsec_/, 'whsec_test'),
  }
  return account.tables.endpoints.add(endpoint)
}

export function updateWebhookEndpoint(account: Account, id: string, params: Stripe.WebhookEndpointUpdateParams) {
  const endpoint = account.tables.endpoints.get(id)
  if (params.url !== undefined) {
    checkUrl(params.url)
    endpoint.url = params.url
  }
  if (params.enabled_events !== undefined) endpoint.enabled_events = params.enabled_events
  if (params.disabled !== undefined) endpoint.status = params.disabled ? 'disabled' : 'enabled'
  if (params.description !== undefined) endpoint.description = params.description || null
  return showEndpoint(endpoint)
}

function checkUrl(url: string): void {
  if (!/^https?:\/\/\S+$/.test(url))
    throw refuse('Invalid URL: An explicit scheme (such as https) must be provided.', 'url', 'url_invalid')
}

/** Without its secret. */
export function showEndpoint({ signingSecret: _, ...endpoint }: WebhookEndpointState): Stripe.WebhookEndpoint {
  return endpoint
}

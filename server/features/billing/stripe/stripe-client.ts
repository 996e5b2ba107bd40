import type Stripe from 'stripe'
import type { Config } from '#server/config.ts'

type StripeSettings = NonNullable<Config['stripe']>

/** Of one request. With a retry and what the SDK waits before it, a call that gets no answer fails within 10 s. */
const timeoutMs = 4_000

/**
 * The SDK, at the configured host. Its API version is the one that the SDK is made for. It is loaded by the first call: most
 * instances have no billing, and a start waits for it nowhere.
 */
export async function openStripe({ secretKey, apiUrl }: Pick<StripeSettings, 'secretKey' | 'apiUrl'>): Promise<Stripe> {
  const { default: Stripe } = await import('stripe')
  const { hostname, port, protocol } = new URL(apiUrl)
  return new Stripe(secretKey, {
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    protocol: protocol === 'http:' ? 'http' : 'https',
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  })
}

/** Whether Stripe has no such object, in this account and mode. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'resource_missing'
}

import type { Config } from './config.ts'
import type { SecurityHeaderOptions } from './platform/http/security-headers.ts'

/** Google's hosts for a measurement id (https://developers.google.com/tag-platform/security/guides/csp). */
const googleTag = 'https://www.googletagmanager.com'
const googleAnalytics = ['https://*.google-analytics.com', 'https://*.analytics.google.com', googleTag]

type Sources = Omit<SecurityHeaderOptions, 'appUrl'>

/** What pages may load, call and frame beyond our own origin: the configured services alone. */
export function listOutsideSources(config: Pick<Config, 'supabase' | 'public'>): Sources {
  const { posthogHost, sentryDsn, gaMeasurementId, stripeScriptUrl } = config.public
  const urls = [config.supabase?.url, posthogHost, sentryDsn].filter((url) => typeof url === 'string')
  const google = gaMeasurementId === null ? [] : googleAnalytics
  const stripe = stripeScriptUrl === null ? undefined : listStripeSources(stripeScriptUrl)
  return {
    connectSources: [...urls.map((url) => new URL(url).origin), ...google, ...(stripe?.connectSources ?? [])],
    scriptSources: [...(gaMeasurementId === null ? [] : [googleTag]), ...(stripe?.scriptSources ?? [])],
    imageSources: google,
    frameSources: stripe?.frameSources ?? [],
  }
}

/** What Stripe's script needs (https://docs.stripe.com/security/guide#content-security-policy). */
function listStripeSources(scriptUrl: string): Omit<Sources, 'imageSources'> {
  const scriptSources = [new URL(scriptUrl).origin, 'https://*.js.stripe.com']
  return {
    scriptSources,
    frameSources: [...scriptSources, 'https://checkout.stripe.com', 'https://hooks.stripe.com'],
    connectSources: ['https://api.stripe.com', 'https://checkout.stripe.com'],
  }
}

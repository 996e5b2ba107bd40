import type { Config } from './config.ts'
import type { SecurityHeaderOptions } from './platform/http/security-headers.ts'

/** Google's hosts for a measurement id (https://developers.google.com/tag-platform/security/guides/csp). */
const googleTag = 'https://www.googletagmanager.com'
const googleAnalytics = ['https://*.google-analytics.com', 'https://*.analytics.google.com', googleTag]

/** What pages may load and call beyond our own origin: the configured services alone. */
export function listOutsideSources(
  config: Pick<Config, 'supabase' | 'public'>,
): Pick<SecurityHeaderOptions, 'connectSources' | 'scriptSources' | 'imageSources'> {
  const { posthogHost, sentryDsn, gaMeasurementId } = config.public
  const urls = [config.supabase?.url, posthogHost, sentryDsn].filter((url) => typeof url === 'string')
  const google = gaMeasurementId === null ? [] : googleAnalytics
  return {
    connectSources: [...urls.map((url) => new URL(url).origin), ...google],
    scriptSources: gaMeasurementId === null ? [] : [googleTag],
    imageSources: google,
  }
}

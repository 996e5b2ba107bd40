import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'
import { listOutsideSources } from './outside-sources.ts'

describe('listOutsideSources', () => {
  it('names no host without keys', () => {
    expect(listOutsideSources(loadConfig({}))).toEqual({
      connectSources: [],
      scriptSources: [],
      imageSources: [],
      frameSources: [],
    })
  })

  it('names the hosts of configured services, without keys and paths', () => {
    const config = loadConfig({
      POSTHOG_KEY: 'phc_1',
      POSTHOG_HOST: 'https://posthog.example/proxy',
      SENTRY_DSN: 'https://public@sentry.example/42',
    })
    expect(listOutsideSources(config)).toEqual({
      connectSources: ['https://posthog.example', 'https://sentry.example'],
      scriptSources: [],
      imageSources: [],
      frameSources: [],
    })
  })

  it('names Stripe’s hosts where plans are paid within the app', () => {
    const keys = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' }
    const { scriptSources, frameSources } = listOutsideSources(loadConfig({ ...keys, STRIPE_CHECKOUT: 'embedded' }))
    expect(scriptSources).toContain('https://js.stripe.com')
    expect(frameSources).toContain('https://checkout.stripe.com')
    expect(listOutsideSources(loadConfig(keys)).frameSources).toEqual([])
  })

  it('names Google’s hosts with a measurement id alone', () => {
    const { scriptSources, connectSources } = listOutsideSources(loadConfig({ GA_MEASUREMENT_ID: 'G-1' }))
    expect(scriptSources).toEqual(['https://www.googletagmanager.com'])
    expect(connectSources).toContain('https://*.google-analytics.com')
  })
})

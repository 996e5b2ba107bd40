import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

describe('loadConfig', () => {
  it('works without any setting', () => {
    const config = loadConfig({})
    expect(config).toMatchObject({ port: 3000, appUrl: 'http://localhost:3000', production: false, supabase: null })
    expect(config.dataDir).toMatch(/data$/)
  })

  it('reports to no service unless its key is set', () => {
    expect(loadConfig({ POSTHOG_HOST: 'https://eu.example' }).public).toMatchObject({
      posthogKey: null,
      posthogHost: null,
      sentryDsn: null,
      gaMeasurementId: null,
      analyticsConsent: 'not_needed',
    })
    expect(loadConfig({ POSTHOG_KEY: 'phc_1' }).public.posthogHost).toBe('https://us.i.posthog.com')
    expect(loadConfig({ ANALYTICS_CONSENT: 'required' }).public.analyticsConsent).toBe('required')
    expect(() => loadConfig({ ANALYTICS_CONSENT: 'yes' })).toThrow(/^ANALYTICS_CONSENT must be one of/)
    expect(() => loadConfig({ SENTRY_DSN: 'key@sentry' })).toThrow(/^SENTRY_DSN must be a URL/)
  })

  it('traces a tenth of the page loads in production, and all elsewhere', () => {
    expect(loadConfig({ NODE_ENV: 'production' }).public.traceSampleRate).toBe(0.1)
    expect(loadConfig({}).public.traceSampleRate).toBe(1)
  })

  it('takes an empty value for none', () => {
    expect(loadConfig({ PORT: '', APP_URL: ' ' }).appUrl).toBe('http://localhost:3000')
  })

  it('takes an address with a path, and refuses what no link can be made of', () => {
    expect(loadConfig({ APP_URL: 'https://example.org/tools/feedback/' }).appUrl).toBe(
      'https://example.org/tools/feedback',
    )
    expect(() => loadConfig({ APP_URL: 'https://example.org/?a=1' })).toThrow(/^APP_URL may have a path, and neither/)
    expect(() => loadConfig({ APP_URL: 'https://example.org/a%20b' })).toThrow(/^APP_URL has a path with characters/)
    expect(() => loadConfig({ APP_URL: 'https://example.org//a' })).toThrow(/^APP_URL has a path with characters/)
    expect(() => loadConfig({ APP_URL: 'https://example.org/a', HOT_RELOAD: 'on' })).toThrow(
      /^APP_URL has a path, which/,
    )
  })

  it('leaves billing off in production, where no payment provider is doubled', () => {
    expect(loadConfig({ NODE_ENV: 'production' }).billing).toBe(false)
    expect(loadConfig({}).billing).toBe(true)
    expect(loadConfig({ BILLING: 'off' }).billing).toBe(false)
  })

  it('makes no one superadmin for typing an address', () => {
    const env = { SUPERADMIN_EMAILS: 'Root@example.com', GOTRUE_MAILER_AUTOCONFIRM: 'on' }
    expect(() => loadConfig(env)).toThrow(/^SUPERADMIN_EMAILS cannot be used with GOTRUE_MAILER_AUTOCONFIRM/)
    expect(loadConfig({ SUPERADMIN_EMAILS: 'Root@example.com' }).superadminEmails).toEqual(['root@example.com'])
  })

  it('offers Google when it is enabled, with a stand-in until the operator configures it', () => {
    const client = { GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'id', GOTRUE_EXTERNAL_GOOGLE_SECRET: 'secret' }
    const enabled = { GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on', ...client, APP_URL: 'https://earshot.example' }
    expect(loadConfig(enabled)).toMatchObject({
      googleSignIn: true,
      googleDouble: null,
      auth: {
        google: {
          clientId: 'id',
          secret: 'secret',
          redirectUri: 'https://earshot.example/auth/v1/callback',
          issuer: 'https://accounts.google.com',
        },
      },
    })
    expect(loadConfig({})).toMatchObject({ googleSignIn: false, googleDouble: { port: 4002 }, auth: { google: null } })
    expect(loadConfig({ GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'off' }).googleDouble).toBe(null)
    expect(loadConfig(client)).toMatchObject({ googleSignIn: false, googleDouble: null, auth: { google: null } })
    expect(loadConfig({ NODE_ENV: 'production' }).googleDouble).toBe(null)
  })

  it('turns on billing by the Stripe key, with a stand-in in development', () => {
    const key = { STRIPE_SECRET_KEY: 'sk_live_1' }
    const production = { NODE_ENV: 'production' }
    expect(loadConfig({})).toMatchObject({ billing: true, stripe: null, stripeDouble: { port: 4003 } })
    expect(loadConfig({ BILLING: 'off', ...key })).toMatchObject({ billing: false, stripe: null, stripeDouble: null })
    expect(loadConfig(production)).toMatchObject({ billing: false, stripe: null, stripeDouble: null })
    expect(loadConfig({ ...production, ...key })).toMatchObject({
      billing: true,
      stripeDouble: null,
      stripe: { secretKey: 'sk_live_1', apiUrl: 'https://api.stripe.com', webhookSecret: null, isTest: false },
    })
    expect(loadConfig({ ...production, ...key, BILLING: 'off' })).toMatchObject({ billing: false, stripe: null })
    expect(() => loadConfig({ ...production, BILLING: 'on' })).toThrow(/^STRIPE_SECRET_KEY is missing/)
  })

  it('leaves the client to the Supabase project that has it', () => {
    const supabase = { SUPABASE_URL: 'https://x.supabase.co', SUPABASE_ANON_KEY: 'key' }
    expect(loadConfig(supabase)).toMatchObject({ googleSignIn: false, googleDouble: null })
    expect(loadConfig({ ...supabase, GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on' })).toMatchObject({
      googleSignIn: true,
      auth: { google: null },
    })
  })

  it.each([
    [{ GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on' }, /^GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID is missing/],
    [
      { GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'on', GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: 'id' },
      /^GOTRUE_EXTERNAL_GOOGLE_SECRET is missing/,
    ],
    [{ PORT: 'abc' }, /^PORT must be a whole number from 0 to 65535, not `abc`\.$/],
    [{ PORT: '70000' }, /^PORT must/],
    [{ APP_URL: 'example.com' }, /^APP_URL must be a URL that starts with http:\/\/ or https:\/\/\.$/],
    [{ DATABASE_URL: 'mysql://u:hunter2@h/d' }, /^DATABASE_URL must be a URL that starts with postgres:\/\//],
    [{ DATABASE_DIRECT_URL: 'postgres://h/d' }, /^DATABASE_URL is missing: DATABASE_DIRECT_URL/],
    [
      { DATABASE_URL: 'postgres://pooler/d', DATABASE_DIRECT_URL: 'postgres://h/d' },
      /^DATABASE_MIGRATION_URL is missing: with DATABASE_DIRECT_URL/,
    ],
    [{ METRICS: 'maybe' }, /^METRICS must be `on` or `off`/],
    [{ SERVICES: 'web,cron' }, /^SERVICES must contain `web`, `worker` or both, not `cron`\.$/],
    [{ TRUST_PROXY: '10.0.0.0/64' }, /^TRUST_PROXY must contain IP addresses or CIDR ranges/],
    [{ SUPABASE_URL: 'https://x.supabase.co' }, /^SUPABASE_ANON_KEY is missing/],
    [{ INSTANCE_SECRET: 'short' }, /^INSTANCE_SECRET must have at least 32 characters\.$/],
    [{ INSTANCE_SECRET_PREVIOUS: 'short' }, /^INSTANCE_SECRET_PREVIOUS must have at least 32 characters\.$/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of/],
  ])('refuses %o with one line that names the variable', (env, message) => {
    expect(() => loadConfig(env)).toThrow(message)
  })

  it('never repeats an address with a password', () => {
    expect(() => loadConfig({ DATABASE_URL: 'mysql://u:hunter2@h/d' })).not.toThrow(/hunter2/)
  })

  it('allows loopback to webhooks in development only, and refuses an allow-list that it can’t read', () => {
    expect(loadConfig({}).outbound).toEqual({ allowedHosts: [], allowLoopback: true, requireHttps: false })
    const production = { NODE_ENV: 'production', OUTBOUND_ALLOWED_HOSTS: 'gitlab.internal:3000, 10.0.0.0/8' }
    expect(loadConfig(production).outbound).toEqual({
      allowedHosts: ['gitlab.internal:3000', '10.0.0.0/8'],
      allowLoopback: false,
      requireHttps: true,
    })
    expect(() => loadConfig({ OUTBOUND_ALLOWED_HOSTS: '10.0.0.0/8, *' })).toThrow(
      'OUTBOUND_ALLOWED_HOSTS must contain host names, IP addresses or CIDR ranges, not `*`',
    )
  })
})

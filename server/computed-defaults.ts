import type { settings } from './settings.ts'

/** The parts of the configuration that settings' defaults follow from. */
interface Computed {
  readonly production: boolean
  readonly host: string
  readonly appUrl: string
  readonly databaseUrl: string | null
  readonly databaseMaxConnections: number
  readonly stopGraceMs: number
  readonly mailFrom: string
  readonly logLevel: string
  readonly billing: boolean
  readonly googleSignIn: boolean
  readonly withdrawalDays: number
  readonly site: { readonly contactEmail: string | null; readonly hasBuiltInPosts: boolean }
  readonly auth: {
    readonly siteUrl: string
    readonly disableSignup: boolean
    readonly mailerAutoconfirm: boolean
    readonly secureEmailChange: boolean
    readonly requireCurrentPassword: boolean
    readonly requireReauthentication: boolean
  }
  readonly s3: { readonly forcePathStyle: boolean } | null
  readonly backup: { readonly to: string }
  readonly stripe: { readonly apiUrl: string; readonly tax: boolean; readonly managedPayments: boolean } | null
  readonly public: { readonly stripeScriptUrl: string | null; readonly analyticsConsent: string }
}

/**
 * Values that settings have without being set, where they follow from others: superadmins see them as the defaults that
 * they are. Settings with a fixed default have it in `settings.ts`. Null: the setting has no value.
 */
export function listComputedDefaults(
  config: Computed,
): Partial<Record<keyof typeof settings, string | number | boolean | null>> {
  const { auth, backup, billing, production, public: seen, s3, site, stripe } = config
  return {
    NODE_ENV: production ? 'production' : 'development',
    HOST: config.host,
    DATABASE_MAX_CONNECTIONS: config.databaseMaxConnections,
    APP_URL: config.appUrl,
    DATABASE_MIGRATION_URL: config.databaseUrl,
    STOP_GRACE_SECONDS: config.stopGraceMs / 1000,
    MAIL_FROM: config.mailFrom,
    LOG_LEVEL: config.logLevel,
    BILLING: billing,
    CONTACT_EMAIL: site.contactEmail,
    BLOG_BUILT_IN_POSTS: site.hasBuiltInPosts,
    GOTRUE_SITE_URL: auth.siteUrl,
    GOTRUE_DISABLE_SIGNUP: auth.disableSignup,
    GOTRUE_MAILER_AUTOCONFIRM: auth.mailerAutoconfirm,
    GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: auth.secureEmailChange,
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: auth.requireCurrentPassword,
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: auth.requireReauthentication,
    GOTRUE_EXTERNAL_GOOGLE_ENABLED: config.googleSignIn,
    GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: `${config.appUrl}/auth/v1/callback`,
    GOTRUE_EXTERNAL_GOOGLE_URL: 'https://accounts.google.com',
    S3_FORCE_PATH_STYLE: s3?.forcePathStyle ?? null,
    BACKUP_TO: backup.to,
    STRIPE_API_URL: stripe?.apiUrl ?? 'https://api.stripe.com',
    STRIPE_TAX: stripe?.tax ?? false,
    STRIPE_MANAGED_PAYMENTS: stripe?.managedPayments ?? false,
    STRIPE_CHECKOUT: seen.stripeScriptUrl === null ? 'hosted' : 'embedded',
    STRIPE_SCRIPT_URL: 'https://js.stripe.com/dahlia/stripe.js',
    BILLING_WITHDRAWAL_DAYS: config.withdrawalDays,
    POSTHOG_HOST: 'https://us.i.posthog.com',
    ANALYTICS_CONSENT: seen.analyticsConsent,
  }
}

/*
 * The only reader of the environment. `settings.ts` lists every name.
 */
import { resolve } from 'node:path'
import type { ShownSetting } from '#contract/superadmin-settings.ts'
import { listComputedDefaults } from './computed-defaults.ts'
import { SettingError } from './platform/config/setting.ts'
import { hasLittleMemory } from './platform/memory/total-memory.ts'
import { readAllowedHost } from './platform/outbound/allowed-host.ts'
import type { S3Settings } from './platform/storage/s3-bucket.ts'
import { settings } from './settings.ts'
import { describeSettings, type SettingSources } from './shown-settings.ts'

const appVersion = '1.0.0'

/** All settings, read and checked once at start. */
export type Config = Readonly<
  ReturnType<typeof readConfig> & {
    /** Every setting as superadmins see it: without the values of secrets. */
    shownSettings: readonly ShownSetting[]
  }
>

/**
 * Reads the configuration.
 *
 * @param sources where values come from that are not of the environment.
 * @throws SettingError naming the variable and the problem.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>, sources: SettingSources = {}): Config {
  const config = readConfig(env)
  return Object.freeze({ ...config, shownSettings: describeSettings(env, sources, listComputedDefaults(config)) })
}

type Settings = typeof settings
/** Reads one setting. @throws SettingError */
type Read = <Name extends keyof Settings>(name: Name) => ReturnType<Settings[Name]['read']>

function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const read: Read = <Name extends keyof Settings>(name: Name) =>
    // TypeScript keeps the union of all settings' readers for a generic name.
    settings[name].read(name, env[name]) as ReturnType<Settings[Name]['read']>
  const production = env.NODE_ENV === 'production'
  const port = read('PORT')
  const hotReload = !production && (read('HOT_RELOAD') ?? false)
  const appUrl = readAppUrl(read, { port, hotReload })
  const supabase = readSupabase(read)
  const superadminEmails = readSuperadminEmails(read)
  const services = readServices(read('SERVICES'))
  const google = readGoogle(read, appUrl)
  const stripe = readStripe(read)
  const billing = read('BILLING') ?? (!production || stripe !== null)
  if (production && billing && stripe === null) {
    throw new SettingError('STRIPE_SECRET_KEY', 'is missing: BILLING=on needs it in production')
  }
  return {
    production,
    port,
    host: read('HOST') ?? (production ? '::' : 'localhost'),
    appUrl,
    appVersion,
    /** Null: guides have no link to edit them. */
    docsEditUrl: read('DOCS_EDIT_URL')?.replace(/\/+$/, '') ?? null,
    dataDir: resolve(read('DATA_DIR')),
    ...readDatabase(read),
    services,
    stopGraceMs: (read('STOP_GRACE_SECONDS') ?? (production ? 5 : 0)) * 1000,
    ...readMail(read, appUrl),
    /** The stand-in for Google; null where Google is configured or disabled. */
    googleDouble:
      !production && supabase === null && google.isUntouched
        ? { port: read('GOOGLE_DOUBLE_PORT'), redirectUri: google.client.redirectUri }
        : null,
    /** The stand-in for Stripe; null where Stripe is configured or billing is off. */
    stripeDouble: !production && billing && stripe === null ? { port: read('STRIPE_DOUBLE_PORT'), appUrl } : null,
    trustProxy: read('TRUST_PROXY'),
    outbound: { allowedHosts: readAllowedHosts(read), allowLoopback: !production, requireHttps: production },
    logLevel: read('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    storedLogs: { days: read('LOG_DAYS'), maxBytes: read('LOG_MAX_MB') * 1_000_000 },
    hotReload,
    metricsEnabled: read('METRICS') ?? false,
    ...readBilling(read, billing ? stripe : null, billing),
    superadminEmails,
    ingestRatePerMinute: read('INGEST_RATE_PER_MINUTE'),
    uploads: {
      ratePerMinute: read('UPLOAD_RATE_PER_MINUTE'),
      megabytesPerHour: read('UPLOAD_MEGABYTES_PER_HOUR'),
      keepHours: read('UPLOAD_KEEP_HOURS'),
    },
    quotas: readQuotas(read),
    instanceSecret: readLongSecret(read, 'INSTANCE_SECRET'),
    previousInstanceSecret: readLongSecret(read, 'INSTANCE_SECRET_PREVIOUS'),
    s3: readS3(read),
    backup: readBackup(read),
    media: {
      ffmpegPath: read('FFMPEG_PATH'),
      jobs: read('MEDIA_JOBS'),
      timeoutSeconds: read('MEDIA_TIMEOUT_SECONDS'),
    },
    apiRatePerMinute: read('API_RATE_PER_MINUTE'),
    auditRetentionDays: read('AUDIT_RETENTION_DAYS'),
    keyRatePerMinute: read('API_KEY_RATE_PER_MINUTE'),
    oauth: {
      registrationsPerHour: read('OAUTH_REGISTRATIONS_PER_HOUR'),
      tokensPerMinute: read('OAUTH_TOKENS_PER_MINUTE'),
    },
    maxLiveConnections: read('MAX_LIVE_CONNECTIONS'),
    supabase,
    auth: {
      ...readAuth(read, appUrl),
      google: google.enabled && supabase === null ? requireGoogleClient(google.client) : null,
    },
    googleSignIn: google.enabled ?? false,
    public: readPublic(read, production),
    site: readSite(read, superadminEmails, production),
  }
}

/** @throws SettingError where links can't be made from the address by appending a path to it. */
function readAppUrl(read: Read, { port, hotReload }: { port: number; hotReload: boolean }): string {
  const appUrl = read('APP_URL') ?? `http://localhost:${port}`
  const { pathname, search, hash } = new URL(appUrl)
  if (search !== '' || hash !== '') throw new SettingError('APP_URL', 'may have a path, and neither ? nor #')
  // The router, proxies and cookies would each read others differently.
  if (!/^(?:\/[\w.~-]+)*\/?$/.test(pathname)) {
    throw new SettingError('APP_URL', 'has a path with characters other than letters, digits, -, _, . and ~')
  }
  if (hotReload && pathname !== '/') throw new SettingError('APP_URL', 'has a path, which HOT_RELOAD=on does not serve')
  return appUrl.replace(/\/+$/, '')
}

function readMail(read: Read, appUrl: string) {
  return {
    smtpUrl: read('SMTP_URL'),
    /** Null: reports of bounced emails are refused. */
    emailBounceSecret: readLongSecret(read, 'EMAIL_BOUNCE_SECRET'),
    mailFrom: read('MAIL_FROM') ?? `Earshot <no-reply@${new URL(appUrl).hostname}>`,
    mailCatcher: { smtpPort: read('MAIL_SMTP_PORT'), webPort: read('MAIL_WEB_PORT') },
  }
}

function readDatabase(read: Read) {
  const databaseUrl = read('DATABASE_URL')
  const databaseMigrationUrl = read('DATABASE_MIGRATION_URL')
  const databaseDirectUrl = read('DATABASE_DIRECT_URL')
  if (databaseDirectUrl !== null && databaseUrl === null) {
    throw new SettingError('DATABASE_URL', 'is missing: DATABASE_DIRECT_URL leads past the pooler that it names')
  }
  if (databaseDirectUrl !== null && databaseMigrationUrl === null) {
    throw new SettingError(
      'DATABASE_MIGRATION_URL',
      'is missing: with DATABASE_DIRECT_URL, migrations need the login that owns the tables',
    )
  }
  return {
    databaseUrl,
    databaseMigrationUrl,
    /** Null: DATABASE_URL leads to the server itself, not to a pooler. */
    databaseDirectUrl,
    /** Null: reports are read from the primary. */
    databaseReplicaUrl: read('DATABASE_REPLICA_URL'),
    // Each occupies up to 10 MB of the built-in PostgreSQL.
    databaseMaxConnections: read('DATABASE_MAX_CONNECTIONS') ?? (hasLittleMemory() ? 8 : 20),
  }
}

function readQuotas(read: Read) {
  return {
    exports: read('QUOTA_EXPORTS'),
    exportGigabytes: read('QUOTA_EXPORT_GIGABYTES'),
    fileGigabytes: read('QUOTA_FILE_GIGABYTES'),
    projectFileGigabytes: read('QUOTA_PROJECT_FILE_GIGABYTES'),
    floorMegabytes: {
      transfer: read('DISK_FLOOR_TRANSFER_MEGABYTES'),
      upload: read('DISK_FLOOR_UPLOAD_MEGABYTES'),
      submission: read('DISK_FLOOR_SUBMISSION_MEGABYTES'),
    },
  }
}

/** The external Supabase project for sign-in; null: the built-in auth server. */
function readSupabase(read: Read): { url: string; anonKey: string; jwtSecret: string | null } | null {
  const url = read('SUPABASE_URL')?.replace(/\/+$/, '') ?? null
  const anonKey = read('SUPABASE_ANON_KEY')
  if ((url === null) !== (anonKey === null)) {
    throw new SettingError(
      url === null ? 'SUPABASE_URL' : 'SUPABASE_ANON_KEY',
      'is missing: SUPABASE_URL and SUPABASE_ANON_KEY belong together',
    )
  }
  return url && anonKey ? { url, anonKey, jwtSecret: read('SUPABASE_JWT_SECRET') } : null
}

function readSuperadminEmails(read: Read): string[] {
  const emails = read('SUPERADMIN_EMAILS').map((email) => email.toLowerCase())
  if (emails.length > 0 && read('GOTRUE_MAILER_AUTOCONFIRM')) {
    throw new SettingError(
      'SUPERADMIN_EMAILS',
      'cannot be used with GOTRUE_MAILER_AUTOCONFIRM: anyone who signs up with such an address would run the instance',
    )
  }
  return emails
}

function readGoogle(read: Read, appUrl: string) {
  const enabled = read('GOTRUE_EXTERNAL_GOOGLE_ENABLED')
  const client = {
    clientId: read('GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID'),
    secret: read('GOTRUE_EXTERNAL_GOOGLE_SECRET'),
    redirectUri: read('GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI') ?? `${appUrl}/auth/v1/callback`,
    issuer: (read('GOTRUE_EXTERNAL_GOOGLE_URL') ?? 'https://accounts.google.com').replace(/\/+$/, ''),
  }
  return { enabled, client, isUntouched: enabled === null && client.clientId === null }
}

function readBilling(read: Read, stripe: ReturnType<typeof readStripe>, billing: boolean) {
  return {
    /** Off in production unless Stripe is configured; on in development, with a stand-in for Stripe. */
    billing,
    /** Null: no payments can be made. */
    stripe,
    /** 0: consumers are offered no withdrawal from the contract. */
    withdrawalDays: read('BILLING_WITHDRAWAL_DAYS') ?? 0,
  }
}

/** The Stripe account; null: none is configured. */
function readStripe(read: Read) {
  const secretKey = read('STRIPE_SECRET_KEY')
  if (secretKey === null) return null
  return {
    secretKey,
    /** Null: events cannot be checked, so all are refused. */
    webhookSecret: read('STRIPE_WEBHOOK_SECRET')?.trim() || null,
    apiUrl: (read('STRIPE_API_URL') ?? 'https://api.stripe.com').replace(/\/+$/, ''),
    tax: read('STRIPE_TAX') ?? false,
    managedPayments: read('STRIPE_MANAGED_PAYMENTS') ?? false,
    /** Keys of a sandbox: no money moves. */
    isTest: /^[rs]k_test_/.test(secretKey),
  }
}

/** The settings of the built-in auth server, Google apart. */
function readAuth(read: Read, appUrl: string) {
  return {
    siteUrl: (read('GOTRUE_SITE_URL') ?? appUrl).replace(/\/+$/, ''),
    uriAllowList: read('GOTRUE_URI_ALLOW_LIST'),
    disableSignup: read('GOTRUE_DISABLE_SIGNUP') ?? false,
    mailerAutoconfirm: read('GOTRUE_MAILER_AUTOCONFIRM') ?? false,
    smtpMaxFrequencySeconds: read('GOTRUE_SMTP_MAX_FREQUENCY'),
    rateLimitEmailSentPerHour: read('GOTRUE_RATE_LIMIT_EMAIL_SENT'),
    rateLimitOtpPer5Minutes: read('GOTRUE_RATE_LIMIT_OTP'),
    rateLimitVerifyPer5Minutes: read('GOTRUE_RATE_LIMIT_VERIFY'),
    rateLimitTokenPer5Minutes: read('GOTRUE_RATE_LIMIT_TOKEN_REFRESH'),
    auditLogDays: read('AUTH_AUDIT_LOG_DAYS'),
    passwordMinLength: read('GOTRUE_PASSWORD_MIN_LENGTH'),
    secureEmailChange: read('GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED') ?? true,
    requireCurrentPassword: read('GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD') ?? true,
    requireReauthentication: read('GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION') ?? false,
    jwtExpSeconds: read('GOTRUE_JWT_EXP'),
    jwtKeys: read('GOTRUE_JWT_KEYS'),
    jwtSecret: read('GOTRUE_JWT_SECRET'),
    refreshTokenReuseIntervalSeconds: read('GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL'),
  }
}

/** What the public pages say of who runs this instance. */
function readSite(read: Read, superadminEmails: readonly string[], production: boolean) {
  return {
    /** Who gets an email for each message of the contact form; null: the first superadmin. */
    contactEmail: read('CONTACT_EMAIL') ?? superadminEmails[0] ?? null,
    /** Whether the blog has the posts about how Earshot is built. */
    hasBuiltInPosts: read('BLOG_BUILT_IN_POSTS') ?? !production,
    operator: {
      name: read('OPERATOR_NAME'),
      address: read('OPERATOR_ADDRESS')?.replace(/\s*\|\s*/g, '\n') ?? null,
    },
    /** Paths of the operator's own texts; null: the template. */
    legalFiles: { privacy: read('PRIVACY_FILE'), terms: read('TERMS_FILE') },
  }
}

/** Null: plans are paid on a page of Stripe. */
function readStripeScript(read: Read): string | null {
  // Without a secret key nothing is paid, or development is about to start a stand-in for Stripe.
  if (read('STRIPE_CHECKOUT') !== 'embedded' || read('STRIPE_SECRET_KEY') === null) return null
  if (read('STRIPE_PUBLISHABLE_KEY') === null) {
    throw new SettingError('STRIPE_PUBLISHABLE_KEY', 'is missing: STRIPE_CHECKOUT=embedded needs it')
  }
  return read('STRIPE_SCRIPT_URL') ?? 'https://js.stripe.com/dahlia/stripe.js'
}

/** The settings that every browser may read. */
function readPublic(read: Read, production: boolean) {
  const posthogKey = read('POSTHOG_KEY')
  return {
    stripePublishableKey: read('STRIPE_PUBLISHABLE_KEY'),
    stripeScriptUrl: readStripeScript(read),
    sentryDsn: read('SENTRY_DSN'),
    gaMeasurementId: read('GA_MEASUREMENT_ID'),
    posthogKey,
    // Null without a key, so that the content security policy then allows no other host.
    posthogHost: posthogKey === null ? null : (read('POSTHOG_HOST') ?? 'https://us.i.posthog.com'),
    analyticsConsent: read('ANALYTICS_CONSENT') ?? ('not_needed' as const),
    // Of a production server a tenth of the page loads is enough.
    traceSampleRate: production ? 0.1 : 1,
  }
}

function readAllowedHosts(read: Read): string[] {
  const hosts = read('OUTBOUND_ALLOWED_HOSTS')
  const unknown = hosts.find((host) => !readAllowedHost(host))
  if (unknown !== undefined) {
    throw new SettingError(
      'OUTBOUND_ALLOWED_HOSTS',
      `must contain host names, IP addresses or CIDR ranges, not \`${unknown}\``,
    )
  }
  return hosts
}

function readLongSecret(
  read: Read,
  name: 'INSTANCE_SECRET' | 'INSTANCE_SECRET_PREVIOUS' | 'EMAIL_BOUNCE_SECRET',
): string | null {
  const secret = read(name)
  if (secret !== null && secret.length < 32) throw new SettingError(name, 'must have at least 32 characters')
  return secret
}

/** The bucket for files; null: the data folder. */
function readS3(read: Read): S3Settings | null {
  const bucket = read('S3_BUCKET')
  if (bucket === null) return null
  const endpoint = read('S3_ENDPOINT')
  const accessKeyId = read('S3_ACCESS_KEY_ID')
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY')
  if ((accessKeyId === null) !== (secretAccessKey === null)) {
    throw new SettingError(
      accessKeyId === null ? 'S3_ACCESS_KEY_ID' : 'S3_SECRET_ACCESS_KEY',
      'is missing: S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together',
    )
  }
  return {
    bucket,
    region: read('S3_REGION'),
    endpoint,
    accessKeyId,
    secretAccessKey,
    forcePathStyle: read('S3_FORCE_PATH_STYLE') ?? endpoint !== null,
    prefix: read('S3_PREFIX'),
  }
}

function readBackup(read: Read) {
  const passphrase = read('BACKUP_PASSPHRASE')
  if (passphrase !== null && passphrase.length < 12) {
    throw new SettingError('BACKUP_PASSPHRASE', 'must have at least 12 characters')
  }
  const to = read('BACKUP_TO') ?? resolve(read('DATA_DIR'), 'backups')
  if (to === '-') throw new SettingError('BACKUP_TO', 'must be a folder or s3://bucket/folder/')
  return {
    /** A folder of a disk or an object store, with a slash at its end. */
    to: to.replace(/\/*$/, '/'),
    /** Null: no backups are scheduled. */
    everyHours: read('BACKUP_EVERY_HOURS'),
    keep: read('BACKUP_KEEP'),
    /** Null: backups have no secrets. */
    passphrase,
    /** A server of one's own has backups of its own, and may be larger than the disk of this machine. */
    beforeUpgrade: read('UPGRADE_BACKUP') ?? read('DATABASE_URL') === null,
  }
}

/** The settings of Google's sign-in, or of its stand-in. */
interface GoogleSettings {
  readonly clientId: string
  readonly secret: string
  readonly redirectUri: string
  readonly issuer: string
}

function requireGoogleClient({
  clientId,
  secret,
  ...rest
}: Omit<GoogleSettings, 'clientId' | 'secret'> & { clientId: string | null; secret: string | null }): GoogleSettings {
  const missing = 'is missing: GOTRUE_EXTERNAL_GOOGLE_ENABLED needs it'
  if (clientId === null) throw new SettingError('GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID', missing)
  if (secret === null) throw new SettingError('GOTRUE_EXTERNAL_GOOGLE_SECRET', missing)
  return { ...rest, clientId, secret }
}

function readServices(value: string): { web: boolean; worker: boolean } {
  const names = value.split(',').map((name) => name.trim())
  const unknown = names.find((name) => name !== 'web' && name !== 'worker')
  if (unknown !== undefined)
    throw new SettingError('SERVICES', `must contain \`web\`, \`worker\` or both, not \`${unknown}\``)
  return { web: names.includes('web'), worker: names.includes('worker') }
}

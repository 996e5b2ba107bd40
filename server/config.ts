/*
 * The only reader of the environment. Every name the product knows stands in `settings`, with a sentence; the file
 * .env.example is printed from it.
 */
import { resolve } from 'node:path'
import {
  cidrList,
  flag,
  list,
  number,
  oneOf,
  type Setting,
  SettingError,
  text,
  url,
} from './platform/config/setting.ts'
import type { S3Settings } from './platform/storage/s3-storage.ts'

export const settings = {
  NODE_ENV: text('`production` on a real server. Turns off the mail catcher and every convenience for development.'),
  PORT: number('Port that the app listens on.', { fallback: 3000, min: 0, max: 65535 }),
  HOST: text('Address that the app listens on. Default: every interface in production, else loopback.'),
  APP_URL: url('Address at which people reach the app. Links in mails use it, and nothing else.'),
  DATA_DIR: text('Folder for everything that must survive: database, keys, files.', { fallback: 'data' }),
  DATABASE_URL: url('A PostgreSQL 15 or newer to use instead of the built-in one.', {
    protocols: ['postgres:', 'postgresql:'],
  }),
  DATABASE_MAX_CONNECTIONS: number('Most database connections of one process.', { fallback: 20, min: 2, max: 500 }),
  SERVICES: text('What this process does: `web`, `worker`, or both, separated by a comma.', { fallback: 'web,worker' }),
  SMTP_URL: url('Mail server, e.g. smtp://user:password@mail.example.com:587.', { protocols: ['smtp:', 'smtps:'] }),
  MAIL_FROM: text('Sender of the mails. Default: Earshot <no-reply@host of APP_URL>.'),
  MAIL_SMTP_PORT: number('Port of the mail catcher that development starts.', { fallback: 1025, min: 1, max: 65535 }),
  MAIL_WEB_PORT: number('Port of the mail catcher’s web page.', { fallback: 1080, min: 1, max: 65535 }),
  TRUST_PROXY: cidrList('Addresses (CIDR, comma-separated) of proxies whose X-Forwarded-* headers are believed.'),
  HOT_RELOAD: flag('Serve the web app from its sources and reload pages on change. For development only.', false),
  LOG_LEVEL: oneOf('How much is logged.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  METRICS: flag('Serve Prometheus metrics at /metrics.', false),
  BILLING: flag('Trials, plans and limits. `off` makes every organisation self-hosted: no limits, every feature.'),
  SUPERADMIN_EMAILS: list('Addresses whose users become superadmins when they confirm their address.'),
  INGEST_RATE_PER_MINUTE: number('Submissions that one visitor address may send to one project in a minute.', {
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_RATE_PER_MINUTE: number('Files that one visitor address may begin to send to one project in a minute.', {
    fallback: 60,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_MEGABYTES_PER_HOUR: number('Megabytes that one visitor address may send to one project in an hour.', {
    fallback: 2048,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_KEEP_HOURS: number('Hours after which files are deleted that no feedback has claimed.', {
    fallback: 24,
    min: 1,
    max: 720,
  }),
  API_RATE_PER_MINUTE: number('Calls of the product’s API that one signed-in user may make in a minute.', {
    fallback: 1200,
    min: 1,
    max: 1_000_000,
  }),
  SUPABASE_URL: url('Use this Supabase project for sign-in instead of the built-in auth server.'),
  SUPABASE_ANON_KEY: text('Public key of that Supabase project.'),
  SUPABASE_JWT_SECRET: text('JWT secret of that Supabase project, if it still signs with one (HS256).'),
  GOTRUE_SITE_URL: url('Where links in mails lead when no other address was asked for. Default: APP_URL.'),
  GOTRUE_URI_ALLOW_LIST: list('Further addresses (globs) to which sign-in may redirect.'),
  GOTRUE_DISABLE_SIGNUP: flag('Refuse new accounts.', false),
  GOTRUE_MAILER_AUTOCONFIRM: flag('Count addresses as confirmed without a mail.', false),
  GOTRUE_SMTP_MAX_FREQUENCY: number('Seconds between two mails of one kind to one address.', {
    fallback: 60,
    min: 0,
    max: 86_400,
  }),
  GOTRUE_RATE_LIMIT_EMAIL_SENT: number('Auth mails that the whole instance sends in an hour.', {
    fallback: 360,
    min: 1,
    max: 1_000_000,
  }),
  GOTRUE_RATE_LIMIT_OTP: number(
    'Sign-ups from one address in five minutes; as many requests for a sign-in link, for a new password and for a mail to be sent again, and as many changes of an account.',
    { fallback: 30, min: 1, max: 1_000_000 },
  ),
  GOTRUE_RATE_LIMIT_VERIFY: number('Verifications from one address in five minutes.', {
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: number('Token requests from one address in five minutes.', {
    fallback: 150,
    min: 1,
    max: 1_000_000,
  }),
  GOTRUE_PASSWORD_MIN_LENGTH: number('Shortest password accepted.', { fallback: 6, min: 6, max: 72 }),
  AUTH_AUDIT_LOG_DAYS: number('Days for which sign-ins, sign-outs and other events of accounts are kept.', {
    fallback: 90,
    min: 1,
    max: 36_500,
  }),
  GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: flag('A change of address is confirmed at both addresses.', true),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: flag(
    'A change of password asks for the present one, unless the session began with a mail a short while ago.',
    true,
  ),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: flag(
    'In a session older than a day, a change of password asks for a code sent by mail.',
    false,
  ),
  GOTRUE_JWT_EXP: number('Life of an access token in seconds.', { fallback: 3600, min: 60, max: 604_800 }),
  GOTRUE_JWT_KEYS: text(
    'Signing keys as a JSON array of private JWKs. Default: made at first start, kept in DATA_DIR.',
  ),
  GOTRUE_JWT_SECRET: text(
    'Shared secret for HS256, at least 32 bytes. Alone, it signs; beside GOTRUE_JWT_KEYS, it verifies older tokens.',
  ),
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: number('Seconds in which a refresh token may be used again.', {
    fallback: 10,
    min: 0,
    max: 3600,
  }),
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: flag(
    'Offer “Continue with Google”. With a Supabase project, whether that project offers it. Development has a stand-in for Google until this or the client id is set.',
  ),
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: text('Client id of the OAuth client made in the Google Cloud console.'),
  GOTRUE_EXTERNAL_GOOGLE_SECRET: text('Secret of that client.'),
  GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: url(
    'Address to which Google sends people back, as registered there. Default: {APP_URL}/auth/v1/callback.',
  ),
  GOTRUE_EXTERNAL_GOOGLE_URL: url('Where Google’s sign-in is found: the issuer. Default: https://accounts.google.com.'),
  GOOGLE_DOUBLE_PORT: number('Port of the stand-in for Google’s sign-in that development starts.', {
    fallback: 4002,
    min: 1,
    max: 65535,
  }),
  INSTANCE_SECRET: text(
    'Secret that signs short-lived addresses of files, at least 32 characters; the same on every server. Default: made at first start, kept in DATA_DIR.',
  ),
  S3_BUCKET: text('Bucket to keep files in. Default: files are kept in DATA_DIR.'),
  S3_REGION: text('Region of that bucket.', { fallback: 'us-east-1' }),
  S3_ENDPOINT: url('Address of the object store. Default: Amazon’s own.'),
  S3_ACCESS_KEY_ID: text('Access key of the object store. Default: what the machine’s role or environment grants.'),
  S3_SECRET_ACCESS_KEY: text('Secret of that access key.'),
  S3_FORCE_PATH_STYLE: flag('Name the bucket in the path instead of the host. Default: on where S3_ENDPOINT is set.'),
  S3_PREFIX: text('What the name of every object begins with, e.g. `earshot/`.', { fallback: '' }),
  FFMPEG_PATH: text('The ffmpeg that makes recordings playable everywhere; ffprobe is expected beside it.', {
    fallback: 'ffmpeg',
  }),
  MEDIA_JOBS: number('Recordings that one process converts at a time.', { fallback: 1, min: 1, max: 64 }),
  MEDIA_TIMEOUT_SECONDS: number('Longest time that the conversion of one recording may take.', {
    fallback: 1200,
    min: 10,
    max: 86_400,
  }),
  STRIPE_PUBLISHABLE_KEY: text('Public key of the payment provider.'),
  SENTRY_DSN: text('Address for error reports from the browser. Nothing is sent unless set.'),
  GA_MEASUREMENT_ID: text('Measurement id of web analytics. Nothing is loaded unless set.'),
  POSTHOG_KEY: text('Key of product analytics. Nothing is loaded unless set.'),
  POSTHOG_HOST: url('Host of product analytics. Default: https://us.i.posthog.com.'),
} satisfies Record<string, Setting<unknown>>

const appVersion = '1.0.0'

/** Everything that an operator can set, read and checked once at start. */
export type Config = Readonly<ReturnType<typeof readConfig>>

/**
 * Reads the configuration.
 *
 * @throws SettingError naming the variable and what is wrong with it.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  return Object.freeze(readConfig(env))
}

function readConfig(env: Readonly<Record<string, string | undefined>>) {
  type Settings = typeof settings
  const read = <Name extends keyof Settings>(name: Name) =>
    settings[name].read(name, env[name]) as ReturnType<Settings[Name]['read']>
  const production = env.NODE_ENV === 'production'
  const port = read('PORT')
  const appUrl = (read('APP_URL') ?? `http://localhost:${port}`).replace(/\/+$/, '')
  const supabaseUrl = read('SUPABASE_URL')?.replace(/\/+$/, '') ?? null
  const supabaseAnonKey = read('SUPABASE_ANON_KEY')
  if ((supabaseUrl === null) !== (supabaseAnonKey === null)) {
    throw new SettingError(
      supabaseUrl === null ? 'SUPABASE_URL' : 'SUPABASE_ANON_KEY',
      'is missing: SUPABASE_URL and SUPABASE_ANON_KEY belong together',
    )
  }
  const superadminEmails = read('SUPERADMIN_EMAILS').map((email) => email.toLowerCase())
  if (superadminEmails.length > 0 && read('GOTRUE_MAILER_AUTOCONFIRM')) {
    throw new SettingError(
      'SUPERADMIN_EMAILS',
      'cannot be used with GOTRUE_MAILER_AUTOCONFIRM: whoever typed such an address would run the instance',
    )
  }
  const services = readServices(read('SERVICES'))
  const googleEnabled = read('GOTRUE_EXTERNAL_GOOGLE_ENABLED')
  const google = {
    clientId: read('GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID'),
    secret: read('GOTRUE_EXTERNAL_GOOGLE_SECRET'),
    redirectUri: read('GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI') ?? `${appUrl}/auth/v1/callback`,
    issuer: (read('GOTRUE_EXTERNAL_GOOGLE_URL') ?? 'https://accounts.google.com').replace(/\/+$/, ''),
  }
  const isGoogleUntouched = googleEnabled === null && google.clientId === null
  return {
    production,
    port,
    host: read('HOST') ?? (production ? '::' : 'localhost'),
    appUrl,
    appVersion,
    dataDir: resolve(read('DATA_DIR')),
    databaseUrl: read('DATABASE_URL'),
    databaseMaxConnections: read('DATABASE_MAX_CONNECTIONS'),
    services,
    smtpUrl: read('SMTP_URL'),
    mailFrom: read('MAIL_FROM') ?? `Earshot <no-reply@${new URL(appUrl).hostname}>`,
    mailCatcher: { smtpPort: read('MAIL_SMTP_PORT'), webPort: read('MAIL_WEB_PORT') },
    /** The stand-in for Google; null where the real one is configured, or none. */
    googleDouble:
      !production && supabaseUrl === null && isGoogleUntouched
        ? { port: read('GOOGLE_DOUBLE_PORT'), redirectUri: google.redirectUri }
        : null,
    trustProxy: read('TRUST_PROXY'),
    logLevel: read('LOG_LEVEL') ?? (production ? 'info' : 'warn'),
    hotReload: !production && (read('HOT_RELOAD') ?? false),
    metricsEnabled: read('METRICS') ?? false,
    /** Off in production unless a payment provider is configured; on in development, against a double. */
    billing: read('BILLING') ?? !production,
    superadminEmails,
    ingestRatePerMinute: read('INGEST_RATE_PER_MINUTE'),
    uploads: {
      ratePerMinute: read('UPLOAD_RATE_PER_MINUTE'),
      megabytesPerHour: read('UPLOAD_MEGABYTES_PER_HOUR'),
      keepHours: read('UPLOAD_KEEP_HOURS'),
    },
    instanceSecret: requireLongSecret(read('INSTANCE_SECRET')),
    s3: readS3(read),
    media: {
      ffmpegPath: read('FFMPEG_PATH'),
      jobs: read('MEDIA_JOBS'),
      timeoutSeconds: read('MEDIA_TIMEOUT_SECONDS'),
    },
    apiRatePerMinute: read('API_RATE_PER_MINUTE'),
    supabase:
      supabaseUrl && supabaseAnonKey
        ? { url: supabaseUrl, anonKey: supabaseAnonKey, jwtSecret: read('SUPABASE_JWT_SECRET') }
        : null,
    auth: {
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
      google: googleEnabled && supabaseUrl === null ? requireGoogleClient(google) : null,
    },
    googleSignIn: googleEnabled ?? false,
    public: {
      stripePublishableKey: read('STRIPE_PUBLISHABLE_KEY'),
      sentryDsn: read('SENTRY_DSN'),
      gaMeasurementId: read('GA_MEASUREMENT_ID'),
      posthogKey: read('POSTHOG_KEY'),
      // Null without a key, so that pages may then reach nobody else.
      posthogHost: read('POSTHOG_KEY') === null ? null : (read('POSTHOG_HOST') ?? 'https://us.i.posthog.com'),
    },
  }
}

function requireLongSecret(secret: string | null): string | null {
  if (secret !== null && secret.length < 32)
    throw new SettingError('INSTANCE_SECRET', 'must have at least 32 characters')
  return secret
}

/** The bucket that holds files; null: the data folder does. */
function readS3(
  read: <Name extends keyof typeof settings>(name: Name) => ReturnType<(typeof settings)[Name]['read']>,
): S3Settings | null {
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

/** How this server reaches Google's sign-in, or what stands in for it. */
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
    throw new SettingError('SERVICES', `must hold \`web\`, \`worker\` or both, not \`${unknown}\``)
  return { web: names.includes('web'), worker: names.includes('worker') }
}

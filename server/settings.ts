/*
 * Every setting with a sentence, its default and its bounds. .env.example is generated from this list.
 */
import { cidrList, flag, list, number, oneOf, type Setting, text, url } from './platform/config/setting.ts'

export const settings = {
  NODE_ENV: text('`production` on a real server. Disables the mail catcher and other development tools.'),
  PORT: number('Port that the app listens on.', { fallback: 3000, min: 0, max: 65535 }),
  HOST: text('IP address or host that the app listens on. Default: all interfaces in production, else loopback.'),
  APP_URL: url(
    'Public URL of the app. Links in emails always use it. It may have a path: https://example.org/feedback.',
  ),
  DOCS_EDIT_URL: url(
    'Address below which the texts of the guides can be changed; their file names are appended, e.g. https://git.example.com/earshot/edit/main/docs/guides. Unset: guides have no link to edit them.',
  ),
  DATA_DIR: text('Folder for all persistent data: database, keys, files.', { fallback: 'data' }),
  DATABASE_URL: url('URL of a PostgreSQL 15 or newer to use instead of the built-in one.', {
    protocols: ['postgres:', 'postgresql:'],
  }),
  DATABASE_MIGRATION_URL: url(
    'The same database with the login that owns its tables, for migrations. Default: DATABASE_URL.',
    { protocols: ['postgres:', 'postgresql:'] },
  ),
  DATABASE_DIRECT_URL: url(
    'The same database past a connection pooler in transaction mode (PgBouncer, RDS Proxy), for LISTEN, locks, the job queue and migrations. Set it where DATABASE_URL is such a pooler. DATABASE_MIGRATION_URL must then name another login. Default: DATABASE_URL.',
    { protocols: ['postgres:', 'postgresql:'] },
  ),
  DATABASE_REPLICA_URL: url(
    'A streaming replica of the database, for analytics, reports and exports. It is read once it has every acknowledged write; while it lags or is away, the primary is. Default: everything is read from DATABASE_URL.',
    { protocols: ['postgres:', 'postgresql:'] },
  ),
  DATABASE_MAX_CONNECTIONS: number(
    'Maximum database connections per process. Default: 20, or 8 with less than 1 GB of memory.',
    { min: 2, max: 500 },
  ),
  SERVICES: text('Roles of this process: `web`, `worker`, or both, comma-separated.', { fallback: 'web,worker' }),
  STOP_GRACE_SECONDS: number(
    'Seconds for which a server that is told to stop (SIGTERM) keeps answering, while /ready answers 503, so that load balancers notice. Default: 5 in production, else 0. Ctrl-C (SIGINT) stops without it.',
    { min: 0, max: 300 },
  ),
  SMTP_URL: url('Mail server, e.g. smtp://user:password@mail.example.com:587.', { protocols: ['smtp:', 'smtps:'] }),
  MAIL_FROM: text('Sender of emails. Default: Earshot <no-reply@host of APP_URL>.'),
  EMAIL_BOUNCE_SECRET: text(
    'Secret of {APP_URL}/api/v1/email-bounces, where your mail provider reports bounced emails: at least 32 characters. Without it, all reports are refused.',
  ),
  MAIL_SMTP_PORT: number('Port of the mail catcher that development starts.', { fallback: 1025, min: 1, max: 65535 }),
  MAIL_WEB_PORT: number('Port of the mail catcher’s web page.', { fallback: 1080, min: 1, max: 65535 }),
  TRUST_PROXY: cidrList('Addresses (CIDR, comma-separated) of proxies whose X-Forwarded-* headers are trusted.'),
  OUTBOUND_ALLOWED_HOSTS: list(
    'Private hosts to which webhooks and integrations may connect: host names, `*.suffix`, IP addresses or CIDR ranges, comma-separated, with a port unless it is 80, 443, 8080 or 8443 (`gitlab.internal:3000`). They may use http://. Public hosts need no entry; in production they must use https://.',
  ),
  HOT_RELOAD: flag('Serve the web app from its sources and reload pages on change. For development only.', false),
  LOG_LEVEL: oneOf('Log level.', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
  LOG_DAYS: number(
    'Days for which log lines are stored in the database, for superadmins to search. 0: none are stored.',
    {
      fallback: 14,
      min: 0,
      max: 365,
    },
  ),
  LOG_MAX_MB: number(
    'Megabytes of the database that stored log lines may use. Beyond them, the oldest are deleted first.',
    {
      fallback: 5_000,
      min: 50,
      max: 10_000_000,
    },
  ),
  METRICS: flag('Serve Prometheus metrics at /metrics.', false),
  BILLING: flag('Trials, plans and limits. `off` makes every organisation self-hosted: no limits, every feature.'),
  CONTACT_EMAIL: text(
    'Address that gets an email for each message of the contact form. Default: the first of SUPERADMIN_EMAILS, else the first superadmin.',
  ),
  OPERATOR_NAME: text('Name of who runs this instance, as the public pages show it.'),
  OPERATOR_ADDRESS: text('Postal address of who runs this instance, its lines separated by `|`.'),
  BLOG_BUILT_IN_POSTS: flag('Show the posts about how Earshot is built in the blog. Default: off in production.'),
  PRIVACY_FILE: text('Markdown file with your privacy policy. Default: a template, shown with a note.'),
  TERMS_FILE: text('Markdown file with your terms of service. Default: a template, shown with a note.'),
  SUPERADMIN_EMAILS: list(
    'Email addresses whose users become superadmins once they confirm the address. Unset: the first user who confirms an address does.',
  ),
  INGEST_RATE_PER_MINUTE: number('Maximum submissions per minute from one IP address to one project.', {
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_RATE_PER_MINUTE: number('Maximum new uploads per minute from one IP address to one project.', {
    fallback: 60,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_MEGABYTES_PER_HOUR: number('Maximum megabytes uploaded per hour from one IP address to one project.', {
    fallback: 2048,
    min: 1,
    max: 1_000_000,
  }),
  UPLOAD_KEEP_HOURS: number('Hours after which unclaimed uploads are deleted.', {
    fallback: 24,
    min: 1,
    max: 720,
  }),
  QUOTA_EXPORTS: number('Exports that one organisation may keep at a time. 0: no limit.', {
    fallback: 20,
    min: 0,
    max: 1_000_000,
  }),
  QUOTA_EXPORT_GIGABYTES: number('Gigabytes that the exports of one organisation may use. 0: no limit.', {
    fallback: 5,
    min: 0,
    max: 1_000_000,
  }),
  QUOTA_FILE_GIGABYTES: number('Gigabytes that the files of one organisation may use. 0: no limit.', {
    fallback: 100,
    min: 0,
    max: 1_000_000,
  }),
  QUOTA_PROJECT_FILE_GIGABYTES: number('Gigabytes that the files of one project may use. 0: no limit.', {
    fallback: 50,
    min: 0,
    max: 1_000_000,
  }),
  DISK_FLOOR_TRANSFER_MEGABYTES: number('Free disk space below which exports and imports are refused.', {
    fallback: 1_000,
    min: 0,
    max: 1_000_000_000,
  }),
  DISK_FLOOR_UPLOAD_MEGABYTES: number('Free disk space below which visitors’ files are refused.', {
    fallback: 500,
    min: 0,
    max: 1_000_000_000,
  }),
  DISK_FLOOR_SUBMISSION_MEGABYTES: number('Free disk space below which submissions are refused.', {
    fallback: 100,
    min: 0,
    max: 1_000_000_000,
  }),
  API_RATE_PER_MINUTE: number('Maximum API calls per minute of one signed-in user.', {
    fallback: 1200,
    min: 1,
    max: 1_000_000,
  }),
  API_KEY_RATE_PER_MINUTE: number('Maximum API calls per minute of one API key.', {
    fallback: 600,
    min: 1,
    max: 1_000_000,
  }),
  OAUTH_REGISTRATIONS_PER_HOUR: number('Maximum apps that register themselves per hour from one address.', {
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  OAUTH_TOKENS_PER_MINUTE: number('Maximum token requests of connected apps per minute from one address.', {
    fallback: 120,
    min: 1,
    max: 1_000_000,
  }),
  MAX_LIVE_CONNECTIONS: number('Maximum connections for live updates of one process. One user may open 30 of them.', {
    fallback: 5000,
    min: 1,
    max: 100_000,
  }),
  SUPABASE_URL: url('Use this Supabase project for sign-in instead of the built-in auth server.'),
  SUPABASE_ANON_KEY: text('Public (anon) key of that Supabase project.'),
  SUPABASE_JWT_SECRET: text('JWT secret of that Supabase project, if it still signs with one (HS256).'),
  GOTRUE_SITE_URL: url('Default redirect of links in emails. Default: APP_URL.'),
  GOTRUE_URI_ALLOW_LIST: list('Additional URLs (globs) to which sign-in may redirect.'),
  GOTRUE_DISABLE_SIGNUP: flag('Refuse new accounts.', false),
  GOTRUE_MAILER_AUTOCONFIRM: flag('Confirm email addresses automatically, without an email.', false),
  GOTRUE_SMTP_MAX_FREQUENCY: number('Minimum seconds between two emails of one kind to one address.', {
    fallback: 60,
    min: 0,
    max: 86_400,
  }),
  GOTRUE_RATE_LIMIT_EMAIL_SENT: number(
    'Maximum auth emails per hour of the whole instance: half for members, half for new addresses. A network (IPv4 /24, IPv6 /56) may request a tenth of it in each flow.',
    {
      fallback: 360,
      min: 1,
      max: 1_000_000,
    },
  ),
  GOTRUE_RATE_LIMIT_OTP: number(
    'Maximum sign-ups per five minutes from one IP address. The same limit applies separately to requests for a sign-in link, a password reset or another email, and to account changes.',
    { fallback: 30, min: 1, max: 1_000_000 },
  ),
  GOTRUE_RATE_LIMIT_VERIFY: number('Maximum verifications per five minutes from one IP address.', {
    fallback: 30,
    min: 1,
    max: 1_000_000,
  }),
  GOTRUE_RATE_LIMIT_TOKEN_REFRESH: number('Maximum token requests per five minutes from one IP address.', {
    fallback: 150,
    min: 1,
    max: 1_000_000,
  }),
  GOTRUE_PASSWORD_MIN_LENGTH: number('Minimum password length.', { fallback: 6, min: 6, max: 72 }),
  AUTH_AUDIT_LOG_DAYS: number('Retention of the auth audit log, in days.', {
    fallback: 90,
    min: 1,
    max: 36_500,
  }),
  AUDIT_RETENTION_DAYS: number(
    'Retention of the audit log of organisations, in days. The database refuses to delete younger entries.',
    { fallback: 400, min: 30, max: 3650 },
  ),
  GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: flag('Require confirmation of an email change at both addresses.', true),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: flag(
    'Require the current password for a password change, unless the session recently began with an emailed link.',
    true,
  ),
  GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: flag(
    'Require an emailed code for a password change in a session older than a day.',
    false,
  ),
  GOTRUE_JWT_EXP: number('Validity of an access token, in seconds.', { fallback: 3600, min: 60, max: 604_800 }),
  GOTRUE_JWT_KEYS: text(
    'Signing keys as a JSON array of private JWKs. Default: created at the first start, kept in DATA_DIR.',
  ),
  GOTRUE_JWT_SECRET: text(
    'Shared secret for HS256, at least 32 bytes. Alone, it signs; beside GOTRUE_JWT_KEYS, it verifies older tokens.',
  ),
  GOTRUE_SECURITY_REFRESH_TOKEN_REUSE_INTERVAL: number('Seconds in which a refresh token may be reused.', {
    fallback: 10,
    min: 0,
    max: 3600,
  }),
  GOTRUE_EXTERNAL_GOOGLE_ENABLED: flag(
    'Offer “Continue with Google”. With a Supabase project, whether that project offers it. Development uses a stand-in for Google unless this or the client id is set.',
  ),
  GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: text('Client id of the OAuth client from the Google Cloud console.'),
  GOTRUE_EXTERNAL_GOOGLE_SECRET: text('Secret of that client.'),
  GOTRUE_EXTERNAL_GOOGLE_REDIRECT_URI: url('Redirect URI of that client. Default: {APP_URL}/auth/v1/callback.'),
  GOTRUE_EXTERNAL_GOOGLE_URL: url('Issuer of Google’s sign-in. Default: https://accounts.google.com.'),
  GOOGLE_DOUBLE_PORT: number('Port of the stand-in for Google’s sign-in that development starts.', {
    fallback: 4002,
    min: 1,
    max: 65535,
  }),
  INSTANCE_SECRET: text(
    'Secret that signs links and encrypts stored credentials of integrations, at least 32 characters; the same on every server. If it is lost, integrations must be connected again: back it up. Default: created at the first start, kept in DATA_DIR.',
  ),
  INSTANCE_SECRET_PREVIOUS: text(
    'The INSTANCE_SECRET before the last change. Credentials that were encrypted with it can still be read.',
  ),
  S3_BUCKET: text('S3 bucket for files. Default: files are kept in DATA_DIR.'),
  S3_REGION: text('Region of that bucket.', { fallback: 'us-east-1' }),
  S3_ENDPOINT: url('URL of the object store. Default: Amazon S3.'),
  S3_ACCESS_KEY_ID: text('Access key of the object store. Default: the machine’s role or environment.'),
  S3_SECRET_ACCESS_KEY: text('Secret of that access key.'),
  S3_FORCE_PATH_STYLE: flag('Name the bucket in the path instead of the host. Default: on where S3_ENDPOINT is set.'),
  S3_PREFIX: text('Prefix of every object’s name, e.g. `earshot/`.', { fallback: '' }),
  BACKUP_TO: text(
    'Where backups go: a folder, or s3://bucket/folder/ in the object store of the settings S3_…. Default: the folder `backups` in DATA_DIR.',
  ),
  BACKUP_EVERY_HOURS: number('Hours between scheduled backups. Unset: none are scheduled.', { min: 1, max: 720 }),
  BACKUP_KEEP: number('Scheduled backups to keep. Older ones are deleted once a new one is verified.', {
    fallback: 7,
    min: 1,
    max: 1000,
  }),
  BACKUP_PASSPHRASE: text(
    'Encrypts the secrets in backups, at least 12 characters. Keep it in another location: without it, the secrets are lost. Unset: backups have no secrets.',
  ),
  UPGRADE_BACKUP: flag(
    'Make a backup before a newer version changes the database. Default: on with the built-in PostgreSQL, off with DATABASE_URL.',
  ),
  FFMPEG_PATH: text('Path of ffmpeg, which converts recordings for all browsers; ffprobe must be beside it.', {
    fallback: 'ffmpeg',
  }),
  MEDIA_JOBS: number('Recordings that one process converts in parallel.', { fallback: 1, min: 1, max: 64 }),
  MEDIA_TIMEOUT_SECONDS: number('Maximum seconds for the conversion of one recording.', {
    fallback: 1200,
    min: 10,
    max: 86_400,
  }),
  STRIPE_SECRET_KEY: text(
    'Secret API key of the Stripe account. Turns on billing in production. Development uses a stand-in for Stripe without one.',
  ),
  STRIPE_PUBLISHABLE_KEY: text('Publishable API key of the same Stripe account.'),
  STRIPE_WEBHOOK_SECRET: text(
    'Signing secret of the webhook endpoint {APP_URL}/api/v1/hooks/stripe. Without it, all of Stripe’s events are refused.',
  ),
  STRIPE_API_URL: url('Base URL of Stripe’s API. Default: https://api.stripe.com.'),
  STRIPE_CHECKOUT: oneOf(
    'Where plans are paid: `hosted`, on a page of Stripe, or `embedded`, in the app by Stripe’s script. Default: hosted.',
    ['hosted', 'embedded'],
  ),
  STRIPE_SCRIPT_URL: url(
    'URL of Stripe’s script for `STRIPE_CHECKOUT=embedded`. Default: https://js.stripe.com/dahlia/stripe.js.',
  ),
  STRIPE_TAX: flag('Let Stripe compute taxes (Stripe Tax), with the customer’s address and tax id.', false),
  STRIPE_MANAGED_PAYMENTS: flag('Let Stripe sell the plans as merchant of record (Managed Payments).', false),
  BILLING_WITHDRAWAL_DAYS: number(
    'Days in which consumers can withdraw from the contract with one button, as the EU asks for: 14. 0: no button.',
    { fallback: 0, min: 0, max: 365 },
  ),
  STRIPE_DOUBLE_PORT: number('Port of the stand-in for Stripe that development starts.', {
    fallback: 4003,
    min: 1,
    max: 65535,
  }),
  SENTRY_DSN: url('URL (DSN) for error reports from the browser. Nothing is sent unless set.'),
  GA_MEASUREMENT_ID: text('Measurement id of web analytics. Nothing is loaded unless set.'),
  POSTHOG_KEY: text('Key of product analytics. Nothing is loaded unless set.'),
  POSTHOG_HOST: url('Host of product analytics. Default: https://us.i.posthog.com.'),
  ANALYTICS_CONSENT: oneOf(
    'Whether people must agree before their browser loads the services above: `required` shows a banner, and the server then counts acts for the organisation, not for the person. Default: `not_needed`.',
    ['required', 'not_needed'],
  ),
} satisfies Record<string, Setting<unknown>>

import { isIP } from 'node:net'
import { v4 as uuidV4 } from 'uuid'
import type { Config } from '#server/config.ts'
import type { AuthTx, Database } from '#server/platform/database/database.ts'
import { rateKeyOf } from '#server/platform/http/token-buckets.ts'
import { createSharedLimit, type SharedLimit } from '#server/platform/limits/shared-limit.ts'
import type { Log } from '#server/platform/log/log.ts'
import { createDecoyPicker, type DecoyPicker } from './accounts/password-decoy.ts'
import { insertAuditEntry, type User } from './accounts/users.queries.ts'
import { type AccessTokens, createAccessTokens } from './keys/access-token.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { AuthError } from './protocol/auth-error.ts'
import { createRedirectRules, type RedirectRules } from './protocol/redirect-rules.ts'

/** What every operation of the auth server works with. */
export interface AuthParts {
  readonly appUrl: string
  readonly settings: Config['auth']
  readonly database: Database
  readonly log: Log
  readonly keys: SigningKeys
  readonly tokens: AccessTokens
  readonly redirects: RedirectRules
  readonly limits: AuthLimits
  readonly pickDecoyHash: DecoyPicker
}

/** Who asks, as far as the connection tells. */
export interface Client {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Shares of one network address in each kind of call, and of all in the mails. */
interface AuthLimits {
  readonly signUp: SharedLimit
  readonly otp: SharedLimit
  readonly recover: SharedLimit
  readonly resend: SharedLimit
  /** Changes of one's own account. */
  readonly user: SharedLimit
  readonly verify: SharedLimit
  readonly token: SharedLimit
  /** Wrong codes for one address: six digits are guessed in a million tries, from however many places. */
  readonly code: SharedLimit
  /** Changes of one account's password: each checks the present one. */
  readonly password: SharedLimit
  /** Mails of the whole instance. */
  readonly mail: SharedLimit
}

const fiveMinutesMs = 5 * 60_000
const hourMs = 60 * 60_000
const codeTriesPerHour = 10

export function createAuthParts(
  config: Pick<Config, 'appUrl' | 'auth' | 'production'>,
  { database, log, keys }: { database: Database; log: Log; keys: SigningKeys },
): AuthParts {
  const settings = config.auth
  return {
    appUrl: config.appUrl,
    settings,
    database,
    log,
    keys,
    pickDecoyHash: createDecoyPicker(database, keys.secretKey),
    tokens: createAccessTokens(keys, `${config.appUrl}/auth/v1`),
    redirects: createRedirectRules({
      siteUrl: settings.siteUrl,
      allowList: settings.uriAllowList,
      production: config.production,
    }),
    limits: createLimits(settings, database),
  }
}

function createLimits(settings: Config['auth'], database: Database): AuthLimits {
  const per5Minutes = (name: string, capacity: number) =>
    createSharedLimit({ name, capacity, refillMs: fiveMinutesMs }, database)
  const perHour = (name: string, capacity: number) => createSharedLimit({ name, capacity, refillMs: hourMs }, database)
  return {
    signUp: per5Minutes('sign_up', settings.rateLimitOtpPer5Minutes),
    otp: per5Minutes('otp', settings.rateLimitOtpPer5Minutes),
    recover: per5Minutes('recover', settings.rateLimitOtpPer5Minutes),
    resend: per5Minutes('resend', settings.rateLimitOtpPer5Minutes),
    user: per5Minutes('user', settings.rateLimitOtpPer5Minutes),
    verify: per5Minutes('verify', settings.rateLimitVerifyPer5Minutes),
    token: per5Minutes('token', settings.rateLimitTokenPer5Minutes),
    code: perHour('code', codeTriesPerHour),
    password: perHour('password', codeTriesPerHour),
    mail: perHour('auth_mail', settings.rateLimitEmailSentPerHour),
  }
}

/** @throws AuthError `over_request_rate_limit` when the caller's address has spent its share. */
export async function spendRequest(limit: SharedLimit, client: Client): Promise<void> {
  const retryAfterSeconds = await limit.take(rateKeyOf(client.ip ?? ''))
  if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
}

/**
 * Counts a mail that is about to be queued, in the transaction that queues it: what is rolled back counts for nothing.
 * Other mails wait until that transaction ends, so queue the mail soon after.
 *
 * @throws AuthError `over_email_send_rate_limit` when the instance has sent its share of this hour.
 */
export async function spendMail(parts: Pick<AuthParts, 'limits'>, tx: AuthTx): Promise<void> {
  const retryAfterSeconds = await parts.limits.mail.takeWithin(tx, 'all')
  if (retryAfterSeconds !== undefined) throw new AuthError('over_email_send_rate_limit', { retryAfterSeconds })
}

/**
 * Refuses as {@link spendMail} would where there is nobody to mail to: else a spent share would tell who has an account.
 *
 * @throws AuthError `over_email_send_rate_limit`
 */
export async function pretendToSpendMail(parts: Pick<AuthParts, 'limits'>, tx: AuthTx): Promise<void> {
  const retryAfterSeconds = await parts.limits.mail.probeWithin(tx, 'all')
  if (retryAfterSeconds !== undefined) throw new AuthError('over_email_send_rate_limit', { retryAfterSeconds })
}

const maxUserAgentLength = 1000

/** Cuts what the connection says down to what the database can hold. */
export function describeClient(ip: string, userAgent: string | undefined): Client {
  const address = ip.split('%')[0] ?? ''
  return { ip: isIP(address) ? address : null, userAgent: userAgent?.slice(0, maxUserAgentLength) ?? null }
}

/** Writes down what happened to an account. */
export async function audit(
  tx: AuthTx,
  entry: {
    action: string
    logType: 'account' | 'team' | 'token' | 'user'
    user: Pick<User, 'id' | 'email'>
    client: Client
  },
): Promise<void> {
  const { action, logType, user, client } = entry
  const actor = { id: user.id, name: user.email ?? '' }
  await insertAuditEntry(tx, { id: uuidV4(), action, logType, actor, ip: client.ip })
}

/** Whether sign-in is refused to the account for now. */
export function isBanned(user: User): boolean {
  return user.banned_until !== null && user.banned_until > new Date()
}

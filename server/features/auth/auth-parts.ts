import { v4 as uuidV4 } from 'uuid'
import type { Config } from '#server/config.ts'
import type { AuthTx, Database } from '#server/platform/database/database.ts'
import type { Client } from '#server/platform/http/describe-origin.ts'
import { rateKeyOf } from '#server/platform/http/token-buckets.ts'
import { createSharedLimit, type SharedLimit } from '#server/platform/limits/shared-limit.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { ReadOnly } from '#server/platform/read-only/read-only.ts'
import { createDecoyPicker, type DecoyPicker } from './accounts/password-decoy.ts'
import { insertAuditEntry, type User } from './accounts/users.queries.ts'
import { type AccessTokens, createAccessTokens } from './keys/access-token.ts'
import type { SigningKeys } from './keys/signing-keys.ts'
import { createMailBudgets, type MailBudgets } from './mail-budgets.ts'
import { createScanCheck, type ScanCheck } from './mailed-links/scanning-hosts.ts'
import { AuthError } from './protocol/auth-error.ts'
import { createRedirectRules, type RedirectRules } from './protocol/redirect-rules.ts'

/** The dependencies of every operation of the auth server. */
export interface AuthParts {
  readonly appUrl: string
  readonly settings: Config['auth']
  readonly database: Database
  readonly log: Log
  readonly readOnly: Pick<ReadOnly, 'current' | 'requireWrites'>
  readonly keys: SigningKeys
  readonly tokens: AccessTokens
  readonly redirects: RedirectRules
  readonly limits: AuthLimits
  readonly mailBudgets: MailBudgets
  readonly pickDecoyHash: DecoyPicker
  readonly isScanned: ScanCheck
}

/** Rate limits: calls of each kind per network address, and guesses per account. */
interface AuthLimits {
  readonly signUp: SharedLimit
  readonly otp: SharedLimit
  readonly recover: SharedLimit
  readonly resend: SharedLimit
  /** Account changes. */
  readonly user: SharedLimit
  readonly verify: SharedLimit
  readonly token: SharedLimit
  /** Wrong codes for one email address, from all network addresses: a six-digit code falls to a million guesses. */
  readonly code: SharedLimit
  /** Changes of one account's password: each checks the current one. */
  readonly password: SharedLimit
  /** Wrong passwords for one email address, from all devices that its owner has not signed in with. */
  readonly passwordElsewhere: SharedLimit
  /** Wrong passwords for one email address from one device that its owner has signed in with. */
  readonly passwordOnDevice: SharedLimit
  /** Wrong passwords for one account that audit logs record. */
  readonly wrongProof: SharedLimit
}

const fiveMinutesMs = 5 * 60_000
const hourMs = 60 * 60_000
const codeTriesPerHour = 10
const recordedProofsPerHour = 5
// 20 at once, then one in 12 minutes: 140 guesses a day.
const wrongPasswords = { capacity: 20, refillMs: 4 * hourMs }

export function createAuthParts(
  config: Pick<Config, 'appUrl' | 'auth' | 'production'>,
  { database, log, readOnly, keys }: Pick<AuthParts, 'database' | 'log' | 'readOnly' | 'keys'>,
): AuthParts {
  const settings = config.auth
  return {
    appUrl: config.appUrl,
    settings,
    database,
    log,
    readOnly,
    keys,
    isScanned: createScanCheck(),
    pickDecoyHash: createDecoyPicker(database, keys.secretKey),
    tokens: createAccessTokens(keys, `${config.appUrl}/auth/v1`),
    redirects: createRedirectRules({
      siteUrl: settings.siteUrl,
      allowList: settings.uriAllowList,
      production: config.production,
    }),
    limits: createLimits(settings, database),
    mailBudgets: createMailBudgets(settings.rateLimitEmailSentPerHour, database),
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
    passwordElsewhere: createSharedLimit({ name: 'password_elsewhere', ...wrongPasswords }, database),
    passwordOnDevice: createSharedLimit({ name: 'password_on_device', ...wrongPasswords }, database),
    wrongProof: perHour('wrong_proof', recordedProofsPerHour),
  }
}

/** @throws AuthError `over_request_rate_limit` when the caller's network address is over the limit. */
export async function spendRequest(limit: SharedLimit, client: Client): Promise<void> {
  const retryAfterSeconds = await limit.take(rateKeyOf(client.ip ?? ''))
  if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
}

/** Writes an entry of the audit log. */
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

/** Whether the account is currently banned. */
export function isBanned(user: User): boolean {
  return user.banned_until !== null && user.banned_until > new Date()
}

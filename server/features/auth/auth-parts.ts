import { isIP } from 'node:net'
import { v4 as uuidV4 } from 'uuid'
import type { Config } from '#server/config.ts'
import type { AuthTx, Database } from '#server/platform/database/database.ts'
import { createTokenBuckets, rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Log } from '#server/platform/log/log.ts'
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
}

/** Who asks, as far as the connection tells. */
export interface Client {
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Token buckets, each for one kind of call. */
interface AuthLimits {
  readonly signUp: TokenBuckets
  readonly verify: TokenBuckets
  readonly token: TokenBuckets
  /** Wrong codes for one address: six digits are guessed in a million tries, from however many places. */
  readonly code: TokenBuckets
  /** All mails of this process. */
  readonly mail: TokenBuckets
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
    tokens: createAccessTokens(keys, `${config.appUrl}/auth/v1`),
    redirects: createRedirectRules({
      siteUrl: settings.siteUrl,
      allowList: settings.uriAllowList,
      production: config.production,
    }),
    limits: {
      signUp: createTokenBuckets({ capacity: settings.rateLimitSignupPer5Minutes, refillMs: fiveMinutesMs }),
      verify: createTokenBuckets({ capacity: settings.rateLimitVerifyPer5Minutes, refillMs: fiveMinutesMs }),
      token: createTokenBuckets({ capacity: settings.rateLimitTokenPer5Minutes, refillMs: fiveMinutesMs }),
      code: createTokenBuckets({ capacity: codeTriesPerHour, refillMs: hourMs }),
      mail: createTokenBuckets({ capacity: settings.rateLimitEmailSentPerHour, refillMs: hourMs }),
    },
  }
}

/** @throws AuthError `over_request_rate_limit` when the caller's address has spent its share. */
export async function spendRequest(buckets: TokenBuckets, client: Client): Promise<void> {
  const retryAfterSeconds = buckets.take(rateKeyOf(client.ip ?? ''))
  if (retryAfterSeconds !== undefined) throw new AuthError('over_request_rate_limit', { retryAfterSeconds })
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
  await insertAuditEntry(tx, { ...entry, id: uuidV4(), ip: entry.client.ip })
}

/** Whether sign-in is refused to the account for now. */
export function isBanned(user: User): boolean {
  return user.banned_until !== null && user.banned_until > new Date()
}

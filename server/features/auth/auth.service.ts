import type { Config } from '#server/config.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type AuthParts, createAuthParts } from './auth-parts.ts'
import { type AccessClaims, AccessTokenError } from './keys/access-token.ts'
import { createExternalVerifier } from './keys/external-auth.ts'
import { loadSigningKeys } from './keys/signing-keys.ts'
import { type ApiGateway, createApiGateway } from './protocol/api-gateway.ts'

/** The auth server's interface for the rest of the product. */
export interface Auth {
  /** The API key of browsers. Not a secret. */
  readonly publishableKey: string
  /**
   * The person of an access token. The route guard checks whether the session still exists.
   *
   * @throws ProductError `token_expired` or `unauthenticated`; `unavailable` when an external project does not answer.
   */
  verifyAccessToken(token: string): Promise<Actor>
  /** The dependencies of the built-in server's routes; undefined when a Supabase project serves sign-in. */
  readonly server: AuthServer | undefined
}

export interface AuthServer {
  readonly parts: AuthParts
  readonly gateway: ApiGateway
}

export interface AuthOptions {
  readonly config: Pick<Config, 'appUrl' | 'auth' | 'dataDir' | 'production' | 'supabase'>
  readonly database: Database
  readonly log: Log
  readonly readOnly: AuthParts['readOnly']
}

/**
 * Creates the built-in auth server, or the token verifier for a configured Supabase project. The built-in server's keys
 * are created at the first start and kept in the data folder.
 *
 * @throws Error with one clear sentence when the keys can't be read.
 */
export async function createAuth({ config, database, log, readOnly }: AuthOptions): Promise<Auth> {
  if (config.supabase) {
    return {
      publishableKey: config.supabase.anonKey,
      verifyAccessToken: toActorVerifier(createExternalVerifier(config.supabase, log)),
      server: undefined,
    }
  }
  const keys = await loadSigningKeys({
    dataDir: config.dataDir,
    configuredKeys: config.auth.jwtKeys,
    sharedSecret: config.auth.jwtSecret,
  })
  const parts = createAuthParts(config, { database, log, readOnly, keys })
  return {
    publishableKey: keys.publishableKey,
    verifyAccessToken: toActorVerifier(parts.tokens.verify),
    server: { parts, gateway: createApiGateway(parts.tokens) },
  }
}

function toActorVerifier(verify: (token: string) => Promise<AccessClaims>): Auth['verifyAccessToken'] {
  return async (token) => {
    try {
      const claims = await verify(token)
      return { userId: claims.sub, sessionId: claims.session_id, email: claims.email, claims: { ...claims } }
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw new ProductError('unavailable', { cause: error })
      throw new ProductError(error.reason === 'expired' ? 'token_expired' : 'unauthenticated', { cause: error })
    }
  }
}

/** @throws Error when a Supabase project serves sign-in. */
export function getAuthServer(auth: Auth): AuthServer {
  if (!auth.server) throw new Error('the built-in auth server is off: a Supabase project is configured')
  return auth.server
}

import type { JWK } from 'jose'
import type { Config } from '#server/config.ts'
import type { Actor } from '#server/platform/database/actor.ts'
import type { Database } from '#server/platform/database/database.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Log } from '#server/platform/log/log.ts'
import { AccessTokenError } from './access-token.ts'
import { type ApiGateway, createApiGateway } from './api-gateway.ts'
import { type AuthParts, createAuthParts } from './auth-parts.ts'
import { loadSigningKeys } from './signing-keys.ts'

/** Sign-in, as the rest of the product sees it. */
export interface Auth {
  /** The key that browsers send along. Not a secret. */
  readonly publishableKey: string
  /**
   * The person whom an access token names. Asks nobody: whether the session still stands is the guard's to find out.
   *
   * @throws ProductError `token_expired` or `unauthenticated`.
   */
  verifyAccessToken(token: string): Promise<Actor>
  /** The public keys, for others to verify tokens with. */
  jwks(): { readonly keys: readonly JWK[] }
}

/** The built-in auth server: what its routes need besides {@link Auth}. */
export interface AuthServer extends Auth {
  readonly parts: AuthParts
  readonly gateway: ApiGateway
}

/**
 * Makes the built-in auth server. Its keys are made at the first start and kept in the data folder.
 *
 * @throws Error with one clear sentence when the keys can't be read.
 */
export async function createAuth({
  config,
  database,
  log,
}: {
  config: Pick<Config, 'appUrl' | 'auth' | 'dataDir' | 'production'>
  database: Database
  log: Log
}): Promise<AuthServer> {
  const keys = await loadSigningKeys({ dataDir: config.dataDir, configuredKeys: config.auth.jwtKeys })
  const parts = createAuthParts(config, { database, log, keys })
  return {
    parts,
    gateway: createApiGateway(keys, parts.tokens),
    publishableKey: keys.publishableKey,
    jwks: () => keys.publicJwks,
    async verifyAccessToken(token) {
      try {
        const claims = await parts.tokens.verify(token)
        return { userId: claims.sub, sessionId: claims.session_id, email: claims.email, claims }
      } catch (error) {
        if (!(error instanceof AccessTokenError)) throw error
        throw new ProductError(error.reason === 'expired' ? 'token_expired' : 'unauthenticated', { cause: error })
      }
    },
  }
}

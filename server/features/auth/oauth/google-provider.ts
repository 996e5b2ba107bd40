import { createHash, createHmac } from 'node:crypto'
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '#server/config.ts'
import type { JsonObject } from '../protocol/request-body.ts'
import type { ProviderTokens } from '../sign-in/provider-tokens.ts'
import { fetchJson, ProviderError } from './fetch-json.ts'
import { type Profile, readProfile } from './profile.ts'

type GoogleSettings = NonNullable<Config['auth']['google']>

/** Google's sign-in: OAuth 2.0 with OpenID Connect. */
export interface GoogleProvider {
  /**
   * Where to send a browser.
   *
   * @param extras parameters of Google's own, such as `prompt`
   * @throws ProviderError
   */
  getAuthorizationUrl(state: string, extras: Readonly<Record<string, string>>): Promise<string>
  /**
   * Exchanges the code that Google gave the browser, and finds out who that is.
   *
   * @throws ProviderError also when the answer was made for another client, another sign-in or by somebody else.
   */
  exchangeCode(state: string, code: string): Promise<{ profile: Profile; tokens: ProviderTokens }>
}

interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly userinfo: string
  readonly keys: string
}

// Who somebody is, and nothing else of theirs: no link makes Google ask for more.
const scope = 'openid email profile'

const timeoutMs = 10_000
const cacheMs = 60 * 60_000
const clockToleranceSeconds = 60
const maxTokenLength = 8192

export function createGoogleProvider(settings: GoogleSettings): GoogleProvider {
  const { clientId, secret, redirectUri, issuer } = settings
  const endpoints = cache((signal) => discover(issuer, signal))
  const keys = cache(async (signal) => readKeySet(await fetchJson((await endpoints.get(signal)).keys, { signal })))

  // Both are made from the state, so that nothing has to be kept; nobody else can make them.
  const derive = (purpose: string, state: string) =>
    createHmac('sha256', secret).update(`${purpose}:${state}`).digest('base64url')

  async function verifyIdToken(idToken: string, state: string, signal: AbortSignal): Promise<JWTPayload> {
    const verify = async () =>
      (
        await jwtVerify(idToken, createLocalJWKSet(await keys.get(signal)), {
          algorithms: ['RS256', 'ES256'],
          audience: clientId,
          // Google's tokens may name it in either way, its documents say.
          issuer: issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : issuer,
          clockTolerance: clockToleranceSeconds,
          requiredClaims: ['sub', 'iat', 'exp'],
        })
      ).payload
    let claims: JWTPayload
    try {
      claims = await verify().catch((error) => {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
        // Google changes its keys every few days.
        keys.forget()
        return verify()
      })
    } catch (error) {
      if (error instanceof ProviderError) throw error
      throw new ProviderError('the ID token is not valid', { cause: error })
    }
    if (claims.azp !== undefined && claims.azp !== clientId)
      throw new ProviderError('the ID token is for another client')
    if (claims.nonce !== derive('nonce', state)) throw new ProviderError('the ID token is for another sign-in')
    return claims
  }

  return {
    async getAuthorizationUrl(state, extras) {
      const url = new URL((await endpoints.get(AbortSignal.timeout(timeoutMs))).authorization)
      const challenge = createHash('sha256').update(derive('verifier', state)).digest('base64url')
      const parameters = {
        ...extras,
        client_id: clientId,
        code_challenge: challenge,
        code_challenge_method: 'S256',
        nonce: derive('nonce', state),
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      url.searchParams.sort()
      return url.href
    },

    async exchangeCode(state, code) {
      const signal = AbortSignal.timeout(timeoutMs)
      const { token, userinfo } = await endpoints.get(signal)
      const answer = await fetchJson(token, {
        signal,
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code,
          code_verifier: derive('verifier', state),
          redirect_uri: redirectUri,
          client_id: clientId,
          client_secret: secret,
        }),
      })
      const tokens = readTokens(answer)
      const claims =
        typeof answer.id_token === 'string'
          ? await verifyIdToken(answer.id_token, state, signal)
          : await fetchJson(userinfo, { signal, headers: { authorization: `Bearer ${tokens.accessToken}` } })
      const profile = readProfile({ ...claims }, issuer)
      if (!profile) throw new ProviderError('the profile has no id or no e-mail address')
      return { profile, tokens }
    },
  }
}

/** Remembers what was fetched for an hour. A failure is not remembered. */
function cache<T>(fetchAnew: (signal: AbortSignal) => Promise<T>): {
  get(signal: AbortSignal): Promise<T>
  forget(): void
} {
  let known: { value: T; until: number } | undefined
  return {
    async get(signal) {
      if (known && Date.now() < known.until) return known.value
      const value = await fetchAnew(signal)
      known = { value, until: Date.now() + cacheMs }
      return value
    },
    forget() {
      known = undefined
    },
  }
}

/** Reads the provider's own description: OpenID Connect Discovery 1.0. */
async function discover(issuer: string, signal: AbortSignal): Promise<Endpoints> {
  const found = await fetchJson(`${issuer}/.well-known/openid-configuration`, { signal })
  if (found.issuer !== issuer) throw new ProviderError(`${issuer} says that it is somebody else`)
  const read = (name: string): string => {
    const value = found[name]
    const { protocol } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : { protocol: '' }
    // Over TLS, it may not send browsers and secrets where there is none.
    if (typeof value !== 'string' || !(protocol === 'https:' || protocol === new URL(issuer).protocol)) {
      throw new ProviderError(`${issuer} names no usable ${name}`)
    }
    return value
  }
  return {
    authorization: read('authorization_endpoint'),
    token: read('token_endpoint'),
    userinfo: read('userinfo_endpoint'),
    keys: read('jwks_uri'),
  }
}

function readKeySet(answer: JsonObject): JSONWebKeySet {
  if (!Array.isArray(answer.keys)) throw new ProviderError('the provider publishes no keys')
  return { keys: answer.keys }
}

function readTokens(answer: JsonObject): ProviderTokens {
  const { access_token: accessToken, refresh_token: refreshToken } = answer
  if (typeof accessToken !== 'string' || accessToken === '' || accessToken.length > maxTokenLength) {
    throw new ProviderError('the provider gave no usable access token')
  }
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && refreshToken.length <= maxTokenLength && { refreshToken }),
  }
}

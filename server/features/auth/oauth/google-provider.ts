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
   * The authorisation URL for a browser.
   *
   * @param extras parameters of Google's own, such as `prompt`
   * @throws ProviderError
   */
  getAuthorizationUrl(state: string, extras: Readonly<Record<string, string>>): Promise<string>
  /**
   * Exchanges the browser's code at Google and reads the profile.
   *
   * @throws ProviderError also when the ID token is for another client or sign-in, or from another issuer.
   */
  exchangeCode(state: string, code: string): Promise<{ profile: Profile; tokens: ProviderTokens }>
}

interface Endpoints {
  readonly authorization: string
  readonly token: string
  readonly userinfo: string
  readonly keys: string
}

// The profile only: no request parameter can add scopes.
const scope = 'openid email profile'

const timeoutMs = 10_000
const cacheMs = 60 * 60_000
const clockToleranceSeconds = 60
const maxTokenLength = 8192

/** Derives a value of one sign-in from its state. */
type Derive = (purpose: 'nonce' | 'verifier', state: string) => string

export function createGoogleProvider(settings: GoogleSettings): GoogleProvider {
  const { clientId, secret, redirectUri, issuer } = settings
  const endpoints = cache((signal) => discover(issuer, signal))
  const keys = cache(async (signal) => readKeySet(await fetchJson((await endpoints.get(signal)).keys, { signal })))

  // Nonce and verifier come from the state and a secret: nothing has to be stored and no one else can compute them.
  const derive: Derive = (purpose, state) =>
    createHmac('sha256', secret).update(`${purpose}:${state}`).digest('base64url')

  return {
    async getAuthorizationUrl(state, extras) {
      const url = new URL((await endpoints.get(AbortSignal.timeout(timeoutMs))).authorization)
      const parameters = { ...extras, ...writeAuthorizationParameters(settings, derive, state) }
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
          ? await verifyIdToken(answer.id_token, { clientId, issuer, keys, nonce: derive('nonce', state), signal })
          : await fetchJson(userinfo, { signal, headers: { authorization: `Bearer ${tokens.accessToken}` } })
      const profile = readProfile({ ...claims }, issuer)
      if (!profile) throw new ProviderError('the profile has no id or no email address')
      return { profile, tokens }
    },
  }
}

function writeAuthorizationParameters({ clientId, redirectUri }: GoogleSettings, derive: Derive, state: string) {
  return {
    client_id: clientId,
    code_challenge: createHash('sha256').update(derive('verifier', state)).digest('base64url'),
    code_challenge_method: 'S256',
    nonce: derive('nonce', state),
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state,
  }
}

interface IdTokenCheck {
  readonly clientId: string
  readonly issuer: string
  readonly keys: Cached<JSONWebKeySet>
  readonly nonce: string
  readonly signal: AbortSignal
}

/** @throws ProviderError when the token is invalid, or for another client or sign-in. */
async function verifyIdToken(idToken: string, check: IdTokenCheck): Promise<JWTPayload> {
  let claims: JWTPayload
  try {
    claims = await verifySignedClaims(idToken, check).catch((error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // Google changes its keys every few days.
      check.keys.forget()
      return verifySignedClaims(idToken, check)
    })
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw new ProviderError('the ID token is not valid', { cause: error })
  }
  if (claims.azp !== undefined && claims.azp !== check.clientId)
    throw new ProviderError('the ID token is for another client')
  if (claims.nonce !== check.nonce) throw new ProviderError('the ID token is for another sign-in')
  return claims
}

async function verifySignedClaims(idToken: string, { clientId, issuer, keys, signal }: IdTokenCheck) {
  const { payload } = await jwtVerify(idToken, createLocalJWKSet(await keys.get(signal)), {
    algorithms: ['RS256', 'ES256'],
    audience: clientId,
    // Google's documentation allows both forms.
    issuer: issuer === 'https://accounts.google.com' ? [issuer, 'accounts.google.com'] : issuer,
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['sub', 'iat', 'exp'],
  })
  return payload
}

interface Cached<T> {
  get(signal: AbortSignal): Promise<T>
  forget(): void
}

/** Caches a fetched value for an hour. Failures are not cached. */
function cache<T>(fetchAnew: (signal: AbortSignal) => Promise<T>): Cached<T> {
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

/** Reads the provider's metadata: OpenID Connect Discovery 1.0. */
async function discover(issuer: string, signal: AbortSignal): Promise<Endpoints> {
  const found = await fetchJson(`${issuer}/.well-known/openid-configuration`, { signal })
  if (found.issuer !== issuer) throw new ProviderError(`${issuer} publishes another issuer`)
  const read = (name: string): string => {
    const value = found[name]
    const { protocol } = typeof value === 'string' && URL.canParse(value) ? new URL(value) : { protocol: '' }
    // A provider on TLS may not name endpoints without TLS.
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
    throw new ProviderError('the provider sent no usable access token')
  }
  return {
    accessToken,
    ...(typeof refreshToken === 'string' && refreshToken.length <= maxTokenLength && { refreshToken }),
  }
}

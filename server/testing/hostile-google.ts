import { createServer, type RequestListener } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { type Browser, createAddress, startAuthServer, type TestAuthServer } from './auth-server.ts'
import { googleSettings, open } from './google-sign-in.ts'

/** A provider's answer with untrustworthy values; each test replaces its own part. */
interface Answers {
  discovery: RequestListener
  keys: RequestListener
  token: RequestListener
  userinfo: RequestListener
}

/** The auth server with a provider that does what a test tells it. */
export interface HostileGoogle {
  readonly server: TestAuthServer
  readonly issuer: string
  readonly answers: Answers
  /** What an honest provider would say of its addresses. */
  readonly description: Readonly<Record<string, unknown>>
  /** How often something else was asked for than these four. */
  countOthers(): number
  /** Makes it honest again, with no token to give. */
  reset(): void
  /** Goes as far as the provider. */
  begin(): Promise<{ browser: Browser; location: URL }>
  /** Comes back from it with a code. `makeToken` gets the nonce that the provider was given. */
  comeBack(makeToken?: (nonce: string) => Promise<string> | string): Promise<{ browser: Browser; target: URL }>
  /** What an honest ID token says, but for `changes`. */
  claims(changes?: Readonly<Record<string, unknown>>): JWTPayload
  stop(): Promise<void>
}

const pair = await generateKeyPair('RS256', { extractable: true })
export const publicJwk = { ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }

/** Signs an ID token as the provider does, or with another key. */
export function signIdToken(payload: JWTPayload, { key = pair.privateKey, kid = 'one' } = {}): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid }).sign(key)
}

/** A JSON answer. */
export function answer(body: unknown, status = 200): RequestListener {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

export async function startHostileGoogle(): Promise<HostileGoogle> {
  let others = 0
  const answers: Answers = { discovery: answer({}), keys: answer({}), token: answer({}), userinfo: answer({}) }
  const listener = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path === '/.well-known/openid-configuration') return answers.discovery(request, response)
    if (path === '/keys') return answers.keys(request, response)
    if (path === '/token') return answers.token(request, response)
    if (path === '/userinfo') return answers.userinfo(request, response)
    others += 1
    return answer({})(request, response)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const issuer = `http://localhost:${typeof address === 'object' && address ? address.port : 0}`
  const server = await startAuthServer(googleSettings(issuer))
  const description = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/keys`,
  }

  const begin: HostileGoogle['begin'] = async () => {
    const browser = server.openBrowser()
    const { data } = await browser.auth.signInWithOAuth({
      provider: 'google',
      options: { skipBrowserRedirect: true, redirectTo: `${server.url}/auth/callback` },
    })
    return { browser, location: (await open(data.url ?? '')).location }
  }

  return {
    server,
    issuer,
    answers,
    description,
    countOthers: () => others,
    reset() {
      others = 0
      Object.assign(answers, {
        discovery: answer(description),
        keys: answer({ keys: [publicJwk] }),
        token: answer({ error: 'invalid_grant' }, 400),
        userinfo: answer({}, 401),
      } satisfies Answers)
    },
    begin,
    async comeBack(makeToken) {
      const { browser, location } = await begin()
      if (makeToken) {
        const idToken = await makeToken(location.searchParams.get('nonce') ?? '')
        answers.token = answer({ access_token: 'access', token_type: 'Bearer', expires_in: 3600, id_token: idToken })
      }
      const query = new URLSearchParams({ code: 'code', state: location.searchParams.get('state') ?? '' })
      return { browser, target: (await open(`${server.url}/auth/v1/callback?${query}`)).location }
    },
    claims: (changes = {}) => ({
      iss: issuer,
      aud: googleSettings(issuer).GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID ?? '',
      sub: `sub-${createAddress()}`,
      email: createAddress(),
      email_verified: true,
      name: 'A. Stranger',
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 3600,
      ...changes,
    }),
    async stop() {
      await server.stop()
      listener.closeAllConnections()
      await new Promise((resolve) => listener.close(resolve))
    },
  }
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Auth, getAuthServer } from './auth.service.ts'
import { type AuthParts, type Client, describeClient, isBanned, spendRequest } from './auth-parts.ts'
import type { AccessClaims } from './keys/access-token.ts'
import { AccessTokenError } from './keys/access-token.ts'
import { verifyLink, verifySecret } from './mailed-links/verify.service.ts'
import { toCodeRedirect, toErrorRedirect, toSessionRedirect } from './mailed-links/verify-redirect.ts'
import { allowOtherOrigins } from './protocol/api-gateway.ts'
import { AuthError, apiVersion, isCurrentVersion, toAuthErrorBody } from './protocol/auth-error.ts'
import { readJsonObject, readObject, readQuery, readText, takeRawBodies } from './protocol/request-body.ts'
import { describeSettings, healthJson } from './protocol/settings-json.ts'
import { toAuthError } from './protocol/to-auth-error.ts'
import { toUserJson } from './protocol/user-json.ts'
import {
  getSignedInUser,
  refreshSession,
  type SessionGrant,
  signOut,
  toSessionJson,
} from './sessions/session.service.ts'
import { readCodeChallenge } from './sign-in/pkce.ts'
import { exchangeCode, signInWithPassword } from './sign-in/sign-in.service.ts'
import { resendConfirmation, signUp } from './sign-up/sign-up.service.ts'

/** Routes that mail links and strangers' libraries reach without an API key. */
const keylessRoutes = new Set(['/verify', '/.well-known/jwks.json'])

/** The auth server's routes, in GoTrue's protocol. To be registered under `/auth/v1`. */
export async function authRoutes(app: FastifyInstance, { auth }: { auth: Auth }): Promise<void> {
  const { parts, gateway } = getAuthServer(auth)
  allowOtherOrigins(app)
  takeRawBodies(app)
  answerErrors(app, parts)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const path = request.url.slice(app.prefix.length).split('?')[0] ?? ''
    if (request.method === 'OPTIONS' || keylessRoutes.has(path)) return
    if (!(await gateway.admit(request, reply))) return reply
  })

  app.get('/health', async () => healthJson)
  app.get('/settings', async () => describeSettings(parts.settings))
  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=600')
    return parts.keys.publicJwks
  })

  app.post('/signup', async (request, reply) => {
    const body = readJsonObject(request.body)
    const [email, phone] = [readText(body, 'email'), readText(body, 'phone')]
    if (email === '' && phone === '') throw new AuthError('anonymous_provider_disabled')
    const client = clientOf(request)
    spendRequest(parts.limits.signUp, client)
    if (parts.settings.disableSignup) throw new AuthError('signup_disabled')
    if (email === '') throw new AuthError('phone_provider_disabled', { message: 'Phone signups are disabled' })
    const outcome = await signUp(parts, {
      email,
      password: readText(body, 'password'),
      metadata: readObject(body, 'data'),
      challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
      redirectTo: chooseRedirect(request),
      client,
    })
    return 'grant' in outcome ? sendSession(reply, outcome.grant) : outcome.userJson
  })

  app.post('/resend', async (request) => {
    const body = readJsonObject(request.body)
    const client = clientOf(request)
    spendRequest(parts.limits.signUp, client)
    if (readText(body, 'type') !== 'signup') {
      throw new AuthError('validation_failed', { message: 'Missing one of these types: signup' })
    }
    await resendConfirmation(parts, {
      email: readText(body, 'email'),
      challenge: readCodeChallenge(readText(body, 'code_challenge'), readText(body, 'code_challenge_method')),
      redirectTo: chooseRedirect(request),
      client,
    })
    return {}
  })

  app.post('/token', async (request, reply) => {
    const client = clientOf(request)
    spendRequest(parts.limits.token, client)
    const body = readJsonObject(request.body)
    switch (readQuery(request.query, 'grant_type')) {
      case 'password': {
        const email = readText(body, 'email')
        if (email === '') throw new AuthError('validation_failed', { message: 'missing email or phone' })
        return sendSession(
          reply,
          await signInWithPassword(parts, { email, password: readText(body, 'password'), client }),
        )
      }
      case 'refresh_token': {
        const token = readText(body, 'refresh_token')
        if (token === '') throw new AuthError('validation_failed', { message: 'refresh_token required' })
        return sendSession(reply, await refreshSession(parts, token, client))
      }
      case 'pkce': {
        const [code, verifier] = [readText(body, 'auth_code'), readText(body, 'code_verifier')]
        return sendSession(reply, await exchangeCode(parts, { code, verifier, client }))
      }
      default:
        throw new AuthError('invalid_credentials', { message: 'unsupported_grant_type' })
    }
  })

  // The link of a mail. Whatever happens, a person looks at the outcome: it leads back to the app.
  // Mail scanners look at links with HEAD: that must not use them up.
  app.head('/verify', async (_request, reply) => reply.code(204).send())
  app.get('/verify', { exposeHeadRoute: false }, async (request, reply) => {
    const [token, type] = [readQuery(request.query, 'token'), readQuery(request.query, 'type')]
    if (type === '') throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    if (token === '') throw new AuthError('validation_failed', { message: 'Verify requires a token or a token hash' })
    const client = clientOf(request)
    const redirectTo = chooseRedirect(request)
    try {
      spendRequest(parts.limits.verify, client)
      const verified = await verifyLink(parts, token, client)
      if (verified.kind === 'refused') throw verified.error
      const target =
        verified.kind === 'code'
          ? toCodeRedirect(redirectTo, verified.code)
          : toSessionRedirect(redirectTo, await toSessionJson(parts, verified.grant), type)
      return reply.redirect(target, 303)
    } catch (thrown) {
      const error = toAuthError(thrown)
      if (error.status >= 500) request.log.error({ err: thrown }, 'verification failed')
      return reply.redirect(toErrorRedirect(redirectTo, error, token), 303)
    }
  })

  app.post('/verify', async (request, reply) => {
    const client = clientOf(request)
    spendRequest(parts.limits.verify, client)
    const body = readJsonObject(request.body)
    if (readText(body, 'type') === '') {
      throw new AuthError('validation_failed', { message: 'Verify requires a verification type' })
    }
    const [linkToken, code, email] = [readText(body, 'token_hash'), readText(body, 'token'), readText(body, 'email')]
    if ((linkToken === '') === (code === '')) {
      throw new AuthError('validation_failed', { message: 'Verify requires either a token or a token hash' })
    }
    if (linkToken !== '' && email !== '') {
      throw new AuthError('validation_failed', { message: 'Only the token_hash and type should be provided' })
    }
    if (!['signup', 'email'].includes(readText(body, 'type'))) throw new AuthError('otp_expired')
    return sendSession(reply, await verifySecret(parts, linkToken === '' ? { email, code } : { linkToken }, client))
  })

  app.get('/user', async (request) => {
    const { user, identities } = await getSignedInUser(parts, await readAccessToken(request))
    if (isBanned(user)) throw new AuthError('user_banned', { status: 403 })
    return toUserJson(user, identities)
  })

  app.post('/logout', async (request, reply) => {
    const claims = await readAccessToken(request)
    const scope = readQuery(request.query, 'scope') || 'global'
    if (scope !== 'global' && scope !== 'local' && scope !== 'others') {
      throw new AuthError('validation_failed', { message: 'Unsupported logout scope' })
    }
    const { user } = await getSignedInUser(parts, claims)
    await signOut(parts, { user, sessionId: claims.session_id, scope, client: clientOf(request) })
    return reply.code(204).send()
  })

  async function sendSession(reply: FastifyReply, grant: SessionGrant): Promise<Record<string, unknown>> {
    reply.header('sb-auth-user-id', grant.user.id).header('sb-auth-session-id', grant.sessionId)
    return toSessionJson(parts, grant)
  }

  function chooseRedirect(request: FastifyRequest): string {
    const header = request.headers.redirect_to
    return parts.redirects.choose(
      typeof header === 'string' ? header : undefined,
      readQuery(request.query, 'redirect_to'),
      request.headers.referer,
    )
  }

  async function readAccessToken(request: FastifyRequest): Promise<AccessClaims> {
    const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) throw new AuthError('no_authorization')
    try {
      return await parts.tokens.verify(token)
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw error
      throw new AuthError('bad_jwt', { message: `invalid JWT: unable to parse or verify signature, ${error.message}` })
    }
  }
}

function clientOf(request: FastifyRequest): Client {
  return describeClient(request.ip, request.headers['user-agent'])
}

/** Renders every refusal of this scope as GoTrue does, in the shape that the caller's version expects. */
function answerErrors(app: FastifyInstance, { log }: Pick<AuthParts, 'log'>): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toAuthError(thrown)
    if (error.status >= 500) log.error({ err: thrown, requestId: request.id }, `auth request failed: ${error.code}`)
    const version = [request.headers['x-supabase-api-version']].flat()[0]
    if (isCurrentVersion(version)) reply.header('x-supabase-api-version', apiVersion)
    if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
    reply
      .code(error.status)
      .header('x-sb-error-code', error.code)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toAuthErrorBody(error, version, request.id)))
  })
  app.setNotFoundHandler(async () => {
    throw new AuthError('not_found')
  })
}

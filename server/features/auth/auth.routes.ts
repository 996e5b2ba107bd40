import type { FastifyInstance } from 'fastify'
import { adminRoutes } from './admin/admin.routes.ts'
import { type Auth, getAuthServer } from './auth.service.ts'
import { disabledFeatures } from './disabled/disabled.routes.ts'
import { mailedLinksRoutes } from './mailed-links/mailed-links.routes.ts'
import { identitiesRoutes } from './oauth/identities.routes.ts'
import { oauthRoutes } from './oauth/oauth.routes.ts'
import { allowOtherOrigins } from './protocol/api-gateway.ts'
import { AuthError, apiVersion, isCurrentVersion, toAuthErrorBody } from './protocol/auth-error.ts'
import { instanceRoutes } from './protocol/instance.routes.ts'
import { takeRawBodies } from './protocol/request-body.ts'
import { toAuthError } from './protocol/to-auth-error.ts'
import { signOutRoutes } from './sessions/sign-out.routes.ts'
import { tokenRoutes } from './sign-in/token.routes.ts'
import { signUpRoutes } from './sign-up/sign-up.routes.ts'
import { userRoutes } from './user/user.routes.ts'

/** Routes that emailed links, providers and third-party libraries call without an API key. */
const keylessRoutes = new Set([
  '/verify',
  '/verify/link',
  '/authorize',
  '/callback',
  '/sso/saml/metadata',
  '/sso/saml/acs',
  '/.well-known/jwks.json',
])

/** The auth server's routes, in GoTrue's protocol. To be registered under `/auth/v1`. */
export async function authRoutes(app: FastifyInstance, { auth }: { auth: Auth }): Promise<void> {
  const { parts, gateway } = getAuthServer(auth)
  allowOtherOrigins(app)
  takeRawBodies(app)
  answerErrors(app)
  app.decorateRequest('keyRole', undefined)
  app.addHook('onRequest', async (request, reply) => {
    request.isOfAccount = true
    reply.header('cache-control', 'no-store')
    const path = request.url.slice(app.prefix.length).split('?')[0] ?? ''
    if (request.method === 'OPTIONS' || keylessRoutes.has(path)) return
    if (!(await gateway.admit(request, reply))) return reply
  })

  instanceRoutes(app, parts)
  signUpRoutes(app, parts)
  tokenRoutes(app, parts)
  mailedLinksRoutes(app, parts)
  oauthRoutes(app, parts)
  userRoutes(app, parts)
  identitiesRoutes(app, parts)
  signOutRoutes(app, parts)
  adminRoutes(app, parts)
  disabledFeatures(app, parts)
}

/** Renders every error of this scope as GoTrue does, in the shape of the caller's API version. */
function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toAuthError(thrown)
    request.failure = { code: error.code, err: thrown }
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

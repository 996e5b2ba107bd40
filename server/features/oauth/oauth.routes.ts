import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '#server/platform/database/database.ts'
import { readBasePath } from '#server/platform/http/base-path.ts'
import { toProductError } from '#server/platform/http/to-product-error.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import { describeResource, describeServer } from './metadata.ts'
import { insertClient } from './oauth.queries.ts'
import { OAuthError } from './oauth-error.ts'
import { readRegistration } from './registration.ts'
import type { OAuthTokens } from './tokens.service.ts'

export interface OAuthRouteParts {
  readonly appUrl: string
  readonly database: Database
  readonly tokens: OAuthTokens
  /** Registrations from one address. */
  readonly registrationBuckets: TokenBuckets
  /** Exchanges from one address. */
  readonly tokenBuckets: TokenBuckets
}

const maxBodyBytes = 16 * 1024

/** The authorisation server's own addresses. Bodies and refusals have the protocol's form, not the API's. */
export async function oauthRoutes(app: FastifyInstance, parts: OAuthRouteParts): Promise<void> {
  const { appUrl, database, tokens } = parts
  const hidden = { schema: { hide: true } }
  const resource = describeResource(appUrl)
  // By RFC 9728 the address of `/mcp` has its path at the end; some clients leave it out.
  app.get('/.well-known/oauth-protected-resource', hidden, async (_request, reply) => sendMetadata(reply, resource))
  app.get('/.well-known/oauth-protected-resource/mcp', hidden, async (_request, reply) => sendMetadata(reply, resource))
  app.get('/.well-known/oauth-authorization-server', hidden, async (_request, reply) =>
    sendMetadata(reply, describeServer(appUrl)),
  )
  const basePath = readBasePath(appUrl)
  if (basePath !== '') {
    // RFC 8414, section 3.1: the issuer's path stands behind the well-known one, so the proxy has to pass this on.
    app.get(`/.well-known/oauth-authorization-server${basePath}`, hidden, async (_request, reply) =>
      sendMetadata(reply, describeServer(appUrl)),
    )
  }
  await app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: maxBodyBytes },
      async (_request: FastifyRequest, body: string) => readForm(body),
    )
    scope.setErrorHandler((error, request, reply) => sendError(error, request, reply))
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store')
    })

    scope.post('/oauth/register', { ...hidden, bodyLimit: maxBodyBytes }, async (request, reply) => {
      spend(parts.registrationBuckets, request)
      const { name, redirectUris } = readRegistration(request.body)
      const { id, createdAt } = await database.asSystem('an app registers before anyone connects it', (tx) =>
        insertClient(tx, { name, redirectUris }),
      )
      return reply.code(201).send({
        client_id: id,
        client_id_issued_at: Math.floor(createdAt.getTime() / 1000),
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      })
    })

    const token = { config: { evenReadOnly: 'connected apps go on reading' } }
    scope.post('/oauth/token', { ...hidden, ...token, bodyLimit: maxBodyBytes }, async (request) => {
      spend(parts.tokenBuckets, request)
      const form = getForm(request)
      if (form.grant_type === 'authorization_code') return tokens.exchangeCode(form)
      if (form.grant_type === 'refresh_token') return tokens.refresh(form)
      throw new OAuthError('unsupported_grant_type', 'Send grant_type authorization_code or refresh_token.')
    })

    const revocation = { config: { evenReadOnly: 'connected apps sign out' } }
    scope.post('/oauth/revoke', { ...hidden, ...revocation, bodyLimit: maxBodyBytes }, async (request) => {
      spend(parts.tokenBuckets, request)
      const { token } = getForm(request)
      if (token === undefined) throw new OAuthError('invalid_request', 'Send the token.')
      await tokens.revoke(token)
      return {}
    })
  })
}

type Form = Readonly<Record<string, string | undefined>>

function sendMetadata(reply: FastifyReply, metadata: object): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300').send(metadata)
}

/** @throws OAuthError for a parameter that comes twice (RFC 6749, section 3.2). */
function readForm(body: string): Form {
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(body)) {
    if (name in form) throw new OAuthError('invalid_request', 'A parameter is given twice.')
    form[name] = value
  }
  return form
}

/** @throws OAuthError for a body of another kind. */
function getForm({ body, headers }: FastifyRequest): Form {
  if (!headers['content-type']?.startsWith('application/x-www-form-urlencoded') || typeof body !== 'object')
    throw new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
  // The scope's parser made it.
  return body as Form
}

/** @throws OAuthError with status 429. */
function spend(buckets: TokenBuckets, { ip }: FastifyRequest): void {
  if (buckets.take(rateKeyOf(ip)) !== undefined)
    throw new OAuthError('temporarily_unavailable', 'Too many requests. Wait a moment, then try again.', 429)
}

function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (thrown instanceof OAuthError) {
    request.failure = { code: thrown.error }
    return reply.code(thrown.status).send({ error: thrown.error, error_description: thrown.message })
  }
  const error = toProductError(thrown)
  request.failure = { code: error.code, err: error.cause ?? thrown }
  if (error.code === 'read_only') {
    const body = { error: 'temporarily_unavailable', error_description: error.message }
    return reply.code(503).header('retry-after', String(error.retryAfterSeconds)).send(body)
  }
  const name = error.status >= 500 ? 'server_error' : 'invalid_request'
  return reply.code(error.status).send({ error: name, error_description: error.message })
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccessTokens } from '../keys/access-token.ts'
import type { KeyRole } from '../keys/api-keys.ts'

/** The gateway in front of the auth server and the RPCs: API keys, and calls from other origins. */
export interface ApiGateway {
  /**
   * The role of the caller's API key, also stored in `request.keyRole`.
   *
   * @returns undefined after having answered 401.
   */
  admit(request: FastifyRequest, reply: FastifyReply): Promise<KeyRole | undefined>
  /** The role of a key, undefined for an unknown key. */
  findRole(apiKey: string): Promise<KeyRole | undefined>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The role of the call's API key; undefined on routes without a gateway. */
    keyRole: KeyRole | undefined
  }
}

export function createApiGateway({ findKeyRole }: Pick<AccessTokens, 'findKeyRole'>): ApiGateway {
  return {
    findRole: findKeyRole,
    async admit(request, reply) {
      const apiKey = readApiKey(request)
      if (apiKey === undefined) {
        refuse(reply, 'UNAUTHORIZED_MISSING_API_KEY', {
          message: 'No API key found in request',
          hint: 'No `apikey` request header or url param was found.',
        })
        return undefined
      }
      const role = await findKeyRole(apiKey)
      if (!role) {
        refuse(reply, 'UNAUTHORIZED_INVALID_API_KEY', {
          message: 'Invalid API key',
          hint: 'Double check your Supabase `apikey`.',
        })
      }
      request.keyRole = role
      return role
    },
  }
}

function readApiKey(request: FastifyRequest): string | undefined {
  const header = request.headers.apikey
  // Fastify parses queries to objects; each value is unknown.
  const query = (request.query as Record<string, unknown>).apikey
  for (const value of [header, query].flat()) if (typeof value === 'string' && value !== '') return value
  return undefined
}

function refuse(reply: FastifyReply, code: string, body: { message: string; hint: string }): void {
  reply.code(401).header('sb-error-code', code).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

const allowedHeaders = [
  'accept',
  'accept-profile',
  'apikey',
  'authorization',
  'content-profile',
  'content-type',
  'prefer',
  'range',
  'x-client-info',
  'x-retry-count',
  'x-supabase-api-version',
].join(', ')

// Without the version exposed, a browser on another origin could not read it, and every error would lose its code.
const exposedHeaders = [
  'content-location',
  'content-range',
  'link',
  'preference-applied',
  'retry-after',
  'sb-error-code',
  'x-request-id',
  'x-supabase-api-version',
  'x-total-count',
].join(', ')

/**
 * Lets pages of every origin call the routes of this scope. No route here uses cookies, so a page can do no more than
 * any other program; and credentials are not allowed.
 */
export function allowOtherOrigins(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*').header('access-control-expose-headers', exposedHeaders)
  })
  scope.options('/*', async (request, reply) => {
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      .header('access-control-allow-headers', preflightHeaders(request))
      .header('access-control-max-age', '86400')
      .send()
  })
}

// Later versions of the client may send more headers of their own; those with its prefixes pass as well.
function preflightHeaders(request: FastifyRequest): string {
  const asked = request.headers['access-control-request-headers'] ?? ''
  const more = asked
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^(x|sb)-[a-z0-9-]{1,50}$/.test(name) && !allowedHeaders.includes(name))
  return [allowedHeaders, ...more.slice(0, 10)].join(', ')
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { awayRetrySeconds } from '#server/platform/database/away.ts'
import { type Auth, getAuthServer } from '../auth.service.ts'
import { AccessTokenError } from '../keys/access-token.ts'
import { allowOtherOrigins } from '../protocol/api-gateway.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { readJsonObject, takeRawBodies } from '../protocol/request-body.ts'
import { callFunction, isUsableSession } from './rpc.queries.ts'
import { chooseRange, chooseShape, contentTypeOf, describeRange, readWantedCount } from './rpc-answer.ts'
import { RpcError, toRpcError } from './rpc-error.ts'
import { describeRpcCall, findRpcFunction, type RpcFunction } from './rpc-functions.ts'
import { type RpcQuery, readRpcQuery } from './rpc-query.ts'

type Role = 'anon' | 'authenticated' | 'service_role'

interface RpcCaller {
  readonly role: Role
  /** JSON that policies and functions read as `request.jwt.claims`. */
  readonly claims: string
}

declare module 'fastify' {
  interface FastifyRequest {
    rpcCaller: RpcCaller | undefined
  }
}

const allowedMethods = 'OPTIONS,GET,HEAD,POST'
const maxArgumentLength = 1000

/** Functions of the database, in PostgREST's protocol. To be registered under `/rest/v1/rpc`. */
export async function rpcRoutes(app: FastifyInstance, { auth }: { auth: Auth }): Promise<void> {
  const { parts, gateway } = getAuthServer(auth)
  allowOtherOrigins(app)
  takeRawBodies(app)
  answerErrors(app)
  app.decorateRequest('keyRole', undefined)
  app.decorateRequest('rpcCaller', undefined)
  app.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (request.method === 'OPTIONS') {
      reply.header('allow', allowedMethods)
      return
    }
    const keyRole = await gateway.admit(request, reply)
    if (!keyRole) return reply
    request.rpcCaller = await findCaller(request, keyRole)
  })

  app.post('/:name', { config: { evenReadOnly: 'the functions only read' } }, async (request, reply) => {
    // Fastify parses queries to objects; each value is unknown.
    const query = readRpcQuery(request.query as Record<string, unknown>, false)
    return answer(request, reply, readArguments(request.body), query)
  })
  // HEAD, too: the same without a body.
  app.get('/:name', async (request, reply) => {
    // Fastify parses queries to objects; each value is unknown.
    const query = readRpcQuery(request.query as Record<string, unknown>, true)
    return answer(request, reply, query.arguments, query)
  })

  async function findCaller(request: FastifyRequest, keyRole: 'anon' | 'service_role'): Promise<RpcCaller> {
    const token = /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined) return asKey(keyRole)
    // Without a session, the client also sends its API key as the bearer.
    const bearerRole = await gateway.findRole(token)
    if (bearerRole) return asKey(bearerRole)
    try {
      return { role: 'authenticated', claims: JSON.stringify(await parts.tokens.verify(token)) }
    } catch (error) {
      if (!(error instanceof AccessTokenError)) throw error
      throw error.reason === 'expired'
        ? new RpcError(401, 'PGRST303', 'JWT expired')
        : new RpcError(401, 'PGRST301', `JWT could not be verified: ${error.message}`)
    }
  }

  async function answer(
    request: FastifyRequest,
    reply: FastifyReply,
    values: Readonly<Record<string, unknown>>,
    query: RpcQuery,
  ): Promise<FastifyReply> {
    checkProfile(request)
    const shape = chooseShape(request.headers.accept)
    // The route's path has this parameter.
    const { name } = request.params as { name: string }
    const fn = findFunction(name, Object.keys(values))
    // HTTP defines ranges for reading methods only.
    const range = chooseRange(query, request.method === 'POST' ? undefined : request.headers.range)
    const { role, claims } = request.rpcCaller ?? asKey('anon')
    const call = { fn, values: toTexts(values), query, range }
    const result = await parts.database.asTokenRole(role, claims, async (tx) => {
      // An access token outlives its session by up to an hour.
      if (role === 'authenticated' && !(await isUsableSession(tx))) {
        throw new RpcError(401, 'PGRST301', 'JWT could not be verified: its session has ended')
      }
      return callFunction(tx, call)
    })
    const count = readWantedCount([request.headers.prefer].flat().join())
    const { status, contentRange } = describeRange(range, result.returned, count && result.total)
    if (count) reply.header('preference-applied', `count=${count}`)
    return reply
      .code(status)
      .header('content-range', contentRange)
      .type(contentTypeOf(shape))
      .send(shape === 'object' && fn.returns === 'rows' ? toSingleObject(result.body) : result.body)
  }
}

function asKey(role: 'anon' | 'service_role'): RpcCaller {
  return { role, claims: JSON.stringify({ role }) }
}

function readArguments(body: unknown): Readonly<Record<string, unknown>> {
  try {
    return readJsonObject(body)
  } catch (error) {
    if (!(error instanceof AuthError)) throw error
    throw new RpcError(400, 'PGRST102', error.code === 'bad_json' ? 'Empty or invalid json' : error.message)
  }
}

function findFunction(name: string, parameters: readonly string[]): RpcFunction {
  const found = findRpcFunction(name, parameters)
  if (found) return found
  const { called, searched } = describeRpcCall(
    name.slice(0, 200),
    parameters.slice(0, 20).map((part) => part.slice(0, 100)),
  )
  throw new RpcError(404, 'PGRST202', `Could not find the function ${called} in the schema cache`, {
    details: `Searched for ${searched}, but no matches were found in the schema cache.`,
  })
}

// The database casts and reports errors; a non-string value is written as JSON first, as in PostgREST.
function toTexts(values: Readonly<Record<string, unknown>>): Record<string, string | null> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (value === null || value === undefined) return [name, null]
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (text.includes('\0')) throw new RpcError(400, '22021', 'invalid byte sequence for encoding "UTF8": 0x00')
      return [name, text.slice(0, maxArgumentLength)]
    }),
  )
}

function checkProfile(request: FastifyRequest): void {
  const profile = request.headers[request.method === 'POST' ? 'content-profile' : 'accept-profile']
  if (profile === undefined || profile === 'public') return
  throw new RpcError(406, 'PGRST106', `Invalid schema: ${[profile].flat()[0]?.slice(0, 100)}`, {
    hint: 'Only the following schemas are exposed: public',
  })
}

function toSingleObject(body: string): string {
  // PostgreSQL made this text with `json_agg`: an array.
  const rows = JSON.parse(body) as unknown[]
  if (rows.length === 1) return JSON.stringify(rows[0])
  throw new RpcError(406, 'PGRST116', 'Cannot coerce the result to a single JSON object', {
    details: `The result contains ${rows.length} rows`,
  })
}

function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler((thrown, request, reply) => {
    const error = toRpcError(thrown, (request.rpcCaller?.role ?? 'anon') === 'anon')
    request.failure = { code: error.code, err: thrown }
    if (error.status === 401) {
      const isTokenFault = error.code.startsWith('PGRST')
      reply.header(
        'www-authenticate',
        isTokenFault ? `Bearer error="invalid_token", error_description="${toHeaderText(error.message)}"` : 'Bearer',
      )
    }
    if (error.status === 503) reply.header('retry-after', String(awayRetrySeconds))
    const { code, details, hint, message } = error
    reply
      .code(error.status)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify({ code, details, hint, message }))
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (allowedMethods.split(',').includes(request.method)) {
      throw new RpcError(404, 'PGRST125', 'Invalid path specified in request URL')
    }
    reply.header('allow', allowedMethods)
    throw new RpcError(405, 'PGRST101', `Cannot use the ${request.method} method on RPC`)
  })
}

function toHeaderText(text: string): string {
  return text.replaceAll(/[^ !#-[\]-~]/g, '')
}

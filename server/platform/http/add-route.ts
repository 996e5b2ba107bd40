import type { FastifyInstance, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type ErrorCode, errors, Problem } from '#contract/errors.ts'
import type { BodyOf, ParamsOf, QueryOf, RouteContract } from '#contract/route.ts'
import { admit, type Caller, type CallerLookup } from './guard.ts'
import { ProductError } from './product-error.ts'
import type { TokenBuckets } from './token-buckets.ts'

/** What a handler is given: validated, typed by the contract, and on behalf of a caller the guard let through. */
export interface Call<R extends RouteContract> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly caller: R['access'] extends { kind: 'public' } ? undefined : Caller
  readonly request: FastifyRequest
}

/** One of the contract's success replies. */
export type Reply<R extends RouteContract> = {
  [Status in keyof R['replies']]: {
    readonly status: Status
    readonly body: R['replies'][Status] extends TSchema ? Static<R['replies'][Status]> : never
    readonly headers?: Readonly<Record<string, string>>
  }
}[keyof R['replies']]

/** A reply, as handlers return it. */
export function answer<const Status extends number, Body>(
  status: Status,
  body: Body,
  headers: Readonly<Record<string, string>> = {},
): { readonly status: Status; readonly body: Body; readonly headers: Readonly<Record<string, string>> } {
  return { status, body, headers }
}

export type Handler<R extends RouteContract> = (call: Call<R>) => Promise<Reply<R>>

declare module 'fastify' {
  interface FastifyInstance {
    /** How guards learn about callers; set by {@link prepareRoutes}. */
    callerLookup: CallerLookup
    /** Calls that one user may make; set by {@link prepareRoutes}. */
    apiBuckets: TokenBuckets
    /** Every contract added so far: for method checks and for tests that walk the whole API. */
    contracts: RouteContract[]
  }
  interface FastifyRequest {
    caller: Caller | undefined
  }
}

/** What {@link addRoute} needs from the server it adds to. */
export function prepareRoutes(
  app: FastifyInstance,
  parts: { callerLookup: CallerLookup; apiBuckets: TokenBuckets },
): void {
  app.decorate('callerLookup', parts.callerLookup)
  app.decorate('apiBuckets', parts.apiBuckets)
  app.decorate('contracts', [])
  // Named once, referred to by every route: the printed document says it once, too.
  app.addSchema({ $id: 'Problem', ...Problem })
  app.decorateRequest('caller', undefined)
}

/**
 * Adds the route that a contract describes: guard, then validation, then the handler, whose reply is serialised by
 * the contract, so that what is not declared never leaves.
 *
 * @param options `helmet: false` for a route that sets its security headers itself.
 */
export function addRoute<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  handler: Handler<R>,
  options: Pick<RouteShorthandOptions, 'helmet'> = {},
): void {
  app.contracts.push(contract)
  app.route({
    ...options,
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(contract.maxBodyBytes !== undefined && { bodyLimit: contract.maxBodyBytes }),
    schema: {
      operationId: contract.operationId,
      summary: contract.summary,
      tags: [contract.tag],
      ...(contract.access.kind !== 'public' && { security: [{ accessToken: [] }] }),
      ...(contract.params && { params: contract.params }),
      ...(contract.query && { querystring: contract.query }),
      ...(contract.body && { body: contract.body }),
      response: { ...contract.replies, ...problemReplies(contract) },
    },
    // Before the body is read: a stranger's megabyte is not worth parsing.
    onRequest: async (request) => {
      request.caller = await admit(request, contract.access, app.callerLookup)
      if (request.caller && contract.rate !== 'none') spend(app.apiBuckets, request.caller.actor.userId)
    },
    handler: async (request, reply) => {
      const answer = await handler({
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        request,
        // Fastify has validated the request by the contract's schemas.
      } as unknown as Call<R>)
      // Every answer has one of the contract's statuses; the generic hides it.
      const { status, body, headers } = answer as { status: number; body: unknown; headers?: Record<string, string> }
      if (!(status in contract.replies))
        throw new Error(`${contract.operationId} answered the undeclared status ${status}`)
      reply.code(status)
      // An answer to one person must not be cached.
      if (contract.access.kind !== 'public') reply.header('cache-control', 'no-store')
      if (headers) reply.headers(headers)
      return reply.send(body)
    },
  })
}

/** @throws ProductError `rate_limited` when the key has too little left to spend. */
export function spend(buckets: TokenBuckets, key: string, count = 1): void {
  const retryAfterSeconds = buckets.take(key, count)
  if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
}

/** Error codes that a route can answer with, given how it is guarded and what it takes. */
function errorCodesOf(contract: RouteContract): ErrorCode[] {
  const codes: ErrorCode[] = [...contract.errors, 'malformed_request', 'internal_error', 'unavailable', 'uri_too_long']
  if (contract.params || contract.query || contract.body) codes.push('validation_failed')
  if (contract.body) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type')
  if (contract.rate !== 'none') codes.push('rate_limited')
  if (contract.access.kind !== 'public')
    codes.push('unauthenticated', 'token_expired', 'user_banned', 'email_not_verified')
  if (contract.access.kind === 'organization') codes.push('organization_not_found', 'permission_denied')
  return [...new Set(codes)]
}

function problemReplies(contract: RouteContract): Record<number, object> {
  const codesByStatus = Map.groupBy(errorCodesOf(contract), (code) => errors[code].status)
  return Object.fromEntries(
    [...codesByStatus].map(([status, codes]) => [
      status,
      { description: codes.join(', '), content: { 'application/problem+json': { schema: { $ref: 'Problem#' } } } },
    ]),
  )
}

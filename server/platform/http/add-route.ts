import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type ErrorCode, errors, Problem } from '#contract/errors.ts'
import type { Access, BodyOf, ParamsOf, QueryOf, RouteContract } from '#contract/route.ts'
import type { AnswerOnce } from '../idempotency/answer-once.ts'
import { compressAnswer } from './compress-answer.ts'
import { admit, type Caller, type CallerLookup, recordForeignUse } from './guard.ts'
import { judgeImpersonation } from './judge-impersonation.ts'
import { admitKey, type KeyCaller, type KeyLookup } from './key-guard.ts'
import { ProductError } from './product-error.ts'
import type { TokenBuckets } from './token-buckets.ts'

type CallerOf<A extends Access> = A extends { kind: 'public' }
  ? undefined
  : A extends { kind: 'api_key' }
    ? KeyCaller
    : Caller

/** What a handler is given: validated, typed by the contract, and on behalf of a caller the guard let through. */
export interface Call<R extends RouteContract> {
  readonly params: ParamsOf<R>
  readonly query: QueryOf<R>
  readonly body: BodyOf<R>
  readonly caller: CallerOf<R['access']>
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

interface AnyReply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export type Handler<R extends RouteContract> = (call: Call<R>) => Promise<Reply<R>>

declare module 'fastify' {
  interface FastifyInstance {
    /** How guards learn about callers; set by {@link prepareRoutes}. */
    callerLookup: CallerLookup
    /** How guards learn about API keys; set by {@link prepareRoutes}. */
    keyLookup: KeyLookup
    /** Answers a retry of a named request as before; set by {@link prepareRoutes}. */
    answerOnce: AnswerOnce
    /** Calls that one user may make; set by {@link prepareRoutes}. */
    apiBuckets: TokenBuckets
    /** Calls that one API key may make; set by {@link prepareRoutes}. */
    keyBuckets: TokenBuckets
    /** Every contract added so far: for method checks and for tests that walk the whole API. */
    contracts: RouteContract[]
  }
  interface FastifyRequest {
    caller: Caller | KeyCaller | undefined
  }
}

/** What {@link addRoute} needs from the server it adds to. */
export function prepareRoutes(
  app: FastifyInstance,
  parts: {
    callerLookup: CallerLookup
    keyLookup: KeyLookup
    answerOnce: AnswerOnce
    apiBuckets: TokenBuckets
    keyBuckets: TokenBuckets
  },
): void {
  app.decorate('callerLookup', parts.callerLookup)
  app.decorate('keyLookup', parts.keyLookup)
  app.decorate('answerOnce', parts.answerOnce)
  app.decorate('keyBuckets', parts.keyBuckets)
  app.decorate('apiBuckets', parts.apiBuckets)
  app.decorate('contracts', [])
  // Named once, referred to by every route: the printed document says it once, too.
  app.addSchema({ $id: 'Problem', ...Problem })
}

/**
 * Adds the route that a contract describes: guard, then validation, then the handler, whose reply is serialised by
 * the contract, so that what is not declared never leaves.
 *
 * @param options `helmet: false` for a route that sets its security headers itself; `evenReadOnly`: why it is served while the
 * instance is read-only, though its method is none that only reads.
 */
export function addRoute<const R extends RouteContract>(
  app: FastifyInstance,
  contract: R,
  handler: Handler<R>,
  { evenReadOnly, ...options }: Pick<RouteShorthandOptions, 'helmet'> & { evenReadOnly?: string } = {},
): void {
  app.contracts.push(contract)
  app.route({
    ...options,
    ...(evenReadOnly !== undefined && { config: { evenReadOnly } }),
    method: contract.method,
    url: contract.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    ...(contract.maxBodyBytes !== undefined && { bodyLimit: contract.maxBodyBytes }),
    schema: {
      operationId: contract.operationId,
      summary: contract.summary,
      tags: [contract.tag],
      ...(contract.access.kind !== 'public' && {
        security: [contract.access.kind === 'api_key' ? { apiKey: [] } : { accessToken: [] }],
      }),
      ...(contract.params && { params: contract.params }),
      ...(contract.headers && { headers: contract.headers }),
      ...(contract.query && { querystring: contract.query }),
      ...(contract.body && { body: contract.body }),
      response: { ...contract.replies, ...problemReplies(contract) },
    },
    // Before the body is read: a stranger's megabyte is not worth parsing.
    onRequest: async (request, reply) => {
      const { access } = contract
      if (access.kind === 'api_key') {
        const caller = await admitKey(request, reply, access.scope, app.keyLookup)
        request.caller = caller
        spendOfKey(app.keyBuckets, caller, reply)
        return
      }
      request.caller = await admit(request, { ...contract, access }, app.callerLookup)
      if (request.caller && contract.rate !== 'none') spend(app.apiBuckets, payerOf(request.caller))
    },
    // After validation, and after the origin is known.
    preHandler: async (request) => {
      const { caller } = request
      if (caller && 'role' in caller) await recordForeignUse(request, caller, contract.operationId, app.callerLookup)
    },
    onSend: compressAnswer,
    handler: async (request, reply) => {
      const { params, query, body: sent, caller } = request
      // Fastify has validated the request by the contract's schemas.
      const call = { params, query, body: sent, caller, request } as unknown as Call<R>
      const run = async (): Promise<AnyReply> => {
        // Every answer has one of the contract's statuses; the generic hides it.
        return (await handler(call)) as AnyReply
      }
      const isOnce = contract.method === 'POST' && caller && 'keyId' in caller
      const { status, body, headers } = await (isOnce ? app.answerOnce(request, caller, run) : run())
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

/** Whose limit a call counts against: a superadmin spends nothing of the person they act as. */
export function payerOf({ actor }: Caller): string {
  return actor.impersonation?.superadminId ?? actor.userId
}

/** @throws ProductError `rate_limited` when the key has too little left to spend. */
export function spend(buckets: TokenBuckets, key: string, count = 1): void {
  const retryAfterSeconds = buckets.take(key, count)
  if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
}

/**
 * Counts a call of a key, and says in the answer what is left (draft-ietf-httpapi-ratelimit-headers-10, structured fields):
 * `q` calls in `w` seconds; `r` are left, and in `t` seconds all are back.
 *
 * @throws ProductError `rate_limited`.
 */
function spendOfKey(buckets: TokenBuckets, { keyId }: KeyCaller, reply: FastifyReply): void {
  const retryAfterSeconds = buckets.take(keyId)
  const { capacity, refillSeconds, left, fullInSeconds } = buckets.describe(keyId)
  reply.header('ratelimit-policy', `"key";q=${capacity};w=${refillSeconds}`)
  reply.header('ratelimit', `"key";r=${left};t=${fullInSeconds}`)
  if (retryAfterSeconds !== undefined) throw new ProductError('rate_limited', { retryAfterSeconds })
}

/** Error codes that a route can answer with, given how it is guarded and what it takes. */
function errorCodesOf(contract: RouteContract): ErrorCode[] {
  const codes: ErrorCode[] = [...contract.errors, 'malformed_request', 'internal_error', 'unavailable', 'uri_too_long']
  if (contract.params || contract.headers || contract.query || contract.body) codes.push('validation_failed')
  if (contract.body) codes.push('malformed_json', 'body_too_large', 'unsupported_media_type')
  if (contract.method !== 'GET') codes.push('read_only')
  if (contract.rate !== 'none') codes.push('rate_limited')
  if (contract.access.kind === 'api_key')
    codes.push(
      'api_key_required',
      'api_key_invalid',
      'api_key_revoked',
      'api_key_expired',
      'scope_missing',
      'organization_suspended',
    )
  else if (contract.access.kind !== 'public')
    codes.push('unauthenticated', 'token_expired', 'user_banned', 'email_not_verified', 'impersonation_ended')
  if (contract.access.kind === 'api_key' && contract.method === 'POST')
    codes.push('idempotency_key_reused', 'request_in_progress')
  codes.push(...impersonationCodesOf(contract))
  if (contract.access.kind === 'superadmin') codes.push('permission_denied')
  if (contract.access.kind === 'organization') {
    codes.push('organization_not_found', 'permission_denied')
    if (!contract.access.evenClosed) codes.push('organization_closed')
    if (contract.access.evenSuspended !== 'members') codes.push('organization_suspended')
  }
  return [...new Set(codes)]
}

function impersonationCodesOf(contract: RouteContract): ErrorCode[] {
  if (contract.access.kind === 'public' || contract.access.kind === 'api_key') return []
  const verdict = judgeImpersonation(contract, 'read_only')
  if (verdict === 'refused') return ['impersonation_refused']
  return verdict === 'read_only' ? ['impersonation_read_only'] : []
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

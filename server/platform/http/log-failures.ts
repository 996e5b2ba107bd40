import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Log } from '../log/log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What an error handler answered, for the log. */
    failure: Failure | undefined
    /** Whose access token it is, also where access was refused. */
    verifiedUserId: string | undefined
  }
}

interface Failure {
  readonly code: string
  /** The thrown error, where it tells more than the code. */
  readonly err?: unknown
}

/** Refusals that have a line of their own, per second. More would be an attack on the log. */
const refusalsPerSecond = 20
/** Ordinary answers to crawlers, and to a browser whose token has expired. */
const quietCodes = new Set(['route_not_found', 'method_not_allowed', 'not_found'])
/** Visitors' requests: a refused submission is counted by what refuses it. */
const visitorsPath = '/e/'

/**
 * Writes one line for each answer of 5xx, and for each refusal that someone may ask about: who was refused what, by the
 * request id that the answer names. Addresses are those of routes, without ids and parameters.
 */
export function logFailures(app: FastifyInstance, log: Log): void {
  let second = 0
  let count = 0
  let unlogged = 0

  function mayLog(): boolean {
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) {
      if (unlogged > 0) log.info({ unlogged }, `${unlogged} more refused requests`)
      second = now
      count = 0
      unlogged = 0
    }
    count += 1
    if (count <= refusalsPerSecond) return true
    unlogged += 1
    return false
  }

  app.decorateRequest('failure', undefined)
  app.decorateRequest('verifiedUserId', undefined)
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply
    // A full disk refuses every visitor: that is noticed once, by what measures it.
    const isVisitorOnFullDisk = statusCode === 507 && request.url.startsWith(visitorsPath)
    if (isVisitorOnFullDisk || request.failure?.code === 'read_only') return done()
    if (statusCode >= 500) logFailure(log, request, reply)
    else if (statusCode >= 400 && isWorthALine(request, statusCode) && mayLog()) logFailure(log, request, reply)
    done()
  })
}

function isWorthALine({ failure, url }: FastifyRequest, status: number): boolean {
  if (!failure || url.startsWith(visitorsPath) || quietCodes.has(failure.code)) return false
  return status !== 401 || failure.code.startsWith('api_key')
}

function logFailure(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { caller, failure, id: requestId, method, routeOptions, verifiedUserId } = request
  const code = failure?.code ?? `status ${reply.statusCode}`
  const keyId = caller && 'keyId' in caller ? caller.keyId : undefined
  const userId = keyId === undefined ? (caller?.actor.userId ?? verifiedUserId) : undefined
  const organizationId = caller?.actor.organizationId
  const fields = {
    requestId,
    method,
    route: routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime),
    ...(userId !== undefined && { userId }),
    ...(keyId !== undefined && { keyId }),
    ...(organizationId !== undefined && { organizationId }),
  }
  // A full disk or a reached limit is no fault of the request's code.
  if (reply.statusCode === 507) log.warn(fields, `request refused: ${code}`)
  else if (reply.statusCode >= 500) log.error({ ...fields, err: failure?.err }, `request failed: ${code}`)
  else log.info(fields, `request refused: ${code}`)
}

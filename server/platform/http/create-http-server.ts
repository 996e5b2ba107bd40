import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import { withOrigin } from '../database/request-origin.ts'
import type { Log } from '../log/log.ts'
import { stripBasePath } from './base-path.ts'
import { describeOrigin } from './describe-origin.ts'
import { readJsonBodies } from './json-body.ts'
import { logFailures } from './log-failures.ts'
import { ProductError, toProblem } from './product-error.ts'
import { toProductError } from './to-product-error.ts'
import { formatNames, validatorCompiler } from './validation.ts'

export interface HttpServerOptions {
  readonly log: Log
  /** Proxies (CIDR) whose X-Forwarded-* headers are trusted. Empty: none. */
  readonly trustProxy: readonly string[]
  /** The path below which the product is reached, e.g. `/feedback`. Default: none. */
  readonly basePath?: string
  /** Aborted once the server was told to stop: each answer then ends its connection, so that the next finds another server. */
  readonly stopping: AbortSignal
}

/**
 * Answers a request before anything else looks at it, or leaves it alone. For answers that must cost as little as possible:
 * no hook runs, no header is added, nothing is logged. A request with more than one Host header is not offered.
 *
 * @returns whether it has answered.
 */
export type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => boolean

declare module 'fastify' {
  interface FastifyInstance {
    earlyAnswers: EarlyAnswer[]
  }
}

const requestTimeoutMs = 60_000
/** Fastify's own, longer than proxies keep theirs. */
const keepAliveTimeoutMs = 72_000
/** Retry-After of a 503 whose sender named no time. */
const retryAfterSeconds = 2

/** A Fastify server with the product's manners: request ids, validation, and every error as a problem document. */
export function createHttpServer({ log, trustProxy, stopping, basePath = '' }: HttpServerOptions): FastifyInstance {
  const earlyAnswers: EarlyAnswer[] = []
  const app = Fastify({
    loggerInstance: log,
    serverFactory: (handle) => createNodeServer(handle, { earlyAnswers, stopping, basePath }),
    // One line per request would be noise; failures are logged below, durations go to the metrics.
    logController: new LogController({ disableRequestLogging: true }),
    // The id is ours: a caller's own could forge lines in the log.
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    trustProxy: trustProxy.length > 0 ? [...trustProxy] : false,
    bodyLimit: 1024 * 1024,
    // What leaves was checked when it came in; its formats need only be known, or each is warned of.
    serializerOpts: { ajv: { formats: Object.fromEntries(formatNames.map((name) => [name, true as const])) } },
    schemaController: { compilersFactory: { buildSerializer: buildLateSerializer } },
    forceCloseConnections: 'idle',
    // A request that arrives on a kept connection while the server closes is answered like any other.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 1000, ignoreDuplicateSlashes: false, ignoreTrailingSlash: false },
    frameworkErrors: (error, request, reply) => {
      // `frameworkErrors` gives a reply of the default types.
      sendError(error, request.id, reply as unknown as FastifyReply)
    },
    clientErrorHandler: refuseBrokenRequest,
    // Our logger makes the instance generic in it; nothing reads that type.
  }) as unknown as FastifyInstance

  app.decorate('earlyAnswers', earlyAnswers)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('isOfAccount', false)
  app.setValidatorCompiler(validatorCompiler)
  readJsonBodies(app)
  // Fastify hands it to the error handler as it is.
  app.setSchemaErrorFormatter((fields) => fields[0] as unknown as Error)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Node keeps the first of several. A proxy in front may have decided by another.
    if (countHosts(request.raw.rawHeaders) > 1) {
      done(new ProductError('malformed_request', { detail: 'The request has more than one Host header.' }))
    } else done()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const location = basePath !== '' && reply.getHeader('location')
    // Routes name addresses of our own without the base path.
    if (typeof location === 'string' && /^\/(?!\/)/.test(location)) reply.header('location', basePath + location)
    if (reply.statusCode === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', retryAfterSeconds)
    done()
  })
  // After the body was read, whose events belong to the connection and not to the request.
  app.addHook('preHandler', (request, _reply, done) => withOrigin(describeOrigin(request), done))
  logFailures(app, log)
  app.setErrorHandler((error, request, reply) => {
    request.failure = sendError(error, request.id, reply)
  })
  return app
}

type BuildSerializer = ReturnType<typeof SerializerSelector>

/** Compiles the schema of an answer when it is first given: compiling those of all routes took a third of the start. */
const buildLateSerializer: BuildSerializer = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options)
  return (route) => {
    let compiled: ReturnType<typeof compile> | undefined
    return (value) => {
      compiled ??= compile(route)
      return compiled(value)
    }
  }
}

function createNodeServer(
  handle: RequestListener,
  parts: { earlyAnswers: readonly EarlyAnswer[]; stopping: AbortSignal; basePath: string },
): Server {
  const { earlyAnswers, stopping, basePath } = parts
  const options = { requestTimeout: requestTimeoutMs, keepAliveTimeout: keepAliveTimeoutMs }
  return createServer(options, (request, response) => {
    if (stopping.aborted) response.shouldKeepAlive = false
    request.url = stripBasePath(request.url ?? '/', basePath)
    if (countHosts(request.rawHeaders) <= 1) {
      for (const answerEarly of earlyAnswers) if (answerEarly(request, response)) return
    }
    handle(request, response)
  })
}

/** @param rawHeaders names and values in turn, as they came. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

/** @returns what the log should say of it. */
function sendError(thrown: unknown, requestId: string, reply: FastifyReply): FastifyRequest['failure'] {
  const error = toProductError(thrown)
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(error, requestId)))
  return { code: error.code, err: error.cause ?? thrown }
}

/** Answers bytes that are no HTTP request. There is no request object yet, so the reply is written by hand. */
function refuseBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = toProblem(
    new ProductError(error.code === 'HPE_HEADER_OVERFLOW' ? 'uri_too_long' : 'malformed_request', {
      ...(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && { detail: 'The request took too long to arrive.' }),
    }),
    randomUUID(),
  )
  const body = JSON.stringify(problem)
  const statusText = problem.status === 414 ? 'URI Too Long' : 'Bad Request'
  socket.end(
    `HTTP/1.1 ${problem.status} ${statusText}\r\ncontent-type: application/problem+json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

/** Answers what no route matched: 405 where the address exists for another method, else 404. */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const patterns = app.contracts.map(({ method, path }) => ({
    method,
    // The parts between parameters are our own and hold nothing special but dots.
    pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }))
  app.setNotFoundHandler(async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    // Compared only: another method is not in the list.
    if (methods.length === 0 || methods.includes(request.method as (typeof methods)[number])) {
      throw new ProductError('route_not_found')
    }
    reply.header('allow', [...new Set(methods)].join(', '))
    throw new ProductError('method_not_allowed')
  })
}

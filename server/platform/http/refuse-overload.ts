import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProductError, toProblem } from './product-error.ts'

const retryAfterSeconds = 5

/** Made once: an error with its stack would be a large part of a refusal's cost. */
const overloaded = new ProductError('unavailable')

/**
 * Answers 503 itself, with the headers that the reply has so far. Beyond what a server sustains most answers are
 * refusals, and each takes from the work on what is accepted: errors are logged one by one, and Fastify's way of
 * sending takes as long as all the rest. Neither runs after this.
 */
export function refuseOverload(request: FastifyRequest, reply: FastifyReply): void {
  const body = JSON.stringify(toProblem(overloaded, request.id))
  // Fastify’s type lists each known header as undefined.
  const headers = reply.getHeaders() as OutgoingHttpHeaders
  reply.hijack()
  reply.raw
    .writeHead(overloaded.status, {
      ...headers,
      'content-type': 'application/problem+json; charset=utf-8',
      // ASCII: the table's words and a UUID.
      'content-length': body.length,
      'cache-control': 'no-store',
      'retry-after': String(retryAfterSeconds),
    })
    .end(body, 'latin1')
}

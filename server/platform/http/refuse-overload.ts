import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProductError, toProblem } from './product-error.ts'

const retryAfterSeconds = 5

/** Made once: an error with its stack would be a large part of a refusal's cost. */
const overloaded = new ProductError('unavailable')

/**
 * Answers 503 without the way of errors, which logs each: beyond what a server sustains, most answers are refusals.
 */
export function refuseOverload(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply
    .code(overloaded.status)
    .headers({ 'retry-after': retryAfterSeconds, 'cache-control': 'no-store' })
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(toProblem(overloaded, request.id)))
}

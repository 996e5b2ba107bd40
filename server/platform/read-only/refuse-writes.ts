import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ReadOnly, refuseWrite } from './read-only.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why the route is served while the instance is read-only, though its method is none that only reads. */
    evenReadOnly?: string
  }
}

/** Says in every answer that the instance is read-only, so that open pages learn it from whatever they ask next. */
const readOnlyHeader = 'earshot-read-only'

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Refuses every write while the instance is read-only, of all routes that are added afterwards: after guards and headers of
 * the route, so that strangers learn no more than usual and pages of other origins can read the answer; before the body
 * is read.
 */
export function refuseWrites(app: FastifyInstance, readOnly: Pick<ReadOnly, 'current'>): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const mode = readOnly.current()
    if (mode === undefined || !isWrite(request)) done(null, payload)
    else done(refuseWrite(mode))
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (readOnly.current()) reply.header(readOnlyHeader, '1')
    done()
  })
}

function isWrite({ method, is404, routeOptions }: FastifyRequest): boolean {
  return !readingMethods.has(method) && !is404 && routeOptions.config.evenReadOnly === undefined
}

import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'
import { type Readiness, type ReadyChecks, runChecks } from './run-checks.ts'

export interface HealthOptions {
  readonly checks: ReadyChecks
  readonly log: Log
  /** True once a shutdown began, before the server closes: load balancers get time to look away. */
  readonly isStopping?: () => boolean
  readonly timeoutMs?: number
}

/** `GET /health`: the process answers. `GET /ready`: it can do its work, 503 when it can't or is about to stop. */
export function addHealth(app: FastifyInstance, { checks, log, isStopping, timeoutMs = 2_000 }: HealthOptions): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.get('/health', (_request, reply) => {
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK')
  })

  // One round at a time, shared by all who ask meanwhile: anyone may call this, and each round costs a query.
  let current: Promise<Readiness> | undefined
  app.get('/ready', async (_request, reply) => {
    current ??= runChecks(checks, timeoutMs, log).finally(() => {
      current = undefined
    })
    const readiness = await current
    const stopping = isClosing || isStopping?.() === true
    const status = stopping ? 'stopping' : readiness.isReady ? 'ready' : 'not_ready'
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, checks: readiness.results })
  })
}

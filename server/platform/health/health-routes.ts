import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'
import { type Checks, type Readiness, runChecks } from './run-checks.ts'

export interface HealthOptions {
  readonly checks: Checks
  readonly log: Log
  /** True once a shutdown began, before the server closes, so that load balancers can stop sending requests. */
  readonly isStopping?: () => boolean
  readonly timeoutMs?: number
}

/** `GET /health`: the process runs. `GET /ready`: it can serve requests, 503 when it can't or is about to stop. */
export function addHealth(app: FastifyInstance, { checks, log, isStopping, timeoutMs = 2_000 }: HealthOptions): void {
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })

  app.get('/health', (_request, reply) => {
    reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('OK')
  })

  // One round at a time, shared by concurrent requests: anyone may call this, and each round costs a query.
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

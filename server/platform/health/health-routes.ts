import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'
import { type Checks, type Readiness, runChecks } from './run-checks.ts'

export interface HealthOptions {
  readonly checks: Checks
  readonly log: Log
  /** Aborted once the server was told to stop, before it closes: load balancers then send requests elsewhere. */
  readonly stopping: AbortSignal
  readonly timeoutMs?: number
}

/** `GET /health`: the process runs. `GET /ready`: it can serve requests, 503 when it can't or is about to stop. */
export function addHealth(app: FastifyInstance, { checks, log, stopping, timeoutMs = 2_000 }: HealthOptions): void {
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
    const status = stopping.aborted ? 'stopping' : readiness.isReady ? 'ready' : 'not_ready'
    return reply
      .code(status === 'ready' ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, checks: readiness.results })
  })
}

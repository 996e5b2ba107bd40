import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-logs.ts'
import type { Places } from '#server/platform/admission/places.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { eventStreamHeaders } from '#server/platform/http/event-stream.ts'
import { isStillSuperadmin } from '#server/platform/http/guard.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Logs } from './logs.service.ts'

const retryAfterSeconds = 15

/** @param places for followers, by user. */
export function logsRoutes(app: FastifyInstance, logs: Logs, places: Places): void {
  addRoute(app, contract.listLogs, async ({ query }) => answer(200, await logs.search(query)))
  addRoute(app, contract.getLogStatus, async () => answer(200, await logs.readStatus()))
  addRoute(app, contract.exportLogs, async ({ body }) =>
    // A stream is sent as it is; the contract can only call it text.
    answer(200, (await logs.export(body)) as unknown as string, {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': `attachment; filename="logs-${new Date().toISOString().slice(0, 10)}.ndjson"`,
    }),
  )
  addRoute(app, contract.followLogs, async ({ query, caller, request }) => {
    const leave = places.take(caller.actor.userId)
    if (typeof leave === 'string') throw new ProductError('too_many_streams', { retryAfterSeconds })
    try {
      const stream = logs.follow({
        filters: query,
        endsAtMs: Number(caller.actor.claims.exp ?? 0) * 1000,
        mayFollow: () => isStillSuperadmin(app.callerLookup, caller.actor),
      })
      stream.on('close', leave)
      request.raw.on('close', () => stream.destroy())
      // A stream is sent as it is; the contract can only call it text.
      return answer(200, stream as unknown as string, eventStreamHeaders)
    } catch (error) {
      leave()
      throw error
    }
  })
}

import type { FastifyInstance } from 'fastify'
import { announcePresence } from '#contract/presence.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { PresenceBoard } from './presence.service.ts'

export function presenceRoutes(app: FastifyInstance, presence: PresenceBoard): void {
  addRoute(app, announcePresence, async ({ params, body, caller }) =>
    answer(200, { others: await presence.announce(caller.actor, params.organizationId, body) }),
  )
}

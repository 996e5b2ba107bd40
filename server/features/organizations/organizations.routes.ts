import type { FastifyInstance } from 'fastify'
import {
  acceptInvitation,
  createInvitation,
  getInvitation,
  listInvitations,
  listMembers,
  revokeInvitation,
} from '#contract/organizations.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import type { Invitations } from './invitations.service.ts'
import type { Members } from './members.service.ts'

export function organizationsRoutes(
  app: FastifyInstance,
  { invitations, members }: { invitations: Invitations; members: Members },
): void {
  addRoute(app, listMembers, async ({ params, caller }) =>
    answer(200, { items: await members.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, listInvitations, async ({ params, caller }) =>
    answer(200, { items: await invitations.list(caller.actor, params.organizationId) }),
  )

  addRoute(app, createInvitation, async ({ params, body, caller }) =>
    answer(201, await invitations.create(caller.actor, params.organizationId, body)),
  )

  addRoute(app, revokeInvitation, async ({ params, caller }) => {
    await invitations.revoke(caller.actor, params.organizationId, params.invitationId)
    return answer(204, null)
  })

  addRoute(app, getInvitation, async ({ params }) =>
    // It may be withdrawn at any moment, and the link is a secret.
    answer(200, await invitations.get(params.token), { 'cache-control': 'no-store' }),
  )

  addRoute(app, acceptInvitation, async ({ params, caller }) =>
    answer(200, await invitations.accept(caller.actor, params.token)),
  )
}

import type { FastifyInstance } from 'fastify'
import {
  acceptInvitation,
  createInvitation,
  createInvitationLink,
  createInvitations,
  getInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
} from '#contract/invitations.ts'
import { changeMemberRole, leaveOrganization, listMembers, removeMember, transferOwnership } from '#contract/members.ts'
import { getOrganization, removeLogo, setLogo, updateOrganization } from '#contract/organizations.ts'
import { isUuid } from '#contract/uuid.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import type { Invitations } from './invitations.service.ts'
import type { Members } from './members.service.ts'
import type { OrganizationProfiles } from './profile.service.ts'

export function organizationsRoutes(
  app: FastifyInstance,
  parts: { invitations: Invitations; members: Members; profiles: OrganizationProfiles },
): void {
  memberRoutes(app, parts.members)
  invitationRoutes(app, parts.invitations)
  profileRoutes(app, parts.profiles)
}

function memberRoutes(app: FastifyInstance, members: Members): void {
  addRoute(app, listMembers, async ({ params, query, caller }) =>
    answer(200, await members.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, changeMemberRole, async ({ params, body, caller }) =>
    answer(
      200,
      await members.changeRole(caller.actor, params.organizationId, { userId: params.userId, role: body.role }),
    ),
  )

  addRoute(app, removeMember, async ({ params, caller }) => {
    await members.remove(caller.actor, params.organizationId, params.userId)
    return answer(204, null)
  })

  addRoute(app, leaveOrganization, async ({ params, caller }) => {
    await members.leave(caller.actor, params.organizationId)
    return answer(204, null)
  })

  addRoute(app, transferOwnership, async ({ params, body, caller }) =>
    answer(200, await members.transferOwnership(caller.actor, params.organizationId, body.userId)),
  )
}

function invitationRoutes(app: FastifyInstance, invitations: Invitations): void {
  addRoute(app, listInvitations, async ({ params, query, caller }) =>
    answer(200, await invitations.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, createInvitation, async ({ params, body, caller }) =>
    answer(201, await invitations.create(caller.actor, params.organizationId, body)),
  )

  addRoute(app, createInvitations, async ({ params, body, caller }) =>
    answer(201, { items: await invitations.createMany(caller.actor, params.organizationId, body) }),
  )

  addRoute(app, resendInvitation, async ({ params, caller }) =>
    answer(200, await invitations.resend(caller.actor, params.organizationId, params.invitationId)),
  )

  addRoute(app, createInvitationLink, async ({ params, caller }) =>
    answer(200, await invitations.createLink(caller.actor, params.organizationId, params.invitationId)),
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

function profileRoutes(app: FastifyInstance, profiles: OrganizationProfiles): void {
  addRoute(app, getOrganization, async ({ params, caller }) =>
    answer(200, await profiles.get(caller.actor, params.organizationId)),
  )

  addRoute(app, updateOrganization, async ({ params, body, caller }) =>
    answer(200, await profiles.update(caller.actor, params.organizationId, body)),
  )

  addRoute(app, setLogo, async ({ params, body, caller }) =>
    answer(200, { logoUrl: await profiles.setLogo(caller.actor, params.organizationId, body) }),
  )

  addRoute(app, removeLogo, async ({ params, caller }) => {
    await profiles.removeLogo(caller.actor, params.organizationId)
    return answer(204, null)
  })

  // Bytes, so no contract. The URL is the permission: an `img` sends no token.
  app.get('/api/v1/logos/:logoId', { schema: { hide: true } }, async (request, reply) => {
    // The route's path has this parameter.
    const { logoId } = request.params as { logoId: string }
    const logo = isUuid(logoId) ? await profiles.findLogo(logoId) : undefined
    if (!logo) throw new ProductError('route_not_found')
    return (
      reply
        .type(logo.mime)
        .header('cache-control', 'public, max-age=31536000, immutable')
        // An `img` shows it all the same; opened by itself, it is saved and never runs.
        .header('content-disposition', 'attachment')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .send(logo.bytes)
    )
  })
}

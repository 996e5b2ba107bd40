import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/superadmin-users.ts'
import { addDownload } from '#server/platform/events/csv-download.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { describeClient } from '#server/platform/http/describe-origin.ts'
import type { UserActs } from './user-acts.service.ts'
import type { Users } from './users.service.ts'

export function usersRoutes(app: FastifyInstance, users: Users, acts: UserActs): void {
  addRoute(app, contract.listInstanceUsers, async ({ query }) => answer(200, await users.list(query)))
  addRoute(app, contract.getInstanceUser, async ({ params }) => answer(200, await users.get(params.accountId)))
  addRoute(app, contract.confirmInstanceUser, async ({ params }) => answer(200, await acts.confirm(params.accountId)))
  addRoute(app, contract.banInstanceUser, async ({ caller, params, body }) =>
    answer(200, await acts.ban(caller.actor.userId, params.accountId, body)),
  )
  addRoute(app, contract.unbanInstanceUser, async ({ params }) => answer(200, await acts.unban(params.accountId)))
  addRoute(app, contract.signOutInstanceUser, async ({ caller, params }) =>
    answer(200, { endedSessions: await acts.signOut(caller.actor.userId, params.accountId) }),
  )
  addRoute(app, contract.sendPasswordReset, async ({ params, request }) => {
    await acts.sendPasswordReset(params.accountId, describeClient(request.ip, request.headers['user-agent']))
    return answer(204, null)
  })
  addRoute(app, contract.grantSuperadmin, async ({ params, body }) =>
    answer(200, await acts.makeSuperadmin(params.accountId, body.reason)),
  )
  addRoute(app, contract.revokeSuperadmin, async ({ caller, params }) =>
    answer(200, await acts.removeSuperadmin(caller.actor.userId, params.accountId)),
  )
  addDownload(app, contract.exportInstanceUsers, ({ body }) => users.export(body))
}

import type { FastifyInstance } from 'fastify'
import {
  getNotificationPreferences,
  getSubscription,
  listNotifications,
  markNotifications,
  updateMailContent,
  updateNotificationPreferences,
  updateSubscription,
} from '#contract/notifications.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Notifications } from './preferences.service.ts'
import type { Subscriptions } from './subscriptions.service.ts'

export function notificationsRoutes(
  app: FastifyInstance,
  parts: { notifications: Notifications; subscriptions: Subscriptions; publicBuckets: TokenBuckets },
): void {
  const { notifications, subscriptions, publicBuckets } = parts

  addRoute(app, listNotifications, async ({ params, query, caller }) =>
    answer(200, await notifications.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, markNotifications, async ({ params, body, caller }) => {
    await notifications.mark(caller.actor, params.organizationId, body)
    return answer(204, null)
  })

  addRoute(app, getNotificationPreferences, async ({ params, caller }) =>
    answer(200, await notifications.getPreferences(caller.actor, params.organizationId)),
  )

  addRoute(app, updateNotificationPreferences, async ({ params, body, caller }) =>
    answer(200, await notifications.updatePreferences(caller.actor, params.organizationId, body)),
  )

  addRoute(app, updateMailContent, async ({ params, body, caller }) => {
    await notifications.updateMailContent(caller.actor, params.organizationId, body.mailsHoldWords)
    return answer(204, null)
  })

  addRoute(app, getSubscription, async ({ params, request }) => {
    spend(publicBuckets, `subscription ${rateKeyOf(request.ip)}`)
    return answer(200, await subscriptions.get(params.subscriptionToken), { 'cache-control': 'no-store' })
  })

  addRoute(app, updateSubscription, async ({ params, body, request }) => {
    spend(publicBuckets, `subscription ${rateKeyOf(request.ip)}`)
    return answer(200, await subscriptions.update(params.subscriptionToken, body.isSubscribed), {
      'cache-control': 'no-store',
    })
  })

  // One click in the mailbox (RFC 8058, section 3.2): the mailbox's server posts a form to the address of the email's
  // unsubscribe header, where a browser gets a page. The form's content is constant.
  app.register(async (inner) => {
    inner.removeAllContentTypeParsers()
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4096 }, (_request, _body, done) => done(null))
    inner.post<{ Params: { token: string } }>(
      '/unsubscribe/:token',
      { schema: { hide: true } },
      async (request, reply) => {
        spend(publicBuckets, `subscription ${rateKeyOf(request.ip)}`)
        await subscriptions.update(request.params.token, false)
        return reply.code(204).header('cache-control', 'no-store').send()
      },
    )
  })
}

import type { FastifyInstance } from 'fastify'
import { getFeedback, updateFeedback, watchFeedback } from '#contract/feedback.ts'
import { countFeedback, listFeedback } from '#contract/inbox.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { isStillAllowed } from '#server/platform/http/guard.ts'
import { openEventStream } from './event-stream.ts'
import type { Feedback } from './feedback.service.ts'
import type { FeedbackFeed } from './feedback-feed.ts'

export function feedbackRoutes(app: FastifyInstance, parts: { feedback: Feedback; feed: FeedbackFeed }): void {
  const { feedback, feed } = parts

  addRoute(app, listFeedback, async ({ params, query, caller }) =>
    answer(200, await feedback.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, countFeedback, async ({ params, query, caller }) =>
    answer(200, await feedback.count(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getFeedback, async ({ params, caller }) =>
    answer(200, await feedback.get(caller.actor, params.organizationId, params.feedbackId)),
  )

  addRoute(app, updateFeedback, async ({ params, body, caller }) =>
    answer(200, await feedback.update(caller.actor, params.organizationId, params.feedbackId, body)),
  )

  addRoute(app, watchFeedback, async ({ params, caller, request }) => {
    const organizationId = params.organizationId.toLowerCase()
    const stream = openEventStream(feed, {
      organizationId,
      userId: caller.actor.userId,
      endsAtMs: Number(caller.actor.claims.exp ?? 0) * 1000,
      mayFollow: () => isStillAllowed(app.callerLookup, watchFeedback.access, caller.actor, organizationId),
    })
    request.raw.on('close', () => stream.destroy())
    // A stream is sent as it is; the contract can only call it text.
    return answer(200, stream as unknown as string, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
      // When the stream ends, so does the connection: kept alive, it would hold up a server that stops.
      connection: 'close',
    })
  })
}

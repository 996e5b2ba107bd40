import type { FastifyInstance } from 'fastify'
import { getFeedback, updateFeedback, watchFeedback } from '#contract/feedback.ts'
import { countFeedback, countMatches, groupFeedback, listFeedback } from '#contract/inbox.ts'
import type { Places } from '#server/platform/admission/places.ts'
import { addRoute, answer, payerOf } from '#server/platform/http/add-route.ts'
import { eventStreamHeaders } from '#server/platform/http/event-stream.ts'
import { isStillAllowed } from '#server/platform/http/guard.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { openEventStream } from './event-stream.ts'
import type { Feedback } from './feedback.service.ts'
import type { FeedbackFeed } from './feedback-feed.ts'

interface FeedbackParts {
  readonly feedback: Feedback
  readonly feed: FeedbackFeed
  /** Places for event streams, by user. */
  readonly places: Places
}

const retryAfterSeconds = 15
/** An impersonation also ends with the superadmin's session or account, of which no one is told. */
const impersonatedCheckMs = 2_000

export function feedbackRoutes(app: FastifyInstance, { feedback, feed, places }: FeedbackParts): void {
  addRoute(app, listFeedback, async ({ params, query, caller }) =>
    answer(200, await feedback.list(caller.actor, params.organizationId, query)),
  )

  addRoute(app, countFeedback, async ({ params, query, caller }) =>
    answer(200, await feedback.count(caller.actor, params.organizationId, query)),
  )

  addRoute(app, countMatches, async ({ params, query, caller }) =>
    answer(200, { count: await feedback.countMatches(caller.actor, params.organizationId, query) }),
  )

  addRoute(app, groupFeedback, async ({ params, query, caller }) =>
    answer(200, await feedback.countGroups(caller.actor, params.organizationId, query)),
  )

  addRoute(app, getFeedback, async ({ params, caller }) =>
    answer(200, await feedback.get(caller.actor, params.organizationId, params.feedbackId)),
  )

  addRoute(app, updateFeedback, async ({ params, body, caller }) =>
    answer(200, await feedback.update(caller.actor, params.organizationId, params.feedbackId, body)),
  )

  addRoute(app, watchFeedback, async ({ params, caller, request }) => {
    const organizationId = params.organizationId.toLowerCase()
    const leave = places.take(payerOf(caller))
    if (leave === 'owner_full') throw new ProductError('too_many_streams', { retryAfterSeconds })
    if (leave === 'full') throw new ProductError('unavailable', { retryAfterSeconds })
    const stream = openEventStream(feed, {
      organizationId,
      userId: caller.actor.userId,
      ...(caller.actor.impersonation && { checkEveryMs: impersonatedCheckMs }),
      endsAtMs: Number(caller.actor.claims.exp ?? 0) * 1000,
      mayFollow: () => isStillAllowed(app.callerLookup, watchFeedback.access, caller.actor, organizationId),
    })
    stream.on('close', leave)
    request.raw.on('close', () => stream.destroy())
    // A stream is sent as it is; the contract can only call it text.
    return answer(200, stream as unknown as string, eventStreamHeaders)
  })
}

import type { FastifyInstance } from 'fastify'
import { addComment } from '#contract/conversation.ts'
import { addAnswer, getConversation } from '#contract/visitor-conversation.ts'
import { addRoute, answer, spend } from '#server/platform/http/add-route.ts'
import { rateKeyOf, type TokenBuckets } from '#server/platform/http/token-buckets.ts'
import type { Answers } from './answers.service.ts'
import type { Comments } from './comments.service.ts'

export interface ConversationParts {
  readonly comments: Comments
  readonly answers: Answers
  /** Calls that one address may make without an account. */
  readonly visitorBuckets: TokenBuckets
}

// The conversation is private: no cache may keep it, and no later page may get its address as referrer.
const privately = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' }

export function conversationRoutes(app: FastifyInstance, parts: ConversationParts): void {
  const { comments, answers, visitorBuckets } = parts

  addRoute(app, addComment, async ({ params, body, caller }) => {
    const { organizationId, feedbackId } = params
    const { comment, isNew } = await comments.add(caller.actor, organizationId, feedbackId, body)
    return isNew ? answer(201, comment) : answer(200, comment, { 'idempotent-replayed': 'true' })
  })

  addRoute(app, getConversation, async ({ params, request }) => {
    // Apart from answers: pages that read the conversation again never hold up what a visitor sends.
    spend(visitorBuckets, `read ${rateKeyOf(request.ip)}`)
    return answer(200, await answers.get(params.token), privately)
  })

  addRoute(app, addAnswer, async ({ params, body, request }) => {
    spend(visitorBuckets, rateKeyOf(request.ip))
    const { message, isNew } = await answers.add(params.token, body)
    return isNew
      ? answer(201, message, privately)
      : answer(200, message, { ...privately, 'idempotent-replayed': 'true' })
  })
}

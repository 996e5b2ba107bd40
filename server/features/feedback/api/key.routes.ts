import type { FastifyInstance } from 'fastify'
import type { FeedbackDetail } from '#contract/feedback.ts'
import {
  apiAddComment,
  apiChangeMany,
  apiCreateFeedback,
  apiGetFeedback,
  apiListEvents,
  apiListFeedback,
  apiUpdateFeedback,
} from '#contract/public-api.ts'
import type { Database } from '#server/platform/database/database.ts'
import { addRoute, answer } from '#server/platform/http/add-route.ts'
import { ProductError } from '#server/platform/http/product-error.ts'
import { chooseId } from '#server/platform/idempotency/answer-once.ts'
import type { Quotas } from '../../quotas/quotas.service.ts'
import type { WidgetFeature } from '../../widget/widget.feature.ts'
import type { BulkOperations } from '../bulk/bulk.service.ts'
import type { Comments } from '../conversation/comments.service.ts'
import type { Feedback } from '../feedback.service.ts'
import { readKeyEvents } from './key-events.ts'
import { requireOpenProject, toSubmission } from './new-item.ts'

interface KeyParts {
  readonly database: Database
  readonly feedback: Feedback
  readonly comments: Comments
  readonly operations: Pick<BulkOperations, 'start'>
  readonly store: WidgetFeature['storeFromApi']
  readonly quotas: Pick<Quotas, 'require'>
}

const defaultEvents = 50

/** Items for programs: the services behind the dashboard's routes, as a key of one project. */
export function keyRoutes(
  app: FastifyInstance,
  { database, feedback, comments, operations, store, quotas }: KeyParts,
): void {
  addRoute(app, apiListFeedback, async ({ query, caller }) => {
    const own = { ...query, projectId: [caller.projectId] }
    const { items, nextCursor } = await feedback.list(caller.actor, caller.organizationId, own)
    return answer(200, { items, nextCursor })
  })

  addRoute(app, apiCreateFeedback, async ({ body, caller, request }) => {
    await quotas.require({ kind: 'submission' })
    await database.withTenant(caller.actor, (tx) => requireOpenProject(tx, caller))
    const receipt = await store(caller, toSubmission(body, chooseId(request, caller)))
    return answer(201, receipt, { location: `/api/v1/feedback/${receipt.id}` })
  })

  addRoute(app, apiGetFeedback, async ({ params, caller }) =>
    answerItem(await feedback.get(caller.actor, caller.organizationId, params.feedbackId)),
  )

  addRoute(app, apiUpdateFeedback, async ({ params, body, caller, request }) => {
    const version = readVersion(request.headers['if-match'])
    const change = { ...body, ...(version !== undefined && { version }) }
    try {
      return answerItem(await feedback.update(caller.actor, caller.organizationId, params.feedbackId, change))
    } catch (error) {
      if (error instanceof ProductError && error.code === 'edit_conflict') throw new ProductError('precondition_failed')
      throw error
    }
  })

  addRoute(app, apiChangeMany, async ({ body, caller, request }) => {
    const id = chooseId(request, caller)
    const { operation } = await operations.start(caller.actor, caller.organizationId, { id, ...body })
    return answer(200, { found: operation.total, changed: operation.changed })
  })

  addRoute(app, apiListEvents, async ({ query: { cursor, limit = defaultEvents }, caller }) =>
    answer(200, await readKeyEvents(database, caller, { cursor, limit })),
  )

  addRoute(app, apiAddComment, async ({ params, body, caller, request }) => {
    const id = chooseId(request, caller)
    const { comment } = await comments.add(caller.actor, caller.organizationId, params.feedbackId, { ...body, id })
    return answer(201, comment)
  })
}

function answerItem(item: FeedbackDetail) {
  return answer(200, item, { etag: `"${item.version}"` })
}

/**
 * The version that an If-Match names (RFC 9110, section 13.1.1); undefined: any.
 *
 * @throws ProductError `precondition_failed` for a tag that no item has.
 */
function readVersion(header: string | undefined): number | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  // Weak where the answer that stated it was compressed: versions are the same either way.
  const version = Number(/^\s*(?:W\/)?"([1-9]\d{0,8})"\s*$/.exec(header)?.[1] ?? Number.NaN)
  if (Number.isNaN(version)) throw new ProductError('precondition_failed')
  return version
}

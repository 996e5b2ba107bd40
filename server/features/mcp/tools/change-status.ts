import Type from 'typebox'
import { ClosedReason, FeedbackStatus } from '#contract/feedback.ts'
import { nullable } from '#contract/nullable.ts'
import { Uuid } from '#contract/text.ts'
import type { Feedback } from '#server/features/feedback/feedback.service.ts'
import { defineTool } from '../tool.ts'

export const createChangeStatus = (feedback: Pick<Feedback, 'update'>) =>
  defineTool({
    name: 'change_status',
    title: 'Change the status',
    description:
      'Set the status of a feedback item. With the version that you read, a change by someone else since is kept and this call fails.',
    input: Type.Object(
      {
        id: Uuid,
        status: FeedbackStatus,
        /** Only with the status closed. */
        closedReason: Type.Optional(ClosedReason),
        version: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647 })),
      },
      { additionalProperties: false },
    ),
    output: Type.Object({
      id: Uuid,
      status: FeedbackStatus,
      closedReason: nullable(ClosedReason),
      version: Type.Integer(),
    }),
    writes: true,
    run: async ({ actor, organizationId }, { id, ...change }) => {
      const item = await feedback.update(actor, organizationId, id, change)
      return {
        content: { id: item.id, status: item.status, closedReason: item.closedReason, version: item.version },
      }
    },
  })

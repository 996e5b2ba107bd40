import Type from 'typebox'
import { v7 as uuidV7 } from 'uuid'
import { maxCommentLength } from '#contract/conversation.ts'
import { lines, Timestamp, Uuid } from '#contract/text.ts'
import type { FeedbackServices } from '#server/features/feedback/feedback.feature.ts'
import { defineTool } from '../tool.ts'

/** Notes alone: a reply is emailed to the person who wrote the item, and hostile text could have an agent send it data. */
export const createAddNote = (comments: FeedbackServices['comments']) =>
  defineTool({
    name: 'add_note',
    title: 'Add a note',
    description:
      'Write an internal note on a feedback item for the team. Visitors never see notes; agents can’t reply to visitors.',
    input: Type.Object(
      { id: Uuid, text: lines({ minLength: 1, maxLength: maxCommentLength }) },
      { additionalProperties: false },
    ),
    output: Type.Object({ id: Uuid, createdAt: Timestamp }),
    writes: true,
    run: async ({ actor, organizationId }, { id, text }) => {
      const note = { id: uuidV7(), kind: 'note', text } as const
      const { comment } = await comments.add(actor, organizationId, id, note)
      return { content: { id: comment.id, createdAt: comment.createdAt } }
    },
  })

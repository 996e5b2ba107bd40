import Type from 'typebox'
import { Uuid } from '#contract/text.ts'
import type { FeedbackServices } from '#server/features/feedback/feedback.feature.ts'
import { AgentRelatedItem, toRelatedItem } from '../agent-item.ts'
import { defineTool } from '../tool.ts'

export const createFindSimilar = (merges: FeedbackServices['merges']) =>
  defineTool({
    name: 'find_similar_feedback',
    title: 'Find similar items',
    description: 'List items of the same project whose messages share the most words with an item, at most five.',
    input: Type.Object({ id: Uuid }, { additionalProperties: false }),
    output: Type.Object({
      items: Type.Array(
        Type.Object({
          ...AgentRelatedItem.properties,
          /** Share of words that the two messages have in common, 0 to 1. */
          likeness: Type.Number(),
        }),
      ),
    }),
    writes: false,
    run: async ({ actor, organizationId }, { id }) => ({
      content: {
        items: (await merges.listSimilar(actor, organizationId, id)).map(({ likeness, ...item }) => ({
          ...toRelatedItem(item),
          likeness,
        })),
      },
    }),
  })

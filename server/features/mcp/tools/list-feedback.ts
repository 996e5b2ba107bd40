import Type, { type Static } from 'typebox'
import type { FeedbackQuery } from '#contract/inbox.ts'
import { FeedbackQuery as QuerySchema } from '#contract/inbox.ts'
import { nullable } from '#contract/nullable.ts'
import { line, Uuid } from '#contract/text.ts'
import type { Feedback } from '#server/features/feedback/feedback.service.ts'
import { AgentListItem, toListItem } from '../agent-item.ts'
import { Quotation, quote } from '../quote.ts'
import { type AgentCaller, defineTool } from '../tool.ts'

const { status, priority, type, source, media, rating, tag, location, unanswered, sort, cursor } =
  QuerySchema.properties

const filters = {
  projectId: Type.Optional(Uuid),
  ...{ status, priority, type, source, media, rating, tag, unanswered },
  /** Default: inbox. Spam is listed where it is asked for, and nowhere else. */
  location,
  sort,
  /** `nextCursor` of the previous page, with the same other arguments. */
  cursor,
  /** Default: 20. */
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
}
const ListInput = Type.Object(filters, { additionalProperties: false })
const SearchInput = Type.Object(
  { query: line({ minLength: 1, maxLength: 200 }), ...filters },
  { additionalProperties: false },
)

const page = {
  items: Type.Array(AgentListItem),
  /** Pass it as `cursor` for the next page; null: this is the last one. */
  nextCursor: nullable(Type.String()),
}

const defaultLimit = 20

export const createListFeedback = (feedback: Pick<Feedback, 'list'>) =>
  defineTool({
    name: 'list_feedback',
    title: 'List feedback',
    description:
      'List feedback items, newest first. Filters are combined; several values of one filter are alternatives. Lists the inbox unless you name another location.',
    input: ListInput,
    output: Type.Object(page),
    writes: false,
    run: async (caller, input) => {
      const { items, nextCursor } = await list(feedback, caller, input)
      return { content: { items: items.map(toListItem), nextCursor } }
    },
  })

export const createSearchFeedback = (feedback: Pick<Feedback, 'list'>) =>
  defineTool({
    name: 'search_feedback',
    title: 'Search feedback',
    description:
      'Find feedback items that contain all words of a query, in message, page address and visitor; mistyped words are searched for as well. Takes the filters of list_feedback.',
    input: SearchInput,
    output: Type.Object({
      ...page,
      /** Words that were searched for beside those of the query. */
      similarWords: Type.Array(Quotation),
    }),
    writes: false,
    run: async (caller, { query, ...input }) => {
      const { items, nextCursor, similarWords } = await list(feedback, caller, input, query)
      const words = Object.values(similarWords).flat()
      return {
        content: {
          items: items.map(toListItem),
          nextCursor,
          similarWords: words.map((word) => quote('unknown', word)),
        },
      }
    },
  })

async function list(
  feedback: Pick<Feedback, 'list'>,
  caller: AgentCaller,
  { projectId = caller.projectId, limit = defaultLimit, ...selection }: Static<typeof ListInput>,
  q?: string,
) {
  const query: FeedbackQuery = {
    ...selection,
    limit,
    ...(q !== undefined && { q }),
    ...(projectId !== undefined && { projectId: [projectId] }),
  }
  return feedback.list(caller.actor, caller.organizationId, query)
}

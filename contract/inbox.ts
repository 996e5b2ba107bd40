import Type, { type Static } from 'typebox'
import { FeedbackListItem } from './feedback.ts'
import { selectionFields } from './filters.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'

/** `updated`: last changed by the team. `priority`: highest first, newest first within. */
export const inboxSorts = ['newest', 'oldest', 'updated', 'priority'] as const
export type InboxSort = (typeof inboxSorts)[number]

/** Which items: what the list shows, what is changed together, and what is exported. */
export const FeedbackSelection = Type.Object(selectionFields, { additionalProperties: false })
export type FeedbackSelection = Static<typeof FeedbackSelection>

export const FeedbackQuery = Type.Object(
  {
    ...selectionFields,
    /** Default: newest. */
    sort: Type.Optional(Type.Enum([...inboxSorts])),
    /** `nextCursor` of the previous page. */
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  },
  { additionalProperties: false },
)
export type FeedbackQuery = Static<typeof FeedbackQuery>

export const listFeedback = route({
  operationId: 'listFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback',
  summary: 'List feedback, newest first unless asked otherwise',
  tag: 'feedback',
  params: OrganizationParams,
  query: FeedbackQuery,
  replies: {
    200: Type.Object({
      items: Type.Array(FeedbackListItem),
      nextCursor: nullable(Type.String()),
      /** Words that were searched for beside a word of `q` that is not known: `{"chekout": ["checkout"]}`. */
      similarWords: Type.Record(Type.String(), Type.Array(Type.String())),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

/** Counting ends here: `countLimit` means that many or more. */
export const countLimit = 1000

const Counts = Type.Record(Type.String(), Type.Integer())

export const countFeedback = route({
  operationId: 'countFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/counts',
  summary: 'Count items by location and, in one location, by each value of each filter, up to a limit',
  tag: 'feedback',
  params: OrganizationParams,
  query: Type.Object(
    {
      projectId: selectionFields.projectId,
      /** Whose values are counted. Default: the inbox. */
      location: selectionFields.location,
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      /** Items by location, of at most `limit`. */
      locations: Counts,
      unread: Type.Integer(),
      status: Counts,
      priority: Counts,
      type: Counts,
      source: Counts,
      media: Counts,
      rating: Counts,
      /** By tag as it is mostly written, at most 100 of the most used. */
      tag: Counts,
      /** By user id, and `none`. */
      assignee: Counts,
      /** By project id, whatever projects were asked for. */
      project: Counts,
      /** Items in the trash of all projects, however many: what emptying it removes. */
      inTrash: Type.Integer(),
      limit: Type.Integer(),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

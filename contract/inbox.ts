import Type, { type Static } from 'typebox'
import { FeedbackListItem } from './feedback.ts'
import { selectionFields } from './filters.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line } from './text.ts'

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

/** Work that is still open, and work that is done: status `resolved` or `closed`. */
export const inboxStages = ['open', 'done'] as const
export type InboxStage = (typeof inboxStages)[number]

/** Counting the items of a selection ends here: `matchLimit` means that many or more. */
export const matchLimit = 10_000

const Counts = Type.Record(Type.String(), Type.Integer())

export const countFeedback = route({
  operationId: 'countFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/counts',
  summary: 'Count items by location and, in one location, by each value of each filter',
  tag: 'feedback',
  params: OrganizationParams,
  query: Type.Object(
    {
      projectId: selectionFields.projectId,
      /** Whose values are counted. Default: the inbox. */
      location: selectionFields.location,
      /** In the inbox: only values of open or of done items. */
      stage: Type.Optional(Type.Enum([...inboxStages])),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      locations: Counts,
      /** Open and done items of the inbox, which together are `locations.inbox`. */
      stages: Type.Object({ open: Type.Integer(), done: Type.Integer() }),
      /** For the caller; counting ends at `matchLimit`. */
      unread: Type.Integer({ maximum: matchLimit }),
      unanswered: Type.Integer(),
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
      /** Whether issues can be created: an issue tracker is connected and active. Inboxes without one ask for no issues. */
      hasTracker: Type.Boolean(),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

export const countMatches = route({
  operationId: 'countMatches',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/matches',
  summary: 'Count the items of a selection, up to a limit',
  tag: 'feedback',
  params: OrganizationParams,
  query: FeedbackSelection,
  replies: { 200: Type.Object({ count: Type.Integer({ maximum: matchLimit }) }) },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

/** What a list can be grouped by. `day`: when an item came. Of each, an item has one value. */
export const inboxGroupings = ['status', 'priority', 'type', 'assignee', 'project', 'day'] as const
export type InboxGrouping = (typeof inboxGroupings)[number]

export const groupFeedback = route({
  operationId: 'groupFeedback',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/feedback/groups',
  summary: 'Count the items of a selection by the values that a list is grouped by',
  tag: 'feedback',
  params: OrganizationParams,
  query: Type.Object(
    {
      ...selectionFields,
      by: Type.Enum([...inboxGroupings]),
      /** Where days begin, as an IANA name. Default: UTC. */
      timeZone: Type.Optional(line({ minLength: 1, maxLength: 64 })),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      /** In no order. Assignees by user id, or `none`; projects by id; days as `YYYY-MM-DD`. */
      groups: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() })),
      /** False: counting ended at `matchLimit`. Each group then has that many items or more; of days, earlier ones are missing. */
      isComplete: Type.Boolean(),
    }),
  },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

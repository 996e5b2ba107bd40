import Type, { type Static } from 'typebox'
import {
  FeedbackListItem,
  FeedbackPlace,
  FeedbackPriority,
  FeedbackSource,
  FeedbackStatus,
  FeedbackType,
  Tag,
} from './feedback.ts'
import { attachmentKinds } from './files.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** What an item consists of: words, a rating, or files of a kind. */
export const mediaKinds = ['text', 'rating', ...attachmentKinds] as const
export type MediaKind = (typeof mediaKinds)[number]

/** `updated`: what the team touched last. `priority`: the most pressing first, newest first within. */
export const inboxSorts = ['newest', 'oldest', 'updated', 'priority'] as const
export type InboxSort = (typeof inboxSorts)[number]

const OrganizationParams = Type.Object({ organizationId: Uuid })
const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** A filter may be given once or several times (`status=new&status=open`): any of the values matches. */
const filter = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Array(schema, { minItems: 1, maxItems: 20 }))

const filters = {
  projectId: filter(Uuid),
  status: filter(FeedbackStatus),
  priority: filter(FeedbackPriority),
  type: filter(FeedbackType),
  source: filter(FeedbackSource),
  media: filter(Type.Enum([...mediaKinds])),
  rating: filter(Type.Integer({ minimum: 1, maximum: 5 })),
  /** In any letter case. */
  tag: filter(Tag),
  /** Members' user ids, or `none` for what nobody looks after. */
  assignee: filter(Type.Union([Uuid, Type.Literal('none')])),
  /** True: only what nobody has opened yet. */
  unread: Type.Optional(Type.Literal(true)),
  /** Who the site said the visitor is, or, for those it did not name, their address. */
  visitor: Type.Optional(line({ minLength: 1, maxLength: 254 })),
  /** Came at this time or later. */
  from: Type.Optional(Timestamp),
  /** Came before this time. */
  to: Type.Optional(Timestamp),
  /** Default: the inbox. */
  place: Type.Optional(FeedbackPlace),
  /** Words to find in message, answers, page, and the visitor's name and address; the last may be a beginning. */
  q: Type.Optional(line({ maxLength: 200 })),
}

/** Which items: what the list shows, what is changed together, and what is exported. */
export const FeedbackSelection = Type.Object(filters, { additionalProperties: false })
export type FeedbackSelection = Static<typeof FeedbackSelection>

export const FeedbackQuery = Type.Object(
  {
    ...filters,
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
  summary: 'Count what lies in each place, and in one place by each value of each filter, up to a limit',
  tag: 'feedback',
  params: OrganizationParams,
  query: Type.Object(
    {
      projectId: filter(Uuid),
      /** Whose values are counted. Default: the inbox. */
      place: Type.Optional(FeedbackPlace),
    },
    { additionalProperties: false },
  ),
  replies: {
    200: Type.Object({
      /** Items by place, of at most `limit`. */
      places: Counts,
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

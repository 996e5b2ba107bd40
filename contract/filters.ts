import Type, { type TSchema } from 'typebox'
import {
  type FeedbackListItem,
  FeedbackLocation,
  FeedbackPriority,
  FeedbackSource,
  FeedbackStatus,
  FeedbackType,
  feedbackPriorities,
  feedbackSources,
  feedbackStatuses,
  feedbackTypes,
  Tag,
} from './feedback.ts'
import { attachmentKinds } from './files.ts'
import { line, Timestamp, Uuid } from './text.ts'

/*
 * What an item can be filtered by: the only place that says so. The API's selection, the browser's matching, the facet
 * tokens that are searched for and the counts by value are made from this table; the server's SQL conditions stand in
 * `selection.queries.ts`, one per name. A property test holds SQL, tokens and browser against each other.
 */

/** What an item contains: text, a rating, or files of a kind. An NPS answer is no rating: it has a scale and charts of its own. */
export const mediaKinds = ['text', 'rating', ...attachmentKinds] as const
export type MediaKind = (typeof mediaKinds)[number]

const ratings = [1, 2, 3, 4, 5] as const

/** The location of a selection that names none. */
export const defaultLocation = 'inbox'

/** What the filters read of an item. */
export type FilterableItem = Pick<
  FeedbackListItem,
  | 'projectId'
  | 'status'
  | 'priority'
  | 'type'
  | 'source'
  | 'excerpt'
  | 'attachmentKinds'
  | 'rating'
  | 'tags'
  | 'assigneeId'
  | 'unread'
  | 'visitorId'
  | 'visitorEmail'
  | 'joinedVisitors'
  | 'lastReplyBy'
  | 'createdAt'
  | 'location'
>

/** A text without its letter case. The database's own rules where it is asked, {@link lowerCase} elsewhere. */
export type LowerCase = (text: string) => string
type Value = string | number | boolean
type KnownValues = readonly (string | number)[] | undefined

/** A filter by facet tokens: an item matches a value when it has one of the value's tokens. */
interface TokenFilter<Field extends TSchema, Values extends KnownValues> {
  /** What the API takes. */
  readonly field: Field
  /** All values there are, where that is known. */
  readonly values: Values
  /** Tokens of an item, as column `feedback.facets` contains them behind their prefix. */
  readonly readTokens: (item: FilterableItem, lower: LowerCase) => readonly string[]
  /** Tokens of which one is enough. */
  readonly toTokens: (value: Value, lower: LowerCase) => readonly string[]
}

/** A filter that no token stands for. Absent `matches`: only the server can tell. */
interface PlainFilter<Field extends TSchema> {
  readonly field: Field
  readonly matches?: (item: FilterableItem, value: string) => boolean
}

/** Given once or several times (`status=new&status=open`): any of the values matches. */
const many = <T extends Parameters<typeof Type.Array>[0]>(schema: T) =>
  Type.Optional(Type.Array(schema, { minItems: 1, maxItems: 20 }))

/** A value's token is a letter and the value. Ids may come in capitals. */
function byToken<Field extends TSchema, Values extends KnownValues>(
  letter: string,
  field: Field,
  read: (item: FilterableItem) => Value | null,
  values: Values,
): TokenFilter<Field, Values> {
  return {
    field,
    values,
    readTokens: (item) => {
      const value = read(item)
      return value === null ? [] : [`${letter}${value}`]
    },
    toTokens: (value) => [`${letter}${value}`.toLowerCase()],
  }
}

/** Whether a visitor waits for an answer: they left an address, or wrote again, and the team has not replied since. */
export function isUnanswered({
  lastReplyBy,
  visitorEmail,
}: Pick<FilterableItem, 'lastReplyBy' | 'visitorEmail'>): boolean {
  return lastReplyBy === 'visitor' || (lastReplyBy === null && visitorEmail !== null && visitorEmail !== '')
}

const toRatingToken = (rating: Value) => `r${rating}`

export const filterTable = {
  projectId: byToken('j', many(Uuid), (item) => item.projectId, undefined),
  status: byToken('s', many(FeedbackStatus), (item) => item.status, feedbackStatuses),
  priority: byToken('p', many(FeedbackPriority), (item) => item.priority, feedbackPriorities),
  type: byToken('k', many(FeedbackType), (item) => item.type, feedbackTypes),
  source: byToken('o', many(FeedbackSource), (item) => item.source, feedbackSources),
  media: {
    field: many(Type.Enum([...mediaKinds])),
    values: mediaKinds,
    readTokens: ({ excerpt, rating, attachmentKinds: kinds }) => [
      ...kinds.map((kind) => `m${kind}`),
      ...(excerpt === '' ? [] : ['mtext']),
      ...(rating === null ? [] : [toRatingToken(rating)]),
    ],
    // Every rating is one of five: a token of its own would be written with every item and find nothing more.
    toTokens: (kind) => (kind === 'rating' ? ratings.map(toRatingToken) : [`m${kind}`]),
  },
  rating: byToken('r', many(Type.Integer({ minimum: 1, maximum: 5 })), (item) => item.rating, ratings),
  /** In any letter case. */
  tag: {
    field: many(Tag),
    values: undefined,
    readTokens: ({ tags }, lower) => tags.map((tag) => `t${lower(tag)}`),
    toTokens: (tag, lower) => [`t${lower(String(tag))}`],
  },
  /** Members' user ids, or `none` for unassigned items. */
  assignee: byToken(
    'a',
    many(Type.Union([Uuid, Type.Literal('none')])),
    (item) => item.assigneeId ?? 'none',
    undefined,
  ),
  /** True: only items that are unread for the caller. No token: each member has read others. */
  unread: {
    field: Type.Optional(Type.Literal(true)),
    matches: (item) => item.unread,
  },
  /** True: only items that {@link isUnanswered}. */
  unanswered: {
    field: Type.Optional(Type.Literal(true)),
    values: undefined,
    readTokens: (item) => (isUnanswered(item) ? ['unanswered'] : []),
    toTokens: () => ['unanswered'],
  },
  /**
   * The visitor's id as the site gave it, or the address of a visitor without one, in any letter case. Any key of a
   * joined visitor stands for all of them: the server asks for their tokens, and items in the browser have them.
   */
  visitor: {
    field: Type.Optional(line({ minLength: 1, maxLength: 254 })),
    values: undefined,
    readTokens: ({ visitorId, visitorEmail, joinedVisitors = [] }, lower) => {
      const own = visitorId !== null ? [`v${visitorId}`] : visitorEmail ? [`e${lower(visitorEmail)}`] : []
      return [...own, ...joinedVisitors.flatMap((key) => [`v${key}`, `e${lower(key)}`])]
    },
    toTokens: (visitor, lower) => [`v${visitor}`, `e${lower(String(visitor))}`],
  },
  /** Created at this time or later. */
  from: {
    field: Type.Optional(Timestamp),
    matches: (item, from) => Date.parse(item.createdAt) >= Date.parse(from),
  },
  /** Created before this time. */
  to: {
    field: Type.Optional(Timestamp),
    matches: (item, to) => Date.parse(item.createdAt) < Date.parse(to),
  },
  /** Default: {@link defaultLocation}. */
  location: {
    field: Type.Optional(FeedbackLocation),
    matches: (item, location) => item.location === location,
  },
  /** Words to find in message, answers, page, and the visitor's name and address; the last may be a beginning. */
  q: { field: Type.Optional(line({ maxLength: 200 })) },
} satisfies Record<string, TokenFilter<TSchema, KnownValues> | PlainFilter<TSchema>>

type Filters = typeof filterTable
export type FilterName = keyof Filters
/** Filters that facet tokens stand for. */
export type TokenFilterName = {
  [Name in FilterName]: Filters[Name] extends TokenFilter<TSchema, KnownValues> ? Name : never
}[FilterName]
type Fields = { [Name in FilterName]: Filters[Name]['field'] }

// The names are those of the table, which `Object.entries` forgets.
const filterNames = Object.keys(filterTable) as FilterName[]

/** Fields of the API by which items are selected. */
// `Object.fromEntries` forgets which name belongs to which field.
export const selectionFields = Object.fromEntries(filterNames.map((name) => [name, filterTable[name].field])) as Fields

type Asked = { readonly [Name in FilterName]?: Value | readonly Value[] | undefined }

function isByToken(name: FilterName): name is TokenFilterName {
  return 'toTokens' in filterTable[name]
}

/** Groups of facet tokens: an item belongs to a selection when it has one of each. Location, times and words are apart. */
export function toTokenGroups(selection: Asked, lower: LowerCase): string[][] {
  return filterNames.filter(isByToken).flatMap((name) => {
    const asked = selection[name]
    if (asked === undefined) return []
    return [[...new Set([asked].flat().flatMap((value) => filterTable[name].toTokens(value, lower)))]]
  })
}

/** The facet tokens that an item has. */
export function readTokens(item: FilterableItem, lower: LowerCase = lowerCase): Set<string> {
  return new Set(filterNames.filter(isByToken).flatMap((name) => filterTable[name].readTokens(item, lower)))
}

/** Tells which items belong to a selection, as the server would, but for words (`q`), which every item passes. */
export function createMatcher(selection: Asked): (item: FilterableItem) => boolean {
  const groups = toTokenGroups(selection, lowerCase)
  const conditions = Object.entries({ ...selection, location: selection.location ?? defaultLocation }).flatMap(
    ([name, asked]) => {
      const filter: TokenFilter<TSchema, KnownValues> | PlainFilter<TSchema> | undefined =
        // The checked selection has the names of filters only.
        filterTable[name as FilterName]
      if (asked === undefined || !filter || !('matches' in filter)) return []
      return [(item: FilterableItem) => filter.matches?.(item, String(asked)) ?? true]
    },
  )
  return (item) => {
    if (!conditions.every((matches) => matches(item))) return false
    if (groups.length === 0) return true
    const tokens = readTokens(item)
    return groups.every((group) => group.some((token) => tokens.has(token)))
  }
}

/**
 * Each character's small letter, whatever stands beside it, as PostgreSQL's `lower` makes it. JavaScript's `toLowerCase`
 * ends a word with ς where the database writes σ, and makes two characters of İ, so that a tag would match in one only.
 */
export function lowerCase(text: string): string {
  return Array.from(text, (character) => String.fromCodePoint(character.toLowerCase().codePointAt(0) ?? 0)).join('')
}

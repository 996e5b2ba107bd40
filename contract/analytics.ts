import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/*
 * Numbers over time. Days are in UTC, and an item belongs to the day on which it came, whatever happened to it later.
 * Spam and trash count nowhere; what is archived or merged into another item counts, because a visitor said it.
 */

/** The longest span that can be asked for, in days: three years. */
export const maxAnalyticsDays = 1096
/** How many pages, browsers and countries are listed. */
export const topValueCount = 12

const Day = Type.String({
  pattern: '^(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  description: 'A day in UTC, e.g. 2026-01-31',
})
const Counts = Type.Array(Type.Integer())

export const AnalyticsQuery = Type.Object(
  {
    /** First day. Default: thirty days in all. */
    from: Type.Optional(Day),
    /** Last day, included. At most {@link maxAnalyticsDays} days in all. Default: today. */
    to: Type.Optional(Day),
    /** Default: all projects. */
    projectId: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 20 })),
  },
  { additionalProperties: false },
)
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

// Reaches further back than what can be asked for.
const AnyDay = Type.String()

/** What an answer is about. The previous period is as long and ends where this one begins. */
const range = {
  from: AnyDay,
  to: AnyDay,
  previousFrom: AnyDay,
  previousTo: AnyDay,
  /** The steps of everything `perStep`. Only the first may be shorter than the others. */
  steps: Type.Array(Type.Object({ from: AnyDay, to: AnyDay })),
}

const points = {
  /**
   * What everything `perPoint` is of: a step where that is a week or longer, and else the seven days that end with it.
   * The first points may reach into the previous period.
   */
  points: Type.Array(Type.Object({ from: AnyDay, to: AnyDay })),
}

/** One value of a dimension over time. */
export const AnalyticsSeries = Type.Object({
  value: Type.String(),
  total: Type.Integer(),
  previousTotal: Type.Integer(),
  perStep: Counts,
})
export type AnalyticsSeries = Static<typeof AnalyticsSeries>

const trend = {
  /** Null without any answers. */
  perPoint: Type.Array(nullable(Type.Number())),
  previousPerPoint: Type.Array(nullable(Type.Number())),
}

/**
 * How long something took, in seconds. Read from a histogram whose steps are a fifth apart: at most 10 % beside the true
 * value; what took under a minute is 30.
 */
const Duration = Type.Object({
  /** To how many items it happened so far. */
  count: Type.Integer(),
  previousCount: Type.Integer(),
  median: nullable(Type.Number()),
  p90: nullable(Type.Number()),
  previousMedian: nullable(Type.Number()),
  previousP90: nullable(Type.Number()),
  perPoint: Type.Array(
    Type.Object({ count: Type.Integer(), median: nullable(Type.Number()), p90: nullable(Type.Number()) }),
  ),
  previousMedianPerPoint: Type.Array(nullable(Type.Number())),
})
export type AnalyticsDuration = Static<typeof Duration>

export const AnalyticsTrends = Type.Object({
  ...range,
  ...points,
  items: Type.Object({
    total: Type.Integer(),
    previousTotal: Type.Integer(),
    perStep: Counts,
    previousPerStep: Counts,
  }),
  /** By current type, status and source; in the order of their lists, without empty values. */
  types: Type.Array(AnalyticsSeries),
  statuses: Type.Array(AnalyticsSeries),
  sources: Type.Array(AnalyticsSeries),
  ratings: Type.Object({
    /** By rating, 1 to 5. */
    counts: Counts,
    previousCounts: Counts,
    mean: nullable(Type.Number()),
    previousMean: nullable(Type.Number()),
    ...trend,
  }),
  nps: Type.Object({
    /** By score, 0 to 10. */
    counts: Counts,
    previousCounts: Counts,
    /** Promoters (9, 10) less detractors (0 to 6) in percent of all answers: -100 to 100. */
    score: nullable(Type.Number()),
    previousScore: nullable(Type.Number()),
    ...trend,
  }),
})
export type AnalyticsTrends = Static<typeof AnalyticsTrends>

export const getAnalyticsTrends = route({
  operationId: 'getAnalyticsTrends',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/analytics/trends',
  summary: 'Read volume, ratings and recommendations over time, beside the previous period',
  tag: 'analytics',
  params: OrganizationParams,
  query: AnalyticsQuery,
  replies: { 200: AnalyticsTrends },
  errors: [],
  access: { kind: 'organization', permission: 'view_analytics' },
  rate: 'read',
})

export const AnalyticsTimes = Type.Object({
  ...range,
  ...points,
  /** Until a member opened it, answered the visitor, and resolved or closed it. Without what was imported. */
  firstView: Duration,
  firstResponse: Duration,
  resolution: Duration,
})
export type AnalyticsTimes = Static<typeof AnalyticsTimes>

export const getAnalyticsTimes = route({
  operationId: 'getAnalyticsTimes',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/analytics/times',
  summary: 'Read how long it took until items were opened, answered and resolved, beside the previous period',
  tag: 'analytics',
  params: OrganizationParams,
  query: AnalyticsQuery,
  replies: { 200: AnalyticsTimes },
  errors: [],
  access: { kind: 'organization', permission: 'view_analytics' },
  rate: 'read',
})

const TopValues = Type.Object({
  /** The most frequent first. */
  items: Type.Array(Type.Object({ value: Type.String(), total: Type.Integer(), previousTotal: Type.Integer() })),
  /** Items with another value, or none. */
  others: Type.Integer(),
  previousOthers: Type.Integer(),
})
export type AnalyticsTopValues = Static<typeof TopValues>

export const AnalyticsOrigins = Type.Object({
  from: AnyDay,
  to: AnyDay,
  previousFrom: AnyDay,
  previousTo: AnyDay,
  /** Host and path without what names one thing: `shop.example/orders/*`. Counted from each day's 40 most frequent. */
  pages: TopValues,
  browsers: TopValues,
  /** ISO 3166 codes, by the region of the browser's language: what languages without a region hide is in `others`. */
  countries: TopValues,
})
export type AnalyticsOrigins = Static<typeof AnalyticsOrigins>

export const getAnalyticsOrigins = route({
  operationId: 'getAnalyticsOrigins',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/analytics/origins',
  summary: 'Read the pages, browsers and countries that most feedback came from',
  tag: 'analytics',
  params: OrganizationParams,
  query: AnalyticsQuery,
  replies: { 200: AnalyticsOrigins },
  errors: [],
  access: { kind: 'organization', permission: 'view_analytics' },
  rate: 'read',
})

const Stage = Type.Object({ total: Type.Integer(), previousTotal: Type.Integer(), perStep: Counts })

export const AnalyticsFunnel = Type.Object({
  ...range,
  /** Pages that asked for the widget. */
  loaded: Stage,
  /** Visitors who opened it. */
  opened: Stage,
  /** Submissions, spam included: spam is only known after reading. */
  submitted: Stage,
})
export type AnalyticsFunnel = Static<typeof AnalyticsFunnel>

export const getAnalyticsFunnel = route({
  operationId: 'getAnalyticsFunnel',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/analytics/funnel',
  summary: 'Read how many pages loaded the widget, how many visitors opened it and how many sent something',
  tag: 'analytics',
  params: OrganizationParams,
  query: AnalyticsQuery,
  replies: { 200: AnalyticsFunnel },
  errors: [],
  access: { kind: 'organization', permission: 'view_analytics' },
  rate: 'read',
})

/** The inbox as it stands now, over all days. */
export const InboxOverview = Type.Object({
  /** Open items that are unread for the caller; counting ends at 10,000. */
  unread: Type.Integer(),
  /** Status new. */
  fresh: Type.Integer(),
  /** Neither resolved nor closed. */
  unresolved: Type.Integer(),
  /** Of those, by priority. */
  priorities: Type.Record(Type.String(), Type.Integer()),
  /** Of those, the caller's. */
  assignedToYou: Type.Integer(),
  /** Of those, unassigned. */
  unassigned: Type.Integer(),
})
export type InboxOverview = Static<typeof InboxOverview>

export const getInboxOverview = route({
  operationId: 'getInboxOverview',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/analytics/overview',
  summary: 'Read the inbox summary: counts by priority and assignment',
  tag: 'analytics',
  params: OrganizationParams,
  replies: { 200: InboxOverview },
  errors: [],
  access: { kind: 'organization', permission: 'view_feedback' },
  rate: 'read',
})

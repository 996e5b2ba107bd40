import Type, { type Static } from 'typebox'
import { figurePartFilters } from './figure-parts.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/*
 * Use of the instance, by days in UTC. Each figure is defined here, once, for screen and documents, and is made of
 * organisations, which can be listed. Organisations that are permanently deleted leave all figures within a day.
 */

/** Figures of each organisation and day. */
export const usageFigures = {
  organizations: { label: 'New organisations', definition: 'Organisations created, at sign-up or later.' },
  members: {
    label: 'Members joined',
    definition:
      'People who became members, the owner of a new organisation included. Those who left since still count.',
  },
  projects: { label: 'Projects created', definition: 'Projects created. Deleted ones still count.' },
  installs: {
    label: 'Widgets installed',
    definition: 'Projects whose widget a page loaded for the first time. Trials on Earshot’s own pages don’t count.',
  },
  items: {
    label: 'Items',
    definition:
      'Feedback received on the day, from every source, without spam and trash. Later changes correct the day of receipt.',
  },
  replies: { label: 'Replies', definition: 'Replies of members to visitors. Internal notes don’t count.' },
  exports: { label: 'Exports', definition: 'Exports requested by members and API keys.' },
  integrations: {
    label: 'Integrations connected',
    definition: 'Services connected. Disconnected ones still count.',
  },
  loads: { label: 'Widget loads', definition: 'Page views on which the widget was shown, as pages report them.' },
  opens: { label: 'Widget opens', definition: 'How often visitors opened the panel.' },
  submissions: {
    label: 'Widget submissions',
    definition: 'Submissions by the widget from a project’s own pages, spam included. Tests don’t count.',
  },
} as const
export type UsageFigure = keyof typeof usageFigures
export const usageFigureNames = [
  'organizations',
  'members',
  'projects',
  'installs',
  'items',
  'replies',
  'exports',
  'integrations',
  'loads',
  'opens',
  'submissions',
] as const satisfies readonly UsageFigure[]

export const activeFigure = {
  label: 'Active organisations',
  definition:
    'Organisations that received an item, replied to a visitor or requested an export in the step. A step that reaches beyond the period counts as a whole.',
} as const

/** Steps of the activation funnel. Organisations of the period in which they signed up; each step in any order. */
export const activationSteps = {
  registered: { label: 'Registered', definition: 'Organisations created in the period.' },
  verified: { label: 'Verified', definition: 'Of these: an owner has verified the email address.' },
  project: { label: 'First project', definition: 'Of these: a project was created.' },
  installed: { label: 'Widget installed', definition: 'Of these: a page has loaded the widget.' },
  item: { label: 'First item', definition: 'Of these: has received an item that is neither spam nor trash.' },
  engaged: {
    label: 'First reply or second member',
    definition: 'Of these: a member replied to a visitor, or a second member joined.',
  },
} as const
export type ActivationStep = keyof typeof activationSteps
export const activationStepNames = [
  'registered',
  'verified',
  'project',
  'installed',
  'item',
  'engaged',
] as const satisfies readonly ActivationStep[]

export const retentionDefinition =
  'Organisations by the week (from Monday, UTC) in which they signed up, and the share of them that was active in that week and in each week after. Active: received an item, replied to a visitor or requested an export.'

/** The longest period, in days: three years. */
export const maxMetricsDays = 1096
/** Weeks of sign-up in the table of retention. */
export const retentionWeeks = 12

const Day = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$',
  description: 'A day in UTC, e.g. 2026-01-31',
})
const AnyDay = Type.String()
const Count = Type.Integer()

const Usage = Type.Object({
  organizations: Count,
  members: Count,
  projects: Count,
  installs: Count,
  items: Count,
  replies: Count,
  exports: Count,
  integrations: Count,
  loads: Count,
  opens: Count,
  submissions: Count,
})
export type Usage = Static<typeof Usage>

const Activation = Type.Object({
  registered: Count,
  verified: Count,
  project: Count,
  installed: Count,
  item: Count,
  engaged: Count,
})
export type Activation = Static<typeof Activation>

export const metricsSteps = ['day', 'week', 'month'] as const
export type MetricsStep = (typeof metricsSteps)[number]

export const MetricsReport = Type.Object({
  from: AnyDay,
  to: AnyDay,
  /** As long as the period, and just before it. */
  previousFrom: AnyDay,
  previousTo: AnyDay,
  step: Type.Enum([...metricsSteps]),
  /** The oldest first. Days of the period alone: the first and the last step may be shorter. */
  steps: Type.Array(
    Type.Object({
      from: AnyDay,
      to: AnyDay,
      usage: Usage,
      /** Organisations active in the whole step. */
      active: Count,
    }),
  ),
  totals: Usage,
  previousTotals: Usage,
  /** Active organisations of a day: the mean over the days of the period until today. */
  activeMean: Type.Number(),
  previousActiveMean: Type.Number(),
  funnel: Activation,
  previousFunnel: Activation,
  /** The latest weeks of sign-up, whatever the period. */
  cohorts: Type.Array(
    Type.Object({
      /** Its Monday. */
      week: AnyDay,
      organizations: Count,
      /** Active in the week of sign-up and in each week after, the current one last. */
      active: Type.Array(Count),
    }),
  ),
})
export type MetricsReport = Static<typeof MetricsReport>

const closed = { additionalProperties: false } as const
const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

export const getMetrics = route({
  ...superadmin,
  operationId: 'getMetrics',
  method: 'GET',
  path: '/api/v1/superadmin/metrics',
  summary: 'Read the use of the instance: figures over time, activation funnel and retention',
  query: Type.Object(
    {
      /** First day. Default: thirty days in all. */
      from: Type.Optional(Day),
      /** Last day, included. Default: today. */
      to: Type.Optional(Day),
      step: Type.Optional(Type.Enum([...metricsSteps])),
    },
    closed,
  ),
  replies: { 200: MetricsReport },
  errors: [],
  rate: 'read',
})

export const metricsPartFigures = [...usageFigureNames, 'active', ...activationStepNames] as const
export type MetricsPartFigure = (typeof metricsPartFigures)[number]

/** An organisation, and what it adds to a figure: days with activity for `active`, 1 for a step of the funnel. */
export const MetricsPart = Type.Object({
  organization: Type.Object({ id: Uuid, name: Type.String(), slug: Type.String() }),
  amount: Type.Integer(),
})
export type MetricsPart = Static<typeof MetricsPart>

const metricsParts = {
  figure: Type.Enum([...metricsPartFigures]),
  from: Day,
  to: Day,
  /** Of `active`: only organisations that signed up in the week of this Monday. */
  cohort: Type.Optional(Day),
  ...figurePartFilters,
}
const MetricsParts = Type.Object(metricsParts, closed)
export type MetricsParts = Static<typeof MetricsParts>

export const exportMetricsParts = route({
  ...superadmin,
  operationId: 'exportMetricsParts',
  method: 'POST',
  path: '/api/v1/superadmin/metrics/organizations/exports',
  summary: 'Download the organisations that a figure of the metrics is made of as CSV',
  body: MetricsParts,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const listMetricsParts = route({
  ...superadmin,
  operationId: 'listMetricsParts',
  method: 'GET',
  path: '/api/v1/superadmin/metrics/organizations',
  summary: 'List the organisations that a figure of the metrics is made of; their amounts sum to it',
  query: Type.Object(
    {
      ...metricsParts,
      cursor: Type.Optional(Type.String({ maxLength: 600 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    },
    closed,
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(MetricsPart),
      /** Of all pages. */
      total: Type.Integer(),
      count: Type.Integer(),
      nextCursor: nullable(Type.String()),
    }),
  },
  errors: [],
  rate: 'read',
})

import Type, { type Static } from 'typebox'
import { figurePartFilters } from './figure-parts.ts'
import { nullable } from './nullable.ts'
import { route } from './route.ts'
import { Uuid } from './text.ts'

/*
 * Revenue of the instance, by months in UTC. Each figure is defined here, once, for screen and documents. Those of
 * `revenueFigures` are made of organisations, whose list sums to the figure exactly: cents are whole at each of them.
 */

/** Figures that are made of organisations. `unit`: what an organisation adds. */
export const revenueFigures = {
  mrr: {
    label: 'Monthly recurring revenue',
    unit: 'cents',
    definition:
      'What paid subscriptions cost by the month at the end of the month (of the current month: now), after discounts, without tax. A payment counts from the start of the time it pays for until the next payment’s time starts, that time ends or the subscription ends. The latest payment counts while its subscription is active or past due. A payment that was refunded in full counts until its refund. A yearly price counts as a twelfth, rounded to the cent for each payment, half a cent up. Plans without payment count nothing.',
  },
  new: {
    label: 'New',
    unit: 'cents',
    definition: 'MRR at the end of the month of organisations that never had any at the end of an earlier month.',
  },
  expansion: {
    label: 'Expansion',
    unit: 'cents',
    definition: 'By how much the MRR of organisations that had some at the end of the month before has grown.',
  },
  contraction: {
    label: 'Contraction',
    unit: 'cents',
    definition:
      'By how much the MRR of organisations that had some at the end of the month before, and still have some, has shrunk.',
  },
  churn: {
    label: 'Churn',
    unit: 'cents',
    definition: 'MRR at the end of the month before of organisations that have none any more.',
  },
  reactivation: {
    label: 'Reactivation',
    unit: 'cents',
    definition:
      'MRR at the end of the month of organisations that had none at the end of the month before, but in an earlier month.',
  },
  collected: {
    label: 'Collected',
    unit: 'cents',
    definition: 'Paid in the month, without tax. Credit that was used up is no payment.',
  },
  refunded: {
    label: 'Refunded',
    unit: 'cents',
    definition: 'Refunded in the month, without tax, whenever it was paid.',
  },
  trialsStarted: {
    label: 'Trials started',
    unit: 'organisations',
    definition: 'Organisations created in the month with a trial.',
  },
  trialsConverted: {
    label: 'Trials converted',
    unit: 'organisations',
    definition: 'Of the trials that started in the month, those that have paid for a plan since.',
  },
} as const
export type RevenueFigure = keyof typeof revenueFigures
export const revenueFigureNames = [
  'mrr',
  'new',
  'expansion',
  'contraction',
  'churn',
  'reactivation',
  'collected',
  'refunded',
  'trialsStarted',
  'trialsConverted',
] as const satisfies readonly RevenueFigure[]

/** Figures that are calculated from others. */
export const derivedRevenueFigures = {
  customers: {
    label: 'Customers',
    definition: 'Organisations with MRR at the end of the month: as many as the list of MRR has.',
  },
  arpa: { label: 'Average revenue per account', definition: 'MRR divided by customers, rounded to the cent.' },
  logoChurn: {
    label: 'Logo churn',
    definition: 'Organisations in the list of churn, divided by the customers at the end of the month before.',
  },
  ltv: {
    label: 'Customer lifetime value',
    definition: 'ARPA divided by the mean logo churn of the last three complete months. None where no customer left.',
  },
  net: { label: 'Net revenue', definition: 'Collected minus refunded.' },
  forecast: {
    label: 'Forecast',
    definition:
      'MRR of the current month plus, for each month after it, the mean change of MRR over the last three complete months, rounded to the cent. Never below zero.',
  },
  cohorts: {
    label: 'Cohorts',
    definition:
      'Organisations by the first month at whose end they had MRR, and what they pay at the end of later months.',
  },
} as const

const Cents = Type.Integer()
const Count = Type.Integer()
/** First seven characters of a day: `2026-01`. */
const Month = Type.String({ pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$' })

export const RevenueMonth = Type.Object({
  month: Month,
  mrrCents: Cents,
  newCents: Cents,
  expansionCents: Cents,
  contractionCents: Cents,
  churnCents: Cents,
  reactivationCents: Cents,
  customers: Count,
  newCustomers: Count,
  reactivatedCustomers: Count,
  churnedCustomers: Count,
  /** Null: no customer. */
  arpaCents: nullable(Cents),
  /** Between 0 and 1; null: no customer the month before. */
  logoChurn: nullable(Type.Number()),
  collectedCents: Cents,
  refundedCents: Cents,
  netCents: Cents,
  trialsStarted: Count,
  trialsConverted: Count,
})
export type RevenueMonth = Static<typeof RevenueMonth>

export const RevenueCohort = Type.Object({
  month: Month,
  /** At the end of the cohort's month and of each later one. */
  months: Type.Array(Type.Object({ month: Month, mrrCents: Cents, customers: Count })),
})
export type RevenueCohort = Static<typeof RevenueCohort>

export const RevenueReport = Type.Object({
  /** The oldest first; the last is the current month, until now. */
  months: Type.Array(RevenueMonth),
  /** Null: no customer left in the last three complete months, or there is none. */
  ltvCents: nullable(Cents),
  forecast: Type.Array(Type.Object({ month: Month, mrrCents: Cents })),
  /** Of the months above, and of their organisations alone. */
  cohorts: Type.Array(RevenueCohort),
  /** Payments and refunds in another currency than US dollars, which no figure contains. */
  foreignPayments: Count,
})
export type RevenueReport = Static<typeof RevenueReport>

const closed = { additionalProperties: false } as const
const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const

export const getRevenue = route({
  ...superadmin,
  operationId: 'getRevenue',
  method: 'GET',
  path: '/api/v1/superadmin/revenue',
  summary: 'Read the revenue of the instance by month',
  query: Type.Object({ months: Type.Optional(Type.Integer({ minimum: 2, maximum: 60, default: 13 })) }, closed),
  replies: { 200: RevenueReport },
  errors: [],
  rate: 'read',
})

/** An organisation, and what it adds to a figure. */
export const RevenuePart = Type.Object({
  organization: Type.Object({ id: Uuid, name: Type.String(), slug: Type.String() }),
  /** Cents of a US dollar, or 1, by the unit of the figure. */
  amount: Type.Integer(),
})
export type RevenuePart = Static<typeof RevenuePart>

const revenueParts = {
  figure: Type.Enum([...revenueFigureNames]),
  month: Month,
  /** Of `mrr`: only organisations of this cohort. Other figures refuse it. */
  cohort: Type.Optional(Month),
  ...figurePartFilters,
}
const RevenueParts = Type.Object(revenueParts, closed)
export type RevenueParts = Static<typeof RevenueParts>

export const exportRevenueParts = route({
  ...superadmin,
  operationId: 'exportRevenueParts',
  method: 'POST',
  path: '/api/v1/superadmin/revenue/parts/exports',
  summary: 'Download the organisations that a figure of the revenue is made of as CSV',
  body: RevenueParts,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const listRevenueParts = route({
  ...superadmin,
  operationId: 'listRevenueParts',
  method: 'GET',
  path: '/api/v1/superadmin/revenue/parts',
  summary: 'List the organisations that a figure is made of; their amounts sum to it',
  query: Type.Object(
    {
      ...revenueParts,
      cursor: Type.Optional(Type.String({ maxLength: 600 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    },
    closed,
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(RevenuePart),
      /** Of all pages: the figure, unless it is searched. */
      total: Type.Integer(),
      count: Type.Integer(),
      nextCursor: nullable(Type.String()),
    }),
  },
  errors: [],
  rate: 'read',
})

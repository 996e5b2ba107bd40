import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

export const subscriptionStatuses = ['trialing', 'active', 'past_due', 'canceled', 'expired', 'self_hosted'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** What a plan limits. */
export const planLimits = ['projects', 'members', 'items'] as const
export type PlanLimit = (typeof planLimits)[number]

/** What owners are warned of. */
export const planWarningKinds = [...planLimits, 'trial_expiring', 'trial_ended'] as const
export type PlanWarningKind = (typeof planWarningKinds)[number]

/** What the notifications of owners say of their plan: warnings, and what became of its payment. */
const planNoticeKinds = [...planWarningKinds, 'payment_failed', 'payment_action_required', 'plan_ended'] as const

const maxCents = 99_999_999
const Cents = Type.Integer({ minimum: 0, maximum: maxCents })
/** Null: unlimited. */
const Limit = nullable(Type.Integer({ minimum: 1, maximum: 2_000_000_000 }))

const offer = {
  name: line({ minLength: 1, maxLength: 60 }),
  forWhom: line({ maxLength: 200 }),
  /** In cents of a US dollar. */
  monthlyCents: Cents,
  yearlyCents: Cents,
  maxProjects: Limit,
  /** Viewers never count. */
  maxMembers: Limit,
  /** By months in UTC. */
  maxItemsPerMonth: Limit,
}

/** A plan that can be chosen, as anyone may read it. */
export const PlanOffer = Type.Object({ id: Uuid, key: Type.String(), ...offer })
export type PlanOffer = Static<typeof PlanOffer>

/** A plan, as superadmins edit it. */
export const Plan = Type.Object({
  id: Uuid,
  key: Type.String(),
  ...offer,
  /** The lowest comes first. */
  position: Type.Integer(),
  stripeProductId: nullable(Type.String()),
  stripeMonthlyPriceId: nullable(Type.String()),
  stripeYearlyPriceId: nullable(Type.String()),
  /** Since when no one can choose it; null: it is offered. */
  retiredAt: nullable(Timestamp),
  /** Organisations that have it now. */
  organizations: Type.Integer(),
})
export type Plan = Static<typeof Plan>

const Position = Type.Integer({ minimum: 0, maximum: 10_000 })
const closed = { additionalProperties: false } as const

export const NewPlan = Type.Object(
  {
    key: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', minLength: 1, maxLength: 60 }),
    ...offer,
    position: Position,
  },
  closed,
)
export type NewPlan = Static<typeof NewPlan>

export const PlanChange = Type.Object(
  { ...Type.Partial(Type.Object({ ...offer, position: Position })).properties, retired: Type.Optional(Type.Boolean()) },
  { ...closed, minProperties: 1 },
)
export type PlanChange = Static<typeof PlanChange>

export const listPlans = route({
  operationId: 'listPlans',
  method: 'GET',
  path: '/api/v1/plans',
  summary: 'List the plans that can be chosen; none where the instance has no billing',
  tag: 'billing',
  replies: { 200: Type.Object({ items: Type.Array(PlanOffer) }) },
  errors: [],
  access: { kind: 'public' },
  rate: 'read',
})

const superadmin = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const PlanParams = Type.Object({ planId: Uuid })

export const listAllPlans = route({
  ...superadmin,
  operationId: 'listAllPlans',
  method: 'GET',
  path: '/api/v1/superadmin/plans',
  summary: 'List all plans, retired ones among them',
  replies: { 200: Type.Object({ items: Type.Array(Plan) }) },
  errors: [],
  rate: 'read',
})

export const exportPlans = route({
  ...superadmin,
  operationId: 'exportPlans',
  method: 'POST',
  path: '/api/v1/superadmin/plans/exports',
  summary: 'Download all plans as CSV, retired ones among them',
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const createPlan = route({
  ...superadmin,
  operationId: 'createPlan',
  method: 'POST',
  path: '/api/v1/superadmin/plans',
  summary: 'Create a plan',
  body: NewPlan,
  replies: { 201: Plan },
  errors: ['plan_key_taken'],
  rate: 'write',
})

export const updatePlan = route({
  ...superadmin,
  operationId: 'updatePlan',
  method: 'PATCH',
  path: '/api/v1/superadmin/plans/{planId}',
  summary: 'Change a plan for all who have it, retire it, or offer it again',
  params: PlanParams,
  body: PlanChange,
  replies: { 200: Plan },
  errors: ['plan_not_found'],
  rate: 'write',
})

/** Use of one limit. `max` null: unlimited. */
const Usage = Type.Object({ used: Type.Integer(), max: nullable(Type.Integer()) })

/** What an organisation may use, and what it uses. */
export const Entitlements = Type.Object({
  status: Type.Enum([...subscriptionStatuses]),
  /** Null: no trial. It may be over. */
  trialEndsAt: nullable(Timestamp),
  plan: nullable(Type.Object({ id: Uuid, key: Type.String(), name: Type.String() })),
  /** The trial or the plan has ended: new feedback is locked, and no project or member can be added. */
  hasEnded: Type.Boolean(),
  /** Whether feedback that arrives now is locked. */
  locksNewFeedback: Type.Boolean(),
  projects: Usage,
  /** Members and open invitations, viewers apart. */
  members: Usage,
  /** Items of this month (UTC), spam apart. Not counted where `status` is `self_hosted`. */
  items: Usage,
})
export type Entitlements = Static<typeof Entitlements>

export const getEntitlements = route({
  operationId: 'getEntitlements',
  method: 'GET',
  path: '/api/v1/organizations/{organizationId}/entitlements',
  summary: 'Read the trial, plan and limits of an organisation, and what it uses',
  tag: 'billing',
  params: OrganizationParams,
  replies: { 200: Entitlements },
  errors: [],
  access: { kind: 'organization', permission: 'view_projects' },
  rate: 'read',
})

/** What owners were told of their plan, while it applies. */
export const PlanWarning = Type.Object({
  kind: Type.Enum([...planNoticeKinds]),
  /** Percent of a limit, or days left of a trial; 0: it has ended, or there is nothing to count. */
  level: Type.Integer(),
  used: nullable(Type.Integer()),
  max: nullable(Type.Integer()),
  warnedAt: Timestamp,
})
export type PlanWarning = Static<typeof PlanWarning>

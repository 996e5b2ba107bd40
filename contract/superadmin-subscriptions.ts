import Type, { type Static } from 'typebox'
import { BilledSubscription, billingIntervals, Invoice } from './billing.ts'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { subscriptionStatuses } from './plans.ts'
import { route } from './route.ts'
import { line, Timestamp, Uuid } from './text.ts'

/** Orders of the list. `revenue`: the highest monthly recurring revenue first. */
export const subscriberSorts = ['newest', 'oldest', 'name', 'revenue'] as const
export type SubscriberSort = (typeof subscriberSorts)[number]

const closed = { additionalProperties: false } as const
const NamedPlan = Type.Object({ id: Uuid, key: Type.String(), name: Type.String() })
/** Owners of the organisation read it in their audit log. */
const Reason = line({ minLength: 1, maxLength: 500 })

/** An organisation and what it has. */
export const Subscriber = Type.Object({
  organization: Type.Object({ id: Uuid, name: Type.String(), slug: Type.String(), createdAt: Timestamp }),
  /** Addresses of the owners, at most three. */
  owners: Type.Array(Type.String()),
  status: Type.Enum([...subscriptionStatuses]),
  plan: nullable(NamedPlan),
  /** Whether the plan was given without payment. */
  isGranted: Type.Boolean(),
  /** Monthly recurring revenue now, in cents of a US dollar. */
  revenueCents: Type.Integer(),
  trialEndsAt: nullable(Timestamp),
})
export type Subscriber = Static<typeof Subscriber>

/** A plan that a superadmin gave without payment. */
const GrantedPlan = Type.Object({
  plan: NamedPlan,
  /** Null: until it is revoked. */
  endsAt: nullable(Timestamp),
  reason: Type.String(),
  grantedAt: Timestamp,
  /** Null: the account was deleted. */
  grantedBy: nullable(Type.String()),
})

const PaymentRefund = Type.Object({
  /** Stripe's id. */
  id: Type.String(),
  /** Null: the charge belongs to no invoice. */
  paymentId: nullable(Type.String()),
  cents: Type.Integer(),
  currency: Type.String(),
  /** Stripe's. */
  status: Type.String(),
  createdAt: Timestamp,
})

/** All that is known of an organisation's billing. */
export const SubscriberBilling = Type.Object({
  ...Subscriber.properties,
  /** At Stripe; null: none that is still open. */
  subscription: nullable(BilledSubscription),
  grantedPlan: nullable(GrantedPlan),
  /** Stripe's id; null: the organisation never began to pay. */
  customerId: nullable(Type.String()),
  /** When it was last compared with Stripe. */
  convergedAt: nullable(Timestamp),
  /** The newest 100. */
  payments: Type.Array(
    Type.Object({
      ...Invoice.properties,
      /** Collected, before refunds. */
      paidCents: Type.Integer(),
    }),
  ),
  /** The newest 100. */
  refunds: Type.Array(PaymentRefund),
})
export type SubscriberBilling = Static<typeof SubscriberBilling>

export const SubscriberPlanChange = Type.Object(
  {
    planId: Uuid,
    interval: Type.Enum([...billingIntervals]),
    /** `now`: the difference for the rest of the period is charged or credited. `none`: the new price counts from the next period on. */
    charge: Type.Enum(['now', 'none']),
    reason: Reason,
  },
  closed,
)
export type SubscriberPlanChange = Static<typeof SubscriberPlanChange>

export const PlanGrant = Type.Object({ planId: Uuid, endsAt: nullable(Timestamp), reason: Reason }, closed)
export type PlanGrant = Static<typeof PlanGrant>

export const TrialExtension = Type.Object({ endsAt: Timestamp, reason: Reason }, closed)
export type TrialExtension = Static<typeof TrialExtension>

export const SubscriberCancellation = Type.Object({ at: Type.Enum(['period_end', 'now']), reason: Reason }, closed)
export type SubscriberCancellation = Static<typeof SubscriberCancellation>

export const PaymentRefundRequest = Type.Object(
  {
    /** Made by the caller. Sent again, the same refund is meant. */
    id: Uuid,
    paymentId: Type.String({ minLength: 1, maxLength: 255 }),
    /** Null: all that is left of the payment. */
    cents: nullable(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
    reason: Reason,
  },
  closed,
)
export type PaymentRefundRequest = Static<typeof PaymentRefundRequest>

const ofSuperadmins = { tag: 'superadmin', access: { kind: 'superadmin' } } as const
const ofOne = { ...ofSuperadmins, params: OrganizationParams, replies: { 200: SubscriberBilling } } as const
const base = '/api/v1/superadmin/subscriptions'
const one = `${base}/{organizationId}`

const filters = {
  /** In the name, slug or an owner's address. */
  search: Type.Optional(line({ maxLength: 200 })),
  status: Type.Optional(Type.Enum([...subscriptionStatuses])),
  planId: Type.Optional(Uuid),
}

const SubscriberFilters = Type.Object({ ...filters, sort: Type.Optional(Type.Enum([...subscriberSorts])) }, closed)
export type SubscriberFilters = Static<typeof SubscriberFilters>

export const exportSubscribers = route({
  ...ofSuperadmins,
  operationId: 'exportSubscribers',
  method: 'POST',
  path: `${base}/exports`,
  summary: 'Download organisations with their plan and revenue as CSV',
  body: SubscriberFilters,
  replies: { 200: Type.String({ description: 'text/csv' }) },
  errors: [],
  rate: 'write',
})

export const listSubscribers = route({
  ...ofSuperadmins,
  operationId: 'listSubscribers',
  method: 'GET',
  path: base,
  summary: 'List organisations with their plan and revenue',
  query: Type.Object(
    {
      ...filters,
      sort: Type.Optional(Type.Enum([...subscriberSorts])),
      cursor: Type.Optional(Type.String({ maxLength: 1000 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 50 })),
    },
    closed,
  ),
  replies: {
    200: Type.Object({
      items: Type.Array(Subscriber),
      /** Organisations that match, on all pages. */
      count: Type.Integer(),
      nextCursor: nullable(Type.String()),
    }),
  },
  errors: [],
  rate: 'read',
})

export const getSubscriber = route({
  ...ofOne,
  operationId: 'getSubscriber',
  method: 'GET',
  path: one,
  summary: 'Read the billing of an organisation: subscription, granted plan, payments and refunds',
  errors: ['organization_not_found'],
  rate: 'read',
})

export const changeSubscriberPlan = route({
  ...ofOne,
  operationId: 'changeSubscriberPlan',
  method: 'PUT',
  path: `${one}/plan`,
  summary: 'Change the plan or interval of a subscription at Stripe; a difference that can’t be paid changes nothing',
  body: SubscriberPlanChange,
  errors: [
    'organization_not_found',
    'plan_not_found',
    'not_subscribed',
    'payment_failed',
    'payments_not_configured',
    'payments_unavailable',
  ],
  rate: 'write',
})

export const grantPlan = route({
  ...ofOne,
  operationId: 'grantPlan',
  method: 'PUT',
  path: `${one}/granted-plan`,
  summary: 'Give a plan without payment, for as long as no subscription at Stripe gives one',
  body: PlanGrant,
  errors: ['organization_not_found', 'plan_not_found', 'organization_unlimited'],
  rate: 'write',
})

export const revokeGrantedPlan = route({
  ...ofOne,
  operationId: 'revokeGrantedPlan',
  method: 'POST',
  path: `${one}/granted-plan/end`,
  summary: 'Revoke a plan that was given without payment',
  body: Type.Object({ reason: Reason }, closed),
  errors: ['organization_not_found', 'granted_plan_not_found'],
  rate: 'write',
})

export const extendTrial = route({
  ...ofOne,
  operationId: 'extendTrial',
  method: 'PUT',
  path: `${one}/trial`,
  summary: 'Extend a trial, or begin it again, for an organisation that never had a plan',
  body: TrialExtension,
  errors: ['organization_not_found', 'trial_not_extendable'],
  rate: 'write',
})

export const cancelSubscriber = route({
  ...ofOne,
  operationId: 'cancelSubscriber',
  method: 'POST',
  path: `${one}/cancellation`,
  summary: 'Cancel a subscription at Stripe, at once or at the end of the paid period; nothing is refunded',
  body: SubscriberCancellation,
  errors: ['organization_not_found', 'not_subscribed', 'payments_not_configured', 'payments_unavailable'],
  rate: 'write',
})

export const refundPayment = route({
  ...ofOne,
  operationId: 'refundPayment',
  method: 'POST',
  path: `${one}/refunds`,
  summary: 'Refund a payment, wholly or in part; the same id refunds once',
  body: PaymentRefundRequest,
  errors: [
    'organization_not_found',
    'payment_not_found',
    'id_reused',
    'payments_not_configured',
    'payments_unavailable',
  ],
  rate: 'write',
})

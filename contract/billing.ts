import Type, { type Static } from 'typebox'
import { nullable } from './nullable.ts'
import { OrganizationParams } from './params.ts'
import { route } from './route.ts'
import { Timestamp, Uuid } from './text.ts'

/** How often a plan is paid. */
export const billingIntervals = ['month', 'year'] as const
export type BillingInterval = (typeof billingIntervals)[number]

/** Why a plan is cancelled, with Stripe's keys (https://docs.stripe.com/api/subscriptions/object, cancellation_details). */
export const cancelReasons = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'customer_service',
  'too_complex',
  'low_quality',
  'other',
] as const
export type CancelReason = (typeof cancelReasons)[number]

const closed = { additionalProperties: false } as const
const Interval = Type.Enum([...billingIntervals])
const Currency = Type.String()
/** In hundredths of the currency. Negative: in the customer's favour. */
const Cents = Type.Integer()

const BilledPlan = Type.Object({ id: Uuid, key: Type.String(), name: Type.String() })

/** What the organisation subscribed to, as of the last comparison with Stripe. */
export const BilledSubscription = Type.Object({
  /** Stripe's id. */
  id: Type.String(),
  plan: BilledPlan,
  interval: Interval,
  /** Price of an interval, before discounts and tax. */
  cents: Cents,
  currency: Currency,
  /** Stripe's id of the coupon that applies; null: none. */
  coupon: nullable(Type.String()),
  startedAt: Timestamp,
  /** When the paid period ends: the plan renews then, or ends. */
  periodEnd: nullable(Timestamp),
  /** When the plan ends, because it was cancelled; null: it renews. */
  cancelAt: nullable(Timestamp),
})
export type BilledSubscription = Static<typeof BilledSubscription>

/** The oldest invoice that could not be collected. */
export const OwedPayment = Type.Object({
  /** Stripe's id of the invoice. */
  invoiceId: Type.String(),
  cents: Cents,
  currency: Currency,
  /** `action_required`: the bank asks the owner to confirm the payment (3-D Secure). */
  state: Type.Enum(['failed', 'action_required']),
  /** The bank's reason; null with `action_required`. */
  error: nullable(Type.String()),
  /** Stripe tries again then; null: not by itself. */
  nextAttemptAt: nullable(Timestamp),
  /** Stripe's page where it can be paid or confirmed. */
  pageUrl: nullable(Type.String()),
})
export type OwedPayment = Static<typeof OwedPayment>

/** Billing of an organisation. */
export const Billing = Type.Object({
  /** Null: none that is still running. */
  subscription: nullable(BilledSubscription),
  /** Null: nothing is owed. */
  owed: nullable(OwedPayment),
  /** Until when consumers can withdraw from the contract; null: not offered, or too late. */
  withdrawableUntil: nullable(Timestamp),
})
export type Billing = Static<typeof Billing>

/** What only Stripe knows, asked when it is shown. */
export const UpcomingPayment = Type.Object({
  /** Null: no invoice will follow. */
  nextInvoice: nullable(Type.Object({ cents: Cents, currency: Currency, at: Timestamp })),
  /** Null: none is stored. */
  paymentMethod: nullable(
    Type.Object({
      /** Stripe's type, such as `card` or `sepa_debit`. */
      type: Type.String(),
      /** Of a card, such as `visa`; null: another method. */
      brand: nullable(Type.String()),
      last4: nullable(Type.String()),
      expiresMonth: nullable(Type.Integer()),
      expiresYear: nullable(Type.Integer()),
    }),
  ),
  /** Who the invoices name. */
  customer: Type.Object({
    name: nullable(Type.String()),
    email: nullable(Type.String()),
    taxIds: Type.Array(Type.String()),
  }),
})
export type UpcomingPayment = Static<typeof UpcomingPayment>

export const Invoice = Type.Object({
  /** Stripe's id. */
  id: Type.String(),
  /** As printed on the invoice. */
  number: nullable(Type.String()),
  status: Type.Enum(['open', 'paid', 'void', 'uncollectible']),
  totalCents: Cents,
  taxCents: Cents,
  refundedCents: Cents,
  currency: Currency,
  createdAt: Timestamp,
  paidAt: nullable(Timestamp),
  pageUrl: nullable(Type.String()),
  pdfUrl: nullable(Type.String()),
})
export type Invoice = Static<typeof Invoice>

const ChosenPlan = { planId: Uuid, interval: Interval }

export const NewCheckout = Type.Object(
  {
    ...ChosenPlan,
    /** `embedded`: the form is shown within the page, by Stripe's script. */
    ui: Type.Enum(['hosted', 'embedded']),
    /** As a customer types it. */
    promotionCode: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  },
  closed,
)
export type NewCheckout = Static<typeof NewCheckout>

export const PlanChoice = Type.Object(ChosenPlan, closed)
export type PlanChoice = Static<typeof PlanChoice>

/** What a change of plan would cost. */
export const PlanPreview = Type.Object({
  plan: BilledPlan,
  interval: Interval,
  /** Of an interval, before discounts and tax. */
  cents: Cents,
  currency: Currency,
  /** Charged with the change. 0: nothing. */
  dueNowCents: Cents,
  /** The rest of the paid period, credited to later invoices. 0: nothing. */
  creditCents: Cents,
  /** When the next invoice follows, and what it will be. */
  nextInvoice: Type.Object({ cents: Cents, at: Timestamp }),
  /** Pass it on with the change, so that it costs what was shown. In seconds since 1970. */
  prorationDate: Type.Integer(),
})
export type PlanPreview = Static<typeof PlanPreview>

export const NewPlanChoice = Type.Object({ ...ChosenPlan, prorationDate: Type.Integer({ minimum: 0 }) }, closed)
export type NewPlanChoice = Static<typeof NewPlanChoice>

export const Cancellation = Type.Object(
  { reason: Type.Enum([...cancelReasons]), comment: Type.Optional(Type.String({ maxLength: 1000 })) },
  closed,
)
export type Cancellation = Static<typeof Cancellation>

/** Who withdraws, and where the receipt goes. */
export const Withdrawal = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    email: Type.String({ format: 'email', maxLength: 320 }),
  },
  closed,
)
export type Withdrawal = Static<typeof Withdrawal>

const ofOwners = {
  tag: 'billing',
  params: OrganizationParams,
  access: { kind: 'organization', permission: 'manage_organization' },
} as const
/** What owners read, pay and end even while the organisation is suspended. Nothing new can be bought meanwhile. */
const ofOwnersAlways = { ...ofOwners, access: { ...ofOwners.access, evenSuspended: 'owners' } } as const
const base = '/api/v1/organizations/{organizationId}/billing'

export const getBilling = route({
  ...ofOwnersAlways,
  operationId: 'getBilling',
  method: 'GET',
  path: base,
  summary: 'Read the subscription of an organisation, and what is owed',
  replies: { 200: Billing },
  errors: [],
  rate: 'read',
})

export const getUpcomingPayment = route({
  ...ofOwnersAlways,
  operationId: 'getUpcomingPayment',
  method: 'GET',
  path: `${base}/upcoming`,
  summary: 'Read the next invoice and the payment method from Stripe',
  replies: { 200: UpcomingPayment },
  errors: ['payments_unavailable'],
  rate: 'read',
})

export const listInvoices = route({
  ...ofOwnersAlways,
  operationId: 'listInvoices',
  method: 'GET',
  path: `${base}/invoices`,
  summary: 'List the invoices of an organisation, the newest first',
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 200 })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    },
    closed,
  ),
  replies: { 200: Type.Object({ items: Type.Array(Invoice), nextCursor: nullable(Type.String()) }) },
  errors: [],
  rate: 'read',
})

export const createCheckout = route({
  ...ofOwners,
  operationId: 'createCheckout',
  method: 'POST',
  path: `${base}/checkout`,
  summary: 'Begin to pay for a plan; an open checkout of the same plan is continued',
  body: NewCheckout,
  replies: {
    201: Type.Object({
      /** Stripe's page; null with `embedded`. */
      url: nullable(Type.String()),
      /** For Stripe's script; null with `hosted`. */
      clientSecret: nullable(Type.String()),
    }),
  },
  errors: [
    'payments_not_configured',
    'plan_not_found',
    'already_subscribed',
    'promotion_code_invalid',
    'payments_unavailable',
  ],
  impersonation: 'refused',
  rate: 'write',
})

export const refreshBilling = route({
  ...ofOwnersAlways,
  operationId: 'refreshBilling',
  method: 'POST',
  path: `${base}/refresh`,
  summary: 'Compare an organisation with Stripe now, such as after a checkout',
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const createPortalSession = route({
  ...ofOwnersAlways,
  operationId: 'createPortalSession',
  method: 'POST',
  path: `${base}/portal`,
  summary: 'Open Stripe’s customer portal, where payment method, address and tax id are changed',
  replies: { 201: Type.Object({ url: Type.String() }) },
  errors: ['payments_not_configured', 'not_subscribed', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const previewPlan = route({
  ...ofOwners,
  operationId: 'previewPlan',
  method: 'POST',
  path: `${base}/plan/preview`,
  summary: 'Read what a change of plan would cost',
  body: PlanChoice,
  replies: { 200: PlanPreview },
  errors: ['payments_not_configured', 'plan_not_found', 'not_subscribed', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const changeSubscribedPlan = route({
  ...ofOwners,
  operationId: 'changeSubscribedPlan',
  method: 'PUT',
  path: `${base}/plan`,
  summary: 'Change the plan or interval at once; an upgrade that can’t be paid changes nothing',
  body: NewPlanChoice,
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'plan_not_found', 'not_subscribed', 'payment_failed', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const applyPromotionCode = route({
  ...ofOwners,
  operationId: 'applyPromotionCode',
  method: 'PUT',
  path: `${base}/promotion-code`,
  summary: 'Apply a promotion code to the subscription',
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 100 }) }, closed),
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'not_subscribed', 'promotion_code_invalid', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const cancelSubscription = route({
  ...ofOwnersAlways,
  operationId: 'cancelSubscription',
  method: 'POST',
  path: `${base}/cancel`,
  summary: 'Cancel the plan at the end of the paid period',
  body: Cancellation,
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'not_subscribed', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const reactivateSubscription = route({
  ...ofOwners,
  operationId: 'reactivateSubscription',
  method: 'POST',
  path: `${base}/reactivate`,
  summary: 'Keep a plan that was cancelled and has not ended',
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'not_subscribed', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

export const withdrawFromContract = route({
  ...ofOwnersAlways,
  operationId: 'withdrawFromContract',
  method: 'POST',
  path: `${base}/withdrawal`,
  summary: 'Withdraw from the contract: the plan ends at once, its payment is refunded, and a receipt is sent by email',
  body: Withdrawal,
  replies: { 200: Billing },
  errors: ['payments_not_configured', 'not_subscribed', 'withdrawal_not_possible', 'payments_unavailable'],
  impersonation: 'refused',
  rate: 'write',
})

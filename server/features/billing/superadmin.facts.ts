import { type Facts, inOrganization } from '#server/testing/facts.ts'

/** The system alone reads and writes them: superadmins' calls are the system's. */
const systemRights = ['----', '----', '----', '----', 'siud'] as const
const reason = 'They asked for it'
const noPlanId = '01a1fbfe-0000-7000-8000-000000000000'
/** So that what follows these calls is refused nothing. */
const withoutLimits = ({ organizationId }: { readonly organizationId: string }) =>
  `update public.organizations set subscription_status = 'self_hosted' where id = '${organizationId}'`
const inAMonth = () => new Date(Date.now() + 30 * 86_400_000).toISOString()

export const facts: Facts = {
  migrations: {
    '0044_granted_plans_and_revenue.sql': '1386edce6786a5b8df4fdc0d4a35b1e018147eadf02b5ba286d1625502493d09',
  },
  tables: {
    'public.granted_plans': {
      rights: systemRights,
      make: ({ organizationId }) =>
        `insert into public.granted_plans (organization_id, plan_id, reason)
         select '${organizationId}', id, 'Made' from public.plans where key = 'starter'`,
      row: inOrganization,
      change: "reason = 'Changed'",
      // One per organisation, which the matrix has made already.
      add: ({ organizationId }) =>
        `(organization_id, plan_id, reason) values ('${organizationId}', gen_random_uuid(), 'Added')
         on conflict (organization_id) do update set reason = 'Added'`,
    },
    'public.revenue_changes': {
      rights: systemRights,
      make: ({ organizationId }) =>
        `insert into public.revenue_changes (organization_id, at, before_cents, after_cents)
         values ('${organizationId}', '2026-01-01', 0, 1900)`,
      row: inOrganization,
      change: 'after_cents = 4900',
      add: ({ organizationId }) =>
        `(organization_id, at, before_cents, after_cents) values ('${organizationId}', '2026-02-01', 1900, 4900)`,
    },
  },
  routes: {
    // Organisations of tests over all routes have no subscription at Stripe.
    changeSubscriberPlan: {
      body: () => ({ planId: noPlanId, interval: 'month', charge: 'now', reason }),
      refusal: 'not_subscribed',
    },
    cancelSubscriber: { body: () => ({ at: 'now', reason }), refusal: 'not_subscribed' },
    refundPayment: {
      body: () => ({ id: crypto.randomUUID(), paymentId: 'in_none', cents: 100, reason }),
      refusal: 'payment_not_found',
    },
    grantPlan: {
      body: () => ({ planId: noPlanId, endsAt: inAMonth(), reason }),
      renew: withoutLimits,
      refusal: 'organization_unlimited',
    },
    revokeGrantedPlan: {
      body: () => ({ reason }),
      renew: ({ organizationId }) =>
        `${withoutLimits({ organizationId })};
         insert into public.granted_plans (organization_id, plan_id, reason)
         select '${organizationId}', id, 'Made' from public.plans where key = 'starter'
         on conflict do nothing`,
    },
    exportSubscribers: { body: () => ({}), fullBody: () => ({ search: 'ada', status: 'active', sort: 'name' }) },
    exportCoupons: {
      body: () => ({}),
      fullBody: () => ({ search: 'spring', state: 'active', order: 'oldest' }),
      refusal: 'payments_not_configured',
    },
    listCoupons: { refusal: 'payments_not_configured' },
    createCoupon: {
      body: () => ({
        id: crypto.randomUUID(),
        code: crypto.randomUUID(),
        percentOff: 20,
        amountOffCents: null,
        duration: 'repeating',
        months: 3,
        maxRedemptions: 10,
        expiresAt: inAMonth(),
      }),
      refusal: 'payments_not_configured',
    },
    deactivateCoupon: { refusal: 'coupon_not_found' },
    listRevenueParts: { query: 'figure=mrr&month=2026-01' },
    exportRevenueParts: {
      body: () => ({ figure: 'mrr', month: '2026-01' }),
      fullBody: () => ({ figure: 'mrr', month: '2026-01', cohort: '2025-12', search: 'ada', sort: 'name' }),
    },
    extendTrial: {
      body: () => ({ endsAt: inAMonth(), reason }),
      renew: withoutLimits,
      refusal: 'trial_not_extendable',
    },
  },
}

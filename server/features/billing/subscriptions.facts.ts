import { type Facts, inOrganization, type Tenant } from '#server/testing/facts.ts'

/** No plan of this instance: it has no Stripe to ask. */
const planId = '0190b5a0-0000-7000-8000-00000000000f'

/** Rows of a mirror: owners read them, the system writes them. */
const mirrorRights = ['----', '.---', '.---', 's---', 'siud'] as const
const systemRights = ['----', '----', '----', '----', 'siud'] as const

const subscription = ({ organizationId }: Tenant, id: string) =>
  `(organization_id, id, status, price_id, interval, cents, currency, created_at)
   values ('${organizationId}', '${id} ${organizationId}', 'active', 'price_made', 'month', 1900, 'usd', now())`
const payment = ({ organizationId }: Tenant, id: string) =>
  `(organization_id, id, status, total_cents, tax_cents, due_cents, paid_cents, currency, created_at)
   values ('${organizationId}', '${id} ${organizationId}', 'paid', 1900, 0, 1900, 1900, 'usd', now())`
const refund = ({ organizationId }: Tenant, id: string) =>
  `(organization_id, id, status, cents, currency, created_at)
   values ('${organizationId}', '${id} ${organizationId}', 'succeeded', 100, 'usd', now())`
const withdrawal = ({ organizationId }: Tenant, id: string) =>
  `(organization_id, subscription_id, plan_name, name, email)
   values ('${organizationId}', '${id} ${organizationId}', 'Team', 'Ada', 'ada@example.org')`

export const facts: Facts = {
  migrations: {
    '0043_withdrawals.sql': '6c1a98b6dcf46e99017b7a88e0476d38fee1d166f9a7323ca0b785950f1edee9',
    '0042_subscriptions.sql': 'e1bc93d9166b41ceab00aa8092629da06770d077c3d75dadd8a93e8f0c09fb93',
  },
  tables: {
    'public.stripe_customers': {
      rights: systemRights,
      make: ({ organizationId }) =>
        `insert into public.stripe_customers (organization_id, customer_id)
         values ('${organizationId}', 'cus_${organizationId}')`,
      row: inOrganization,
      change: 'reads = reads + 1',
      // One per organisation, which the matrix has made already.
      add: ({ organizationId }) =>
        `(organization_id, customer_id) values ('${organizationId}', 'cus_added')
         on conflict (organization_id) do update set reads = stripe_customers.reads + 1`,
    },
    'public.subscriptions': {
      rights: mirrorRights,
      make: (tenant) => `insert into public.subscriptions ${subscription(tenant, 'made')}`,
      row: inOrganization,
      change: "status = 'canceled'",
      add: (tenant) => subscription(tenant, 'added'),
    },
    'public.payments': {
      rights: mirrorRights,
      make: (tenant) => `insert into public.payments ${payment(tenant, 'made')}`,
      row: inOrganization,
      change: "status = 'void'",
      add: (tenant) => payment(tenant, 'added'),
    },
    'public.refunds': {
      rights: mirrorRights,
      make: (tenant) => `insert into public.refunds ${refund(tenant, 'made')}`,
      row: inOrganization,
      change: "status = 'failed'",
      add: (tenant) => refund(tenant, 'added'),
    },
    'public.withdrawals': {
      rights: systemRights,
      make: (tenant) => `insert into public.withdrawals ${withdrawal(tenant, 'made')}`,
      row: inOrganization,
      change: "plan_name = 'Changed'",
      add: (tenant) => withdrawal(tenant, 'added'),
    },
    'public.stripe_events': {
      rights: systemRights,
      make: () =>
        `insert into public.stripe_events (id, type, outcome, created_at)
         values ('evt_made', 'invoice.paid', 'foreign', now()) on conflict do nothing`,
      row: () => `id = 'evt_made'`,
      change: "outcome = 'unknown_type'",
      add: () => `(id, type, outcome, created_at) values ('evt_added', 'invoice.paid', 'foreign', now())`,
    },
    'public.stripe_reconciliations': {
      rights: systemRights,
      make: () => `insert into public.stripe_reconciliations (differences) values (77)`,
      row: () => 'differences = 77',
      change: 'failures = 1',
      add: () => '(differences) values (78)',
    },
  },
  withoutTenant: {
    'public.stripe_events': 'Events are of the Stripe account; most name a customer, not an organisation.',
    'public.stripe_reconciliations': 'Reports are of the instance.',
  },
  withoutCanary: {
    'public.subscriptions.currency': 'Is a code of three letters.',
    'public.payments.currency': 'Is a code of three letters.',
    'public.refunds.currency': 'Is a code of three letters.',
  },
  routes: {
    createCheckout: {
      body: () => ({ planId, interval: 'month', ui: 'hosted', promotionCode: 'HALF' }),
      refusal: 'billing_off',
    },
    createPortalSession: { refusal: 'billing_off' },
    refreshBilling: { refusal: 'billing_off' },
    previewPlan: { body: () => ({ planId, interval: 'month' }), refusal: 'billing_off' },
    changeSubscribedPlan: {
      body: () => ({ planId, interval: 'year', prorationDate: 1_700_000_000 }),
      refusal: 'billing_off',
    },
    applyPromotionCode: { body: () => ({ code: 'HALF' }), refusal: 'billing_off' },
    cancelSubscription: { body: () => ({ reason: 'other', comment: 'No fax' }), refusal: 'billing_off' },
    reactivateSubscription: { refusal: 'billing_off' },
    withdrawFromContract: { body: () => ({ name: 'Ada', email: 'ada@example.org' }), refusal: 'billing_off' },
  },
  gates: {
    'POST /api/v1/hooks/stripe': 'signed call',
  },
}

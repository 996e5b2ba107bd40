import { type Facts, inOrganization } from '#server/testing/facts.ts'

const plan = (tag: string) => ({
  key: tag,
  name: 'Team',
  forWhom: 'For one team.',
  monthlyCents: 2900,
  yearlyCents: 29_000,
  maxProjects: 5,
  maxMembers: null,
  maxItemsPerMonth: 1000,
  position: 15,
})

export const facts: Facts = {
  migrations: {
    '0040_plans.sql': '97e6a05d5eef6875f4e5cecbaf6de86c6523ed3e2e90d3917ef5ee5ccca8416f',
  },
  tables: {
    'public.plans': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () =>
        `insert into public.plans (key, name, monthly_cents, yearly_cents) values ('made', 'Made', 1, 10)
         on conflict do nothing`,
      row: () => `key = 'made'`,
      change: "name = 'Changed'",
      add: () => "(key, name, monthly_cents, yearly_cents) values ('added', 'Added', 1, 10)",
    },
    'public.item_months': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.item_months (organization_id, month) values ('${organizationId}', '2026-01-01')`,
      row: inOrganization,
      change: 'received = 1',
      add: ({ organizationId }) => `(organization_id, month) values ('${organizationId}', '2026-02-01')`,
    },
    'public.plan_warnings': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.plan_warnings (organization_id, kind, level, period)
         values ('${organizationId}', 'items', 80, '2026-01-01')`,
      row: inOrganization,
      change: 'mailed_at = now()',
      add: ({ organizationId }) =>
        `(organization_id, kind, level, period) values ('${organizationId}', 'items', 90, '2026-01-01')`,
    },
  },
  functions: {
    'app.check_room(uuid,text,integer)': [],
    'app.count_invited(uuid)': [],
    'app.count_members(uuid)': [],
    'app.count_projects(uuid)': [],
    'app.end_trials(integer)': ['service_role'],
    'app.find_entitlements(uuid)': ['authenticated', 'service_role'],
    'app.find_standing(text,timestamp with time zone)': [],
    'app.list_plan_warnings(uuid)': ['authenticated'],
    'app.record_plan_change()': [],
    'app.require_room(uuid,text,integer)': ['authenticated', 'service_role'],
    'app.set_subscription(uuid,text,uuid,timestamp with time zone)': ['service_role'],
    'app.this_month()': [],
    'app.write_instant(timestamp with time zone)': [],
    'app.warn_of_limits(uuid,integer)': ['service_role'],
  },
  withoutTenant: {
    'public.plans': 'Plans are of the instance, the same for all organisations.',
  },
  ids: { planId: { table: 'public.plans' } },
  routes: {
    createPlan: { body: ({ tag }) => plan(tag) },
    updatePlan: {
      body: () => ({ name: 'Teams' }),
      fullBody: ({ tag }) => {
        const { key: _key, ...change } = plan(tag)
        return { ...change, retired: false }
      },
    },
  },
}

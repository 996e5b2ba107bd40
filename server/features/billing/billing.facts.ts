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

const lock = (feedbackId: string, organizationId: string) =>
  `(organization_id, id, month, content) values ('${organizationId}', '${feedbackId}', '2026-01-01', '{}')`

export const facts: Facts = {
  migrations: {
    '0041_locked_feedback.sql': 'e76af11ee9359107def247f69d0c3c01f4e83db3fe1592af8e475dc3a79acba2',
    '0040_plans.sql': '1c431f37461ccbc6b1eb14621a6edade2c30938b430965550c4726791edeec48',
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
    'app.locked_feedback': {
      rights: ['----', '----', '----', '----', '----'],
      make: (tenant) => `insert into app.locked_feedback ${lock(tenant.feedbackId, tenant.organizationId)}`,
      row: inOrganization,
      change: "content = '{}'",
      add: ({ organizationId, feedbackId }) => lock(feedbackId, organizationId),
    },
    'app.locked_files': {
      rights: ['----', '----', '----', '----', 's---'],
      make: ({ organizationId, feedbackId }) =>
        `insert into app.locked_files (organization_id, id, feedback_id)
         values ('${organizationId}', gen_random_uuid(), '${feedbackId}')`,
      row: inOrganization,
      change: 'feedback_id = feedback_id',
      add: ({ organizationId, feedbackId }) =>
        `(organization_id, id, feedback_id) values ('${organizationId}', gen_random_uuid(), '${feedbackId}')`,
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
    'app.count_items(uuid,date,bigint,bigint)': [],
    'app.enqueue_unlocking(uuid)': [],
    'app.find_locked_excerpt(uuid,uuid)': ['service_role'],
    'app.hold_back(app.incoming_feedback[],uuid[])': [],
    'app.hold_item_room(uuid)': [],
    'app.is_ended(uuid)': [],
    'app.list_locked_of(uuid,text[],boolean)': ['service_role'],
    'app.on_locked_files_deleted()': [],
    'app.on_plan_limit_changed()': [],
    'app.on_subscription_changed()': [],
    'app.unlock_feedback(uuid,integer)': ['service_role'],
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

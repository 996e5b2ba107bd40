import { type Facts, inOrganization } from '#server/testing/facts.ts'

const systemRights = ['----', '----', '----', '----', 'siud'] as const

export const facts: Facts = {
  migrations: {
    '0047_usage.sql': '292db7d1cad313e50cdb4f5d5a2fcf17d447d3ed6a3426bc7b31ec4a5257e551',
  },
  tables: {
    'app.usage_changes': {
      rights: ['----', '----', '----', '----', 'si-d'],
      row: inOrganization,
      change: 'n = 2',
      add: ({ organizationId }) =>
        `(organization_id, day, figure, n) values ('${organizationId}', '2026-01-01', 'items', 1)`,
    },
    'app.usage_days': {
      rights: systemRights,
      make: ({ organizationId }) =>
        `insert into app.usage_days (organization_id, day, items) values ('${organizationId}', '2026-01-01', 1)`,
      row: inOrganization,
      change: 'items = 2',
      add: ({ organizationId }) => `(organization_id, day) values ('${organizationId}', '2026-01-02')`,
    },
    'app.activations': {
      rights: systemRights,
      make: ({ organizationId }) =>
        `insert into app.activations (organization_id, registered_on) values ('${organizationId}', '2026-01-01')
         on conflict do nothing`,
      row: inOrganization,
      change: 'has_item = true',
      // One per organisation, which the matrix has made already.
      add: ({ organizationId }) =>
        `(organization_id, registered_on) values ('${organizationId}', '2026-01-01')
         on conflict (organization_id) do update set has_item = true`,
    },
    'app.instance_days': {
      rights: systemRights,
      make: () =>
        "insert into app.instance_days values ('2026-01-01', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) on conflict do nothing",
      row: () => "day = '2026-01-01'",
      change: 'items = 2',
      add: () => "values ('2026-01-02', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    },
    'app.active_organizations': {
      rights: systemRights,
      make: () =>
        "insert into app.active_organizations values ('day', '2026-01-01', '2025-12-29', 1) on conflict do nothing",
      row: () => "starts_on = '2026-01-01'",
      change: 'n = 2',
      add: () => "values ('day', '2026-01-02', '2025-12-29', 1)",
    },
    'app.activation_days': {
      rights: systemRights,
      make: () => "insert into app.activation_days values ('2026-01-01', 1, 1, 1, 1, 1, 1) on conflict do nothing",
      row: () => "registered_on = '2026-01-01'",
      change: 'item = 2',
      add: () => "values ('2026-01-02', 1, 1, 1, 1, 1, 1)",
    },
  },
  withoutCanary: {
    'app.usage_changes.figure': 'One of a list.',
    'app.active_organizations.step': 'One of a list.',
  },
  functions: {
    'app.note_usage()': [],
    'app.note_item_usage()': [],
    'app.note_verified_activations()': ['service_role'],
  },
  routes: {
    listMetricsParts: { query: 'figure=items&from=2026-01-01&to=2026-01-31' },
    exportMetricsParts: {
      body: () => ({ figure: 'items', from: '2026-01-01', to: '2026-01-31' }),
      fullBody: () => ({
        figure: 'active',
        from: '2026-01-01',
        to: '2026-01-31',
        cohort: '2026-01-05',
        search: 'ada',
        sort: 'name',
      }),
    },
  },
}

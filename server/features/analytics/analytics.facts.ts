import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0010_analytics.sql': '025f989fd3e7b02ecb48bd88f0fc12657d8078daf449a39127aa4bc55ba4ca43',
  },
  tables: {
    'public.feedback_days': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.feedback_days values ('${organizationId}', '${organizationId}', '2026-01-01', 1,
           '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', 0, 0, '{}', '{}')`,
      row: inOrganization,
      change: 'items = 2',
      add: ({ organizationId }) =>
        `values ('${organizationId}', '${organizationId}', '2026-01-02', 1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
         0, 0, '{}', '{}')`,
    },
    'public.feedback_day_values': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.feedback_day_values
         values ('${organizationId}', '${organizationId}', 'page', '2026-01-01', 'made', 1)`,
      row: inOrganization,
      change: 'n = 2',
      add: ({ organizationId }) => `values ('${organizationId}', '${organizationId}', 'page', '2026-01-02', 'x', 1)`,
    },
    'public.widget_days': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId, projectId }) =>
        `insert into public.widget_days values ('${organizationId}', '${projectId}', '2026-01-01', 1, 0, 0)`,
      row: inOrganization,
      change: 'loaded = 2',
      add: ({ organizationId, projectId }) => `values ('${organizationId}', '${projectId}', '2026-01-02', 1, 0, 0)`,
    },
    'app.feedback_day_marks': {
      rights: ['----', '----', '----', '----', 'si-d'],
      row: inOrganization,
      change: 'is_whole = false',
      add: ({ organizationId }) => `(organization_id, day, is_whole) values ('${organizationId}', '2026-01-01', true)`,
    },
  },
  withoutCanary: {
    'public.feedback_day_values.value': 'Values of items, some of them numbers.',
    'public.feedback_days.inbox_assignees': 'Counts by id.',
    'public.feedback_days.inbox_priorities': 'Counts by priority.',
    'public.feedback_days.sources': 'Counts by source.',
    'public.feedback_days.statuses': 'Counts by status.',
    'public.feedback_days.types': 'Counts by type.',
  },
  functions: {
    'app.mark_changed_feedback()': [],
    'app.mark_deleted_feedback()': [],
  },
}

import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0020_quotas.sql': 'ba366673dfe975d233023a85653a0c07e2bbbb9e982903a8a028c691400acb9e',
  },
  tables: {
    'public.full_quotas': {
      rights: ['----', '.---', '.---', 's---', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.full_quotas (organization_id, needed_bytes) values ('${organizationId}', 1)`,
      row: inOrganization,
      change: 'needed_bytes = 2',
      add: ({ organizationId, projectId }) =>
        `(organization_id, project_id, needed_bytes) values ('${organizationId}', '${projectId}', 1)`,
    },
  },
}

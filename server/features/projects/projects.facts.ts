import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0005_projects.sql': '356e16b7b23445ea24b9169d247ee2173510fcd2fdb42b79abe092f1bcd3d1bb',
  },
  tables: {
    'public.projects': {
      rights: ['----', '....', 's...', 'siud', 'siud'],
      keyRights: 's---',
      changeable: ['archived_at', 'domain', 'emails_on_resolve', 'extra_origins', 'name', 'retention_days'],
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant) =>
        `(organization_id, name, domain) values ('${tenant.organizationId}', 'Added', 'added.example.com')`,
    },
    'public.project_counters': {
      rights: ['----', '.---', 's---', 's---', 's-u-'],
      keyRights: 's---',
      row: inOrganization,
      change: 'last_number = 100',
      add: (tenant) => `(organization_id, project_id) values ('${tenant.organizationId}', '${tenant.projectId}')`,
    },
  },
  functions: {
    'app.deleted_project_ids()': ['authenticated', 'service_role'],
    'app.delete_project(uuid,uuid)': ['authenticated'],
    'app.on_project_created()': [],
  },
  routes: {
    createProject: {
      body: ({ tag }) => ({ name: 'Made', domain: `${tag}.example` }),
    },
    updateProject: {
      body: ({ tag }) => ({ name: tag }),
      fullBody: ({ tag }) => ({
        name: 'Shop',
        domain: `${tag}.example`,
        extraOrigins: ['shop.example', 'help.example'],
        archived: false,
        retentionDays: 90,
        emailsOnResolve: true,
      }),
    },
    deleteProject: { body: () => ({ name: 'Website' }) },
  },
}

import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0053_organization_lists.sql': 'b4ec8314708b6aaccb3e3fb9a90eb8fbf32cadf03dfbd7eb0d0f760730dd8141',
  },
  routes: {
    exportInstanceOrganizations: {
      body: () => ({}),
      fullBody: () => ({ search: 'ada', state: 'open', order: 'name' }),
    },
  },
}

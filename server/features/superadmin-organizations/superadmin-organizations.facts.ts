import { type Facts, inOrganization } from '#server/testing/facts.ts'

/** An act leaves the organisation as it was: other routes are asked as its members. */
const undo = ({ organizationId }: { organizationId: string }) => `
  update organizations set closed_at = null, delete_after = null, suspended_at = null where id = '${organizationId}';
  update app.organization_suspensions set lifted_at = now() where organization_id = '${organizationId}' and lifted_at is null`

const suspend = ({ organizationId }: { organizationId: string }) =>
  `update organizations set suspended_at = now() where id = '${organizationId}'`

export const facts: Facts = {
  migrations: {
    '0053_organization_lists.sql': 'b4ec8314708b6aaccb3e3fb9a90eb8fbf32cadf03dfbd7eb0d0f760730dd8141',
    '0058_organization_suspension.sql': '70f19e470d576d0a9611f032483a876ecb620796a11cfe0ce206eb2bbb646e29',
  },
  tables: {
    'app.organization_suspensions': {
      rights: ['----', '----', '----', '----', 'siu-'],
      make: ({ organizationId }) =>
        `insert into app.organization_suspensions (organization_id, reason, lifted_at)
         values ('${organizationId}', 'Spam', now())`,
      row: inOrganization,
      change: "reason = 'changed'",
      add: ({ organizationId }) => `(organization_id, reason, lifted_at) values ('${organizationId}', 'Added', now())`,
    },
  },
  functions: {
    'app.is_reachable_organization(uuid,text)': [],
    'app.find_organization_suspension(uuid)': ['authenticated'],
  },
  routes: {
    exportInstanceOrganizations: {
      body: () => ({}),
      fullBody: () => ({
        search: 'ada',
        state: 'open',
        status: 'active',
        planId: '0190c0de-0000-7000-8000-00000000a001',
        order: 'name',
      }),
    },
    suspendOrganization: { body: () => ({ reason: 'Spam', message: 'Please call us.' }), undo },
    liftSuspension: { renew: suspend, undo },
    deleteInstanceOrganization: { body: () => ({ name: 'Example', reason: 'They asked for it' }), undo },
    removeInstanceOrganization: {
      renew: ({ organizationId }) =>
        `update organizations set closed_at = now(), delete_after = now() + interval '1 day' where id = '${organizationId}'`,
      body: () => ({ name: 'Example', reason: 'They asked for it' }),
      undo,
    },
    getOrganizationSuspension: { renew: suspend, undo },
  },
}

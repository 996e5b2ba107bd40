import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

/** Few may be open at a time. */
const renew = ({ organizationId }: { organizationId: string }) =>
  `delete from exports where organization_id = '${organizationId}' and state = 'queued'`

export const facts: Facts = {
  migrations: {
    '0030_key_exports.sql': '64a52477424b3475d2657f5b766cd946cb2a54f9e11a1707851a135e86b12348',
    '0013_export_subjects.sql': '2b6071c96d8d079a5337765ea12953ad37b9643c19656f9bc702b99981321290',
  },
  tables: {
    'public.exports': {
      rights: ['----', '..-.', 'si-d', 'si-d', 'siud'],
      // A member's exports, and exports of more than the key's project.
      keyRights: '..--',
      make: ({ organizationId }) =>
        `insert into public.exports (organization_id, id, created_by, format, selection)
         values ('${organizationId}', gen_random_uuid(), gen_random_uuid(), 'csv', '{}')`,
      row: inOrganization,
      change: 'processed = 1',
      add: (tenant, callerId) =>
        `(organization_id, id, created_by, format, selection)
       values ('${tenant.organizationId}', gen_random_uuid(), ${idOf(callerId)}, 'csv', '{}')`,
    },
    'app.export_subjects': {
      rights: ['----', '----', '----', '----', 'si-d'],
      make: ({ organizationId }) =>
        `insert into app.export_subjects (organization_id, export_id, subjects)
         select '${organizationId}', id, '{1}' from public.exports where organization_id = '${organizationId}' limit 1`,
      row: inOrganization,
      change: "subjects = '{2}'",
      add: (tenant) =>
        `(organization_id, export_id, subjects)
         select '${tenant.organizationId}', id, '{3}' from public.exports where organization_id = '${tenant.organizationId}' limit 1`,
    },
  },
  withoutCanary: { 'public.exports.storage_key': 'Consists of ids.' },
  ids: { exportId: { table: 'public.exports', isCallersOwn: true } },
  gates: { 'GET /x/{token}': 'secret address' },
  routes: {
    apiCreateExport: {
      body: () => ({ format: 'csv' }),
      fullBody: () => ({ format: 'zip', selection: { status: ['new'], q: 'basket' } }),
      renew,
    },
    createExport: {
      body: () => ({ id: crypto.randomUUID(), format: 'csv', selection: {} }),
      fullBody: () => ({ id: crypto.randomUUID(), format: 'zip', selection: { status: ['new'], q: 'basket' } }),
      renew,
    },
  },
}

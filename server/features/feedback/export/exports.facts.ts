import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0013_export_subjects.sql': '2b6071c96d8d079a5337765ea12953ad37b9643c19656f9bc702b99981321290',
  },
  tables: {
    'public.exports': {
      rights: ['----', '..-.', 'si-d', 'si-d', 'siud'],
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
  routes: {
    createExport: {
      body: () => ({ id: crypto.randomUUID(), format: 'csv', selection: {} }),
      fullBody: () => ({ id: crypto.randomUUID(), format: 'zip', selection: { status: ['new'], q: 'basket' } }),
      // Few may be open at a time.
      renew: ({ organizationId }) =>
        `delete from exports where organization_id = '${organizationId}' and state = 'queued'`,
    },
    deleteExport: {
      renew: ({ organizationId, exportId }) =>
        `insert into exports (organization_id, id, created_by, format, selection, state, count)
         values ('${organizationId}', '${exportId}', '${exportId}', 'csv', '{}', 'failed', 1) on conflict do nothing`,
    },
  },
}

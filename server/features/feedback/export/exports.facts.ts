import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
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

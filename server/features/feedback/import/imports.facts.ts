import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.imports': {
      rights: ['----', '..--', 'si--', 'si--', 'siud'],
      make: ({ organizationId, projectId }) =>
        `insert into public.imports (organization_id, id, project_id, created_by, name)
         values ('${organizationId}', gen_random_uuid(), '${projectId}', gen_random_uuid(), 'made')`,
      row: inOrganization,
      change: 'processed = 1',
      add: (tenant, callerId) =>
        `(organization_id, id, project_id, created_by, name)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.projectId}', ${idOf(callerId)}, 'x')`,
    },
    'public.import_problems': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId }) =>
        `insert into public.import_problems
         select '${organizationId}', id, 1, 'made' from public.imports where organization_id = '${organizationId}'`,
      row: inOrganization,
      change: "reason = 'changed'",
      add: (tenant) =>
        `(organization_id, import_id, row_number, reason)
       select '${tenant.organizationId}', id, 99, 'x' from imports where organization_id = '${tenant.organizationId}' limit 1`,
    },
  },
  functions: {
    'app.store_imported(uuid,uuid,json)': ['service_role'],
    'app.on_stored_file_gone()': [],
  },
  withoutCanary: { 'public.imports.storage_key': 'Consists of ids.' },
  ids: { importId: { table: 'public.imports' } },
  routes: {
    createImport: {
      body: ({ projectId }) => ({ id: crypto.randomUUID(), projectId, name: 'ideas.csv' }),
    },
    uploadImportFile: {
      // Steps that earlier calls started refuse a file, and no worker finishes them here.
      renew: ({ organizationId }) =>
        `update public.imports set state = 'waiting' where organization_id = '${organizationId}'`,
    },
    listImportValues: {
      body: () => ({ columns: [{ column: 0, field: 'status' }] }),
      fullBody: () => ({ columns: [{ column: 0, field: 'rating', scale: 'school_grade' }] }),
    },
    checkImport: {
      body: () => ({ columns: [{ column: 0, field: 'message' }], defaultType: 'bug' }),
      fullBody: () => ({
        columns: [
          { column: 0, field: 'message' },
          { column: 1, field: 'answer', question: 'plan' },
          { column: 2, field: 'status', values: [{ from: 'fertig', to: 'resolved' }] },
          { column: 3, field: 'createdAt', dateOrder: 'day_first' },
          { column: 4, field: 'rating', scale: 'school_grade' },
        ],
        defaultType: 'idea',
      }),
    },
  },
}

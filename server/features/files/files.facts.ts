import { randomUUID } from 'node:crypto'
import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0008_files.sql': '12e3fc5eb72a530203ca7af35725214764d153c6a9f4e00242cab4bc42ca7752',
  },
  tables: {
    'public.feedback_attachments': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId, feedbackId }) =>
        `insert into public.feedback_attachments (organization_id, id, feedback_id, kind)
         values ('${organizationId}', gen_random_uuid(), '${feedbackId}', 'file')`,
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant) =>
        `(organization_id, id, feedback_id, kind)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.feedbackId}', 'file')`,
    },
    'public.uploads': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId, projectId }) =>
        `insert into public.uploads (organization_id, id, project_id, kind, storage_key)
         values ('${organizationId}', gen_random_uuid(), '${projectId}', 'file', '${organizationId}/${projectId}')`,
      row: inOrganization,
      change: "note = 'changed'",
      add: (tenant) =>
        `(organization_id, id, project_id, kind, storage_key)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.projectId}', 'file', '${tenant.organizationId}/${randomUUID()}')`,
    },
    'app.removed_files': {
      rights: ['----', '----', '----', '----', 'si-d'],
      make: () => `insert into app.removed_files (storage_key) values ('made') on conflict do nothing`,
      row: () => "storage_key = 'made'",
      change: 'removed_at = now()',
      add: () => "(storage_key) values ('added')",
    },
  },
  functions: {
    'app.keep_media_kinds()': [],
    'app.on_attachments_deleted()': [],
    'app.on_uploads_deleted()': [],
  },
}

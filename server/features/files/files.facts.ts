import { randomUUID } from 'node:crypto'
import { type Facts, gateOf, inOrganization } from '#server/testing/facts.ts'

/** Ids of a picture and of its annotated copy. */
const [picture, annotation] = [randomUUID(), randomUUID()]

export const facts: Facts = {
  migrations: {
    '0008_files.sql': '12e3fc5eb72a530203ca7af35725214764d153c6a9f4e00242cab4bc42ca7752',
    '0024_picture_gaps.sql': 'ad696da813927f92c54035a137ae22b0ea77d645e076e2e7827040028424f77e',
  },
  tables: {
    'public.feedback_attachments': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      keyRights: 's---',
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
      keyRights: 's---',
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
  withoutCanary: { 'public.uploads.storage_key': 'Consists of ids.' },
  gates: {
    'GET /f/{token}': 'secret address',
    ...gateOf('widget key', [
      'POST /e/{widgetKey}/uploads',
      'HEAD /e/{widgetKey}/uploads/{uploadId}',
      'PATCH /e/{widgetKey}/uploads/{uploadId}',
      'DELETE /e/{widgetKey}/uploads/{uploadId}',
    ]),
  },
  functions: {
    'app.keep_media_kinds()': [],
    'app.on_attachments_deleted()': [],
    'app.on_uploads_deleted()': [],
  },
  routes: {
    addAnnotation: {
      query: `id=${annotation}&of=${picture}`,
      renew: ({ organizationId }) =>
        `insert into feedback_attachments (organization_id, id, feedback_id, kind)
         select organization_id, '${picture}', id, 'screenshot' from feedback
         where organization_id = '${organizationId}' and visitor_id is not null limit 1 on conflict do nothing;
         insert into uploads (organization_id, id, project_id, kind, storage_key, state, mime, completed_at)
         select organization_id, '${picture}', project_id, 'screenshot', organization_id || '/${picture}', 'ready', 'image/png', now()
         from feedback where organization_id = '${organizationId}' and visitor_id is not null limit 1 on conflict do nothing`,
    },
  },
}

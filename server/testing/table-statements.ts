import { randomUUID } from 'node:crypto'

/* What matrix.test.ts tries on each table. */

/** Ids of one organisation's rows. `spare` is somebody who belongs to no organisation. */
export interface Tenant {
  organizationId: string
  projectId: string
  emptyProjectId: string
  feedbackId: string
  viewerId: string
  spareId: string
  /** A member with a picture. */
  picturedId: string
}

/** How to name a row of the tenant, change it and add another. */
export interface Statements {
  row(tenant: Tenant): string
  change: string
  add(tenant: Tenant, callerId: string): string
}

const inOrganization = (tenant: Tenant) => `organization_id = '${tenant.organizationId}'`

/** For every table of schemas public and app. */
export const statements: Record<string, Statements> = {
  'public.audit_log': {
    row: inOrganization,
    change: "action = 'changed'",
    add: (tenant, callerId) =>
      `(organization_id, actor_user_id, action) values ('${tenant.organizationId}', ${callerId ? `'${callerId}'` : 'null'}, 'tried')`,
  },
  'public.avatars': {
    row: (tenant) => `user_id = '${tenant.picturedId}'`,
    change: "mime = 'image/jpeg'",
    add: () => "(user_id, id, mime, bytes) values (gen_random_uuid(), gen_random_uuid(), 'image/png', 'x')",
  },
  'public.exports': {
    row: inOrganization,
    change: 'processed = 1',
    add: (tenant, callerId) =>
      `(organization_id, id, created_by, format, selection)
       values ('${tenant.organizationId}', gen_random_uuid(), ${callerId ? `'${callerId}'` : 'gen_random_uuid()'}, 'csv', '{}')`,
  },
  'public.feedback': {
    row: inOrganization,
    change: "status = 'open'",
    add: (tenant) =>
      `(organization_id, project_id, id, number, type, source, message, page_url, content_hash)
       values ('${tenant.organizationId}', '${tenant.projectId}', gen_random_uuid(), 99, 'bug', 'widget', 'x', '/', sha256('x'))`,
  },
  'public.feedback_attachments': {
    row: inOrganization,
    change: "name = 'changed'",
    add: (tenant) =>
      `(organization_id, id, feedback_id, kind)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.feedbackId}', 'file')`,
  },
  'public.feedback_comments': {
    row: inOrganization,
    change: "text = 'changed'",
    add: (tenant, callerId) =>
      `(organization_id, id, feedback_id, kind, author_user_id, text)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.feedbackId}', 'note', ${callerId ? `'${callerId}'` : 'null'}, 'x')`,
  },
  'public.feedback_day_values': {
    row: inOrganization,
    change: 'n = 2',
    add: ({ organizationId }) => `values ('${organizationId}', '${organizationId}', 'page', '2026-01-02', 'x', 1)`,
  },
  'public.feedback_days': {
    row: inOrganization,
    change: 'items = 2',
    add: ({ organizationId }) =>
      `values ('${organizationId}', '${organizationId}', '2026-01-02', 1, '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}',
         0, 0, '{}', '{}')`,
  },
  'public.feedback_counts': {
    row: inOrganization,
    change: 'n = 2',
    add: (tenant) =>
      `(organization_id, project_id, place, facet, change_id, n)
       values ('${tenant.organizationId}', '${tenant.projectId}', 'inbox', 'added', 0, 1)`,
  },
  'public.feedback_events': {
    row: inOrganization,
    change: "field = 'changed'",
    add: (tenant) =>
      `(organization_id, feedback_id, field) values ('${tenant.organizationId}', '${tenant.feedbackId}', 'status')`,
  },
  'public.feedback_operations': {
    row: inOrganization,
    change: "state = 'failed'",
    add: (tenant, callerId) =>
      `(organization_id, id, actor_user_id, request_hash, change, item_ids)
       values ('${tenant.organizationId}', gen_random_uuid(), ${callerId ? `'${callerId}'` : 'gen_random_uuid()'}, sha256('x'), '{}', '{}')`,
  },
  'public.feedback_words': {
    row: inOrganization,
    change: "word = 'changed'",
    add: (tenant) => `(organization_id, word) values ('${tenant.organizationId}', 'added')`,
  },
  'public.import_problems': {
    row: inOrganization,
    change: "reason = 'changed'",
    add: (tenant) =>
      `(organization_id, import_id, row_number, reason)
       select '${tenant.organizationId}', id, 99, 'x' from imports where organization_id = '${tenant.organizationId}' limit 1`,
  },
  'public.imports': {
    row: inOrganization,
    change: 'processed = 1',
    add: (tenant, callerId) =>
      `(organization_id, id, project_id, created_by, name)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.projectId}', ${callerId ? `'${callerId}'` : 'gen_random_uuid()'}, 'x')`,
  },
  'public.invitations': {
    row: inOrganization,
    change: "role = 'viewer'",
    add: (tenant, callerId) =>
      `(organization_id, email, role, token_hash, invited_by)
       values ('${tenant.organizationId}', 'added@example.com', 'member', sha256('added'), ${callerId ? `'${callerId}'` : 'gen_random_uuid()'})`,
  },
  'public.memberships': {
    row: (tenant) => `${inOrganization(tenant)} and user_id = '${tenant.viewerId}'`,
    change: "role = 'admin'",
    add: (tenant) =>
      `(organization_id, user_id, role) values ('${tenant.organizationId}', '${tenant.spareId}', 'owner')`,
  },
  'public.notices': {
    row: inOrganization,
    change: 'read_at = now()',
    add: (tenant) =>
      `(organization_id, user_id, feedback_id, kind, in_app, mail_due)
       values ('${tenant.organizationId}', '${tenant.picturedId}', '${tenant.feedbackId}', 'assigned', true, false)`,
  },
  'public.notification_preferences': {
    row: inOrganization,
    change: 'seen_until = now()',
    add: (tenant) =>
      `(organization_id, user_id, project_id)
       values ('${tenant.organizationId}', '${tenant.picturedId}', '${tenant.emptyProjectId}')`,
  },
  'public.notification_settings': {
    row: inOrganization,
    change: "time_zone = 'UTC'",
    // For a colleague who has no row yet.
    add: (tenant, callerId) =>
      `(organization_id, user_id) values ('${tenant.organizationId}', coalesce((
         select user_id from public.memberships where organization_id = '${tenant.organizationId}'
           and user_id::text not in ('${tenant.picturedId}', '${callerId}') limit 1), '${tenant.picturedId}'))`,
  },
  'public.organizations': {
    row: (tenant) => `id = '${tenant.organizationId}'`,
    change: "name = 'changed'",
    add: () => "(name, slug) values ('Added', 'added')",
  },
  'public.presence': {
    row: inOrganization,
    change: 'seen_at = now()',
    add: (tenant, callerId) =>
      `(organization_id, user_id, page_id, feedback_id)
       values ('${tenant.organizationId}', ${callerId ? `'${callerId}'` : 'gen_random_uuid()'}, gen_random_uuid(), '${tenant.feedbackId}')`,
  },
  'public.profiles': {
    row: (tenant) => `user_id = '${tenant.viewerId}'`,
    change: "full_name = 'changed'",
    add: () => `(user_id, email) values ('${randomUUID()}', 'x@example.com')`,
  },
  'public.project_counters': {
    row: inOrganization,
    change: 'last_number = 100',
    add: (tenant) => `(organization_id, project_id) values ('${tenant.organizationId}', '${tenant.projectId}')`,
  },
  'public.projects': {
    row: inOrganization,
    change: "name = 'changed'",
    add: (tenant) =>
      `(organization_id, name, domain) values ('${tenant.organizationId}', 'Added', 'added.example.com')`,
  },
  'public.saved_views': {
    row: inOrganization,
    change: "name = 'changed'",
    add: (tenant, callerId) =>
      `(organization_id, id, owner_user_id, name, search, is_shared)
       values ('${tenant.organizationId}', gen_random_uuid(), ${callerId ? `'${callerId}'` : 'null'}, 'Added', '', true)`,
  },
  'public.uploads': {
    row: inOrganization,
    change: "note = 'changed'",
    add: (tenant) =>
      `(organization_id, id, project_id, kind, storage_key)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.projectId}', 'file', '${tenant.organizationId}/${randomUUID()}')`,
  },
  'public.visitor_erasures': {
    row: inOrganization,
    change: 'items = 1',
    add: (tenant, callerId) =>
      `(organization_id, id, subject_hash, requested_by)
       values ('${tenant.organizationId}', gen_random_uuid(), sha256('added'), ${callerId ? `'${callerId}'` : 'gen_random_uuid()'})`,
  },
  'public.visitors': {
    row: inOrganization,
    change: "name = 'changed'",
    add: (tenant) =>
      `(organization_id, key, first_seen_at, last_seen_at) values ('${tenant.organizationId}', 'added', now(), now())`,
  },
  'public.widget_counters': {
    row: inOrganization,
    change: 'n = 2',
    add: (tenant) =>
      `(organization_id, project_id, hour, event, n)
       values ('${tenant.organizationId}', '${tenant.projectId}', '2026-01-01T00:00Z', 'opened', 1)`,
  },
  'public.widget_days': {
    row: inOrganization,
    change: 'loaded = 2',
    add: ({ organizationId, projectId }) => `values ('${organizationId}', '${projectId}', '2026-01-02', 1, 0, 0)`,
  },
  'public.widget_versions': {
    row: inOrganization,
    change: "settings = '{}'",
    add: (tenant) =>
      `(organization_id, project_id, settings) values ('${tenant.organizationId}', '${tenant.projectId}', '{}')`,
  },
  'public.widgets': {
    row: inOrganization,
    change: "settings = '{}'",
    add: (tenant) =>
      `(organization_id, project_id, key) values ('${tenant.organizationId}', '${tenant.emptyProjectId}', 'wk_0123456789012345678901')`,
  },
  'app.email_pauses': {
    row: () => 'true',
    change: 'asked_at = now()',
    add: () => "(kind, address_hash, asked_at) values ('added', '', now())",
  },
  'app.emails': {
    row: () => 'true',
    change: 'attempts = 1',
    add: () =>
      "(id, kind, to_address, subject, html, text) values (gen_random_uuid(), 'added', 'x@example.com', 'x', 'x', 'x')",
  },
  'app.feedback_day_marks': {
    row: inOrganization,
    change: 'is_whole = false',
    add: ({ organizationId }) => `(organization_id, day, is_whole) values ('${organizationId}', '2026-01-01', true)`,
  },
  'app.instance_settings': { row: () => 'true', change: 'billing_enabled = true', add: () => 'default values' },
  'app.job_workers': {
    row: () => 'true',
    change: 'last_seen_at = now()',
    add: () => "(worker_id) values ('added')",
  },
  'app.rate_limits': {
    row: () => "name = 'made'",
    change: 'full_at = now()',
    add: () => "values ('tried', '', now())",
  },
  'app.removed_files': {
    row: () => "storage_key = 'made'",
    change: 'removed_at = now()',
    add: () => "(storage_key) values ('added')",
  },
  'app.schema_migrations': {
    row: () => 'true',
    change: 'finished_at = null',
    add: () => "(name, checksum) values ('added', 'x')",
  },
  'app.superadmins': {
    row: () => 'true',
    change: 'granted_at = now()',
    add: (tenant) => `(user_id) values ('${tenant.spareId}')`,
  },
}

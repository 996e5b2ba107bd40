import { defaultWidgetSettings } from '#contract/widget-settings.ts'
import { type Facts, gateOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0006_widget.sql': '3e9a13354f567a416616822114b1ea8f34fd269018b570c39560c3061683bca5',
  },
  tables: {
    'public.widgets': {
      rights: ['----', '...-', 's..-', 'siu-', 'siud'],
      keyRights: 's---',
      changeable: ['draft', 'draft_token', 'identity_generation', 'key', 'published_at', 'published_by', 'settings'],
      row: inOrganization,
      change: "settings = '{}'",
      add: (tenant) =>
        `(organization_id, project_id, key) values ('${tenant.organizationId}', '${tenant.emptyProjectId}', 'wk_0123456789012345678901')`,
    },
    'public.widget_counters': {
      rights: ['----', '.---', 's---', 's---', 'siu-'],
      make: ({ organizationId, projectId }) =>
        `insert into public.widget_counters (organization_id, project_id, hour, event, n)
         values ('${organizationId}', '${projectId}', '2026-01-01T00:00Z', 'loaded', 1)`,
      row: inOrganization,
      change: 'n = 2',
      add: (tenant) =>
        `(organization_id, project_id, hour, event, n)
       values ('${tenant.organizationId}', '${tenant.projectId}', '2026-01-01T00:00Z', 'opened', 1)`,
    },
    'public.widget_versions': {
      rights: ['----', '..-.', 's.-.', 'si-d', 'siud'],
      make: ({ organizationId, projectId }) =>
        `insert into public.widget_versions (organization_id, project_id, settings)
         values ('${organizationId}', '${projectId}', '{}')`,
      row: inOrganization,
      change: "settings = '{}'",
      add: (tenant) =>
        `(organization_id, project_id, settings) values ('${tenant.organizationId}', '${tenant.projectId}', '{}')`,
    },
  },
  withoutCanary: {
    'public.widgets.key': 'Is public, and of a fixed form.',
    'public.widgets.draft': 'Exists together with a token only. As public.widgets.settings.',
    'public.widgets.draft_token': 'Is of a fixed form.',
  },
  functions: {
    'app.on_project_domain_changed()': [],
    'app.on_widget_changed()': [],
  },
  gates: {
    ...gateOf('nothing', ['GET /e/preview', 'GET /e/trial', 'GET /e/a/*']),
    ...gateOf('widget key', ['GET /e/{file}', 'GET /e/{widgetKey}/{file}', 'POST /e/{widgetKey}/n/{event}']),
  },
  routes: {
    saveWidgetDraft: {
      body: () => defaultWidgetSettings,
      fullBody: () => ({
        ...defaultWidgetSettings,
        fields: [{ id: 'plan', kind: 'select', label: 'Your plan', required: true, options: ['Free', 'Paid'] }],
        consent: { text: 'You may write to me.', required: true },
        privacy: { ...defaultWidgetSettings.privacy, mask: ['.card'] },
        contactEmail: 'help@example.com',
        greeting: 'We read every message.',
        teamPicture: 'data:image/webp;base64,UklGRg==',
        texts: { en: { title: 'Tell us' } },
      }),
    },
    publishWidget: { body: () => ({}) },
    undoWidgetPublish: { body: () => ({}) },
    rotateIdentitySecret: { body: () => ({}) },
    submitFeedback: {
      fullBody: () => ({
        id: crypto.randomUUID(),
        type: 'bug',
        message: 'It jumps.',
        rating: 3,
        nps: 9,
        fields: { plan: 'Free', agreed: true },
        consent: true,
        tags: ['checkout'],
        visitor: { id: 'u_1', hash: 'ab'.repeat(32) },
        visitorKey: 'AAAAAAAAAAAAAAAAAAAAAA',
        attachments: [
          { id: crypto.randomUUID(), kind: 'screenshot', name: 'page.png', durationMs: 0, missing: ['images'] },
        ],
        guard: { elapsedMs: 20_000, website: '' },
        email: 'visitor@example.org',
        name: 'Grace',
        page: { url: 'https://shop.example/', title: 'Shop' },
        context: { a: 1 },
        metadata: { b: 2 },
      }),
    },
  },
}

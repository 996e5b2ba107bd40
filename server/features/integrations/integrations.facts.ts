import { type Facts, idOf, inOrganization, type OwnerCall, type Tenant } from '#server/testing/facts.ts'

const insertIntegration = (tenant: Tenant, createdBy: string) =>
  `(organization_id, type, name, settings, secrets, event_names, is_tracker, created_by)
   values ('${tenant.organizationId}', 'github', 'made', '{"repository": "acme/web"}', 'v1.none', '{feedback.created}',
     true, ${createdBy})`

const insertGithubApp = ({ organizationId }: Tenant, userId: string) =>
  `(organization_id, user_id, session_id, state_hash, web_url, account, expires_at)
   values ('${organizationId}', ${userId}, 'made', sha256(convert_to(gen_random_uuid()::text, 'UTF8')),
     'https://github.com', 'acme', now() + interval '1 hour')`

const anyIntegration = ({ organizationId }: Tenant) =>
  `(select id from public.integrations where organization_id = '${organizationId}' order by id limit 1)`

/** Its address resolves to nothing, so no test reaches another machine. */
const webhookBody = () => ({
  type: 'webhook',
  name: 'Webhook of the matrix',
  config: { url: 'http://127.0.0.1:9/', headers: 'X-Tenant: acme' },
  events: ['feedback.created'],
  rules: { type: ['bug'] },
})

const mappingOfTheMatrix = {
  statuses: { todo: 'open', done: 'closed' },
  stages: [{ statusId: 'open', stage: 'started' }],
  labels: { type: true, tags: true },
}

const renew = ({ organizationId, integrationId }: Readonly<Record<string, string>>) =>
  `insert into public.integrations (organization_id, id, type, name, settings, secrets, event_names, is_tracker, created_by)
   values ('${organizationId}', '${integrationId}', 'github', 'made', '{"repository": "acme/web"}', 'v1.none',
     '{feedback.created}', true, gen_random_uuid())
   on conflict (organization_id, id) do update set removed_at = null, state = 'active', is_tracker = true`

async function connect(call: OwnerCall): Promise<string> {
  const reply = await call('/integrations', { body: webhookBody() })
  // Our own server's answer, by its contract.
  return ((await reply.json()) as { id: string }).id
}

export const facts: Facts = {
  migrations: {
    '0031_integrations.sql': '9153e9cf82e5b3d8bd80fea414574b9d98a5e007a4461b7a228b5b6f547e536a',
    '0032_issue_links.sql': '0d1fcc6cf49158c6bd8ad4eee9fc6481e963b7d78d34dcda3b731aac2b0689a4',
    '0035_integration_removal.sql': '5767436f436fed96e9b345628884378a648dacfabfdae6205ef941039ec38acd',
    '0036_mapping_and_resolutions.sql': '9c631e26cadf1b0cdd1be21ff8b6793057e786fdf0c4b253b955c4a7e2a1a5a3',
    '0037_issue_marks.sql': '304f3bbf0a8c37de83a5071ed6e3134dd8d89492e50da83c19ed7cbfa1b9ec24',
    '0038_github_apps.sql': '0c07c74868204b0d5b6d93208313939135b17a637cbf33fd7f3320708559b36f',
    '0039_tracker_hooks.sql': '388231ea0b12d15015d942e4bf7695a55bea3c5905203f78929fbc0f63372aa3',
  },
  tables: {
    'public.integrations': {
      rights: ['----', '...-', 's..-', 'siu-', 's-ud'],
      keyRights: 's---',
      changeable: [
        'account',
        'credentials_end_at',
        'event_names',
        'mapping',
        'name',
        'rules',
        'secret_names',
        'secrets',
        'settings',
        'state',
        'state_reason',
        'updated_at',
      ],
      make: (tenant) => `insert into public.integrations ${insertIntegration(tenant, `'${tenant.ownerId}'`)}`,
      row: inOrganization,
      change: `name = 'changed'`,
      add: (tenant, callerId) => insertIntegration(tenant, idOf(callerId)),
    },
    'public.integration_queues': {
      rights: ['----', '.---', 's---', 's---', 's-u-'],
      row: inOrganization,
      change: 'failures = 1',
      add: (tenant) =>
        `(organization_id, integration_id) values ('${tenant.organizationId}', ${anyIntegration(tenant)})`,
    },
    'public.deliveries': {
      rights: ['----', '...-', '...-', 'siu-', 'siud'],
      changeable: ['ended_at', 'next_attempt_at', 'state'],
      make: (tenant) =>
        `insert into public.deliveries (organization_id, integration_id, event_name, feedback_id, subject_id)
         values ('${tenant.organizationId}', ${anyIntegration(tenant)}, 'feedback.created', '${tenant.feedbackId}',
           '${tenant.feedbackId}')`,
      row: inOrganization,
      change: `state = 'waiting'`,
      add: (tenant) =>
        `(organization_id, integration_id, event_name, feedback_id, subject_id)
         values ('${tenant.organizationId}', ${anyIntegration(tenant)}, 'feedback.updated', '${tenant.feedbackId}',
           '${tenant.feedbackId}')`,
    },
    'public.delivery_attempts': {
      rights: ['----', '.---', '.---', 's---', 'siu-'],
      make: ({ organizationId }) =>
        `insert into public.delivery_attempts (organization_id, delivery_id, number, duration_ms, response)
         select organization_id, id, 1, 5, 'made' from public.deliveries where organization_id = '${organizationId}'`,
      row: inOrganization,
      change: 'duration_ms = 6',
      add: ({ organizationId }) =>
        `(organization_id, delivery_id, number, duration_ms)
         select organization_id, id, 2, 5 from public.deliveries where organization_id = '${organizationId}' limit 1`,
    },
    'public.issue_links': {
      rights: ['----', '..-.', 'si-d', 'si-d', 'siud'],
      keyRights: 'si--',
      make: (tenant) =>
        `insert into public.integrations ${insertIntegration(tenant, `'${tenant.ownerId}'`)};
         insert into public.issue_links (organization_id, integration_id, feedback_id, issue_key, label)
         select organization_id, id, '${tenant.feedbackId}', 'acme/web#1', 'acme/web#1' from public.integrations
         where organization_id = '${tenant.organizationId}' order by created_at desc, id desc limit 1`,
      row: inOrganization,
      change: `label = 'changed'`,
      add: (tenant, callerId) =>
        `(organization_id, integration_id, feedback_id, created_by)
         values ('${tenant.organizationId}', ${anyIntegration(tenant)}, '${tenant.feedbackId}', ${idOf(callerId)})`,
    },
    'public.issue_comments': {
      rights: ['----', '----', '----', '----', 'si--'],
      make: ({ organizationId }) =>
        `insert into public.issue_comments (organization_id, link_id, comment_id, remote_id, origin)
         select organization_id, id, gen_random_uuid(), '1', 'item' from public.issue_links
         where organization_id = '${organizationId}'`,
      row: inOrganization,
      change: `remote_id = '2'`,
      add: ({ organizationId }) =>
        `(organization_id, link_id, comment_id, remote_id, origin)
         select organization_id, id, gen_random_uuid(), '3', 'item' from public.issue_links
         where organization_id = '${organizationId}'`,
    },
    'public.github_apps': {
      rights: ['----', '....', '....', 'siud', 's--d'],
      changeable: ['app_name', 'expires_at', 'page_url', 'secrets', 'state_hash'],
      make: (tenant) =>
        `insert into public.github_apps ${insertGithubApp(tenant, `'${tenant.ownerId}'`)};
         update public.github_apps set app_name = 'made', page_url = 'https://github.com/apps/made', secrets = 'v1.none'`,
      row: inOrganization,
      change: `app_name = 'changed', secrets = 'v1.none'`,
      add: (tenant, callerId) => insertGithubApp(tenant, idOf(callerId)),
    },
    'public.tracker_hooks': {
      rights: ['----', '----', '----', '----', 'si-d'],
      make: (tenant) =>
        `insert into public.tracker_hooks (organization_id, integration_id, hook_id)
         values ('${tenant.organizationId}', ${anyIntegration(tenant)}, 'made')`,
      row: inOrganization,
      change: `received_at = now()`,
      add: (tenant) =>
        `(organization_id, integration_id, hook_id)
         values ('${tenant.organizationId}', ${anyIntegration(tenant)}, gen_random_uuid()::text)`,
    },
  },
  functions: {
    'app.announce_link()': [],
    'app.announce_links()': [],
    'app.request_issue_syncs(uuid,uuid[])': ['service_role'],
    'app.sync_new_link()': [],
    'app.after_issue_link()': [],
    'app.request_tracker_hook(uuid,uuid)': ['service_role'],
    'app.keep_tracker_hook()': [],
    'app.add_integration_queue()': [],
    'app.call_for_delivery()': [],
    'app.count_waiting_deliveries(uuid,uuid,integer)': ['authenticated'],
    'app.disconnect_integration(uuid,uuid)': ['authenticated'],
    'app.follow_integration_state()': [],
  },
  withoutCanary: {
    'public.integrations.secrets': 'Is encrypted.',
    'public.github_apps.secrets': 'Is encrypted.',
    'public.github_apps.session_id': 'Names a session.',
    'public.github_apps.web_url': 'Is an origin.',
    'public.integrations.secret_names': 'Names fields of a form.',
    'public.integrations.event_names': 'Names events of the code.',
    'public.integrations.type': 'Names a service of the code.',
    'public.deliveries.event_name': 'Names an event of the code.',
  },
  ids: {
    integrationId: { table: 'public.integrations' },
    deliveryId: { table: 'public.deliveries' },
    linkId: { table: 'public.issue_links' },
    githubAppId: { table: 'public.github_apps' },
  },
  gates: {
    'POST /api/v1/hooks/{organizationId}/{integrationId}': 'signed call',
    'GET /api/v1/github-apps/{state}': 'one-time secret',
  },
  routes: {
    createIntegration: {
      body: webhookBody,
      fullBody: () => ({ ...webhookBody(), mapping: { ...mappingOfTheMatrix, labels: {} } }),
    },
    // Each caller deletes it.
    deleteIntegration: { renew },
    startGithubApp: { fullBody: () => ({ account: 'acme', webUrl: 'http://127.0.0.1:9' }) },
    createGithubApp: { body: () => ({ code: 'made', state: 'made' }), refusal: 'github_app_state_invalid' },
    listGithubRepositories: { refusal: 'integration_unreadable' },
    connectGithubApp: {
      body: () => ({ repository: 'acme/web' }),
      fullBody: () => ({ repository: 'acme/web', labels: 'feedback', createAutomatically: true }),
      refusal: 'integration_unreadable',
    },
    linkIssue: {
      body: ({ integrationId }) => ({ integrationId, reference: '#12' }),
      renew: ({ organizationId }) => `delete from public.issue_links where organization_id = '${organizationId}'`,
    },
    createIssues: { body: ({ feedbackId }) => ({ feedbackIds: [feedbackId] }), renew },
    unlinkIssue: {
      renew: ({ organizationId, integrationId, feedbackId, linkId }) =>
        `delete from public.issue_links where organization_id = '${organizationId}';
         insert into public.issue_links (organization_id, id, integration_id, feedback_id)
         values ('${organizationId}', '${linkId}', '${integrationId}', '${feedbackId}')`,
    },
    updateIntegration: {
      body: () => ({ name: 'Renamed', events: ['feedback.created'], rules: {} }),
      fullBody: () => ({ name: 'Renamed', events: ['feedback.created'], rules: {}, mapping: mappingOfTheMatrix }),
    },
    previewIssue: { body: ({ feedbackId }) => ({ feedbackId, mapping: mappingOfTheMatrix }) },
    rotateIntegrationSecret: { body: () => ({ overlapHours: 1 }), renew },
    replayDeliveries: { body: () => ({ since: '2026-01-01T00:00:00.000Z' }) },
  },
  events: {
    'integration.connected': async (call) => [await connect(call)],
    'integration.updated': async (call) => {
      const id = await connect(call)
      await call(`/integrations/${id}`, { method: 'PATCH', body: { state: 'paused' } })
      return [id]
    },
    'integration.secret_rotated': async (call) => {
      const id = await connect(call)
      await call(`/integrations/${id}/secret`, { body: { overlapHours: 1 } })
      return [id]
    },
    'integration.disconnected': async (call) => {
      const id = await connect(call)
      await call(`/integrations/${id}`, { method: 'DELETE' })
      return [id]
    },
  },
}

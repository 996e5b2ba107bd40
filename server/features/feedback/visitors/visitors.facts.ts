import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0016_visitor_joins.sql': '9b5061248f76f2e5040543a7ec920a4a8f57b417b6c7a58d1aa15c90742e6377',
    '0019_erasure_keys.sql': '2ccdd7741a21913410cf9e498300e5f6f9d27ae38421e5a543211a34c5f7799e',
    '0023_visitors_and_annotations.sql': '4f97b1d18710ff52a89e2610cdb809d5195f4c1f1bde5d27f20d2a5f5b570449',
    '0033_key_erasures.sql': 'a5d992d92ec2be43a672813d6519e726f18e80dd435eed28e8817a22d185e927',
  },
  tables: {
    'public.visitors': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      keyRights: '.---',
      make: ({ organizationId, feedbackId }) =>
        `insert into public.visitors (organization_id, key, first_seen_at, last_seen_at)
         values ('${organizationId}', 'made', now(), now());
         update public.feedback set visitor_id = 'made' where id = '${feedbackId}'`,
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant) =>
        `(organization_id, key, first_seen_at, last_seen_at) values ('${tenant.organizationId}', 'added', now(), now())`,
    },
    'public.visitor_joins': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      keyRights: '.---',
      make: ({ organizationId }) =>
        `insert into public.visitor_joins (organization_id, part_key, into_key, root_key, cause)
         values ('${organizationId}', 'part', 'made', 'made', 'member')`,
      row: inOrganization,
      change: 'joined_at = now()',
      add: (tenant) =>
        `(organization_id, part_key, into_key, root_key, cause)
       values ('${tenant.organizationId}', 'another part', 'made', 'made', 'member')`,
    },
    'app.visitor_marks': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: ({ organizationId }) =>
        `insert into app.visitor_marks (organization_id, key) values ('${organizationId}', 'made')`,
      row: inOrganization,
      change: "key = 'changed'",
      add: ({ organizationId }) => `(organization_id, key) values ('${organizationId}', 'added')`,
    },
    'public.visitor_erasures': {
      rights: ['----', '..--', 'si--', 'si--', 's-u-'],
      keyRights: 'si--',
      make: ({ organizationId, projectId, ownerId }) =>
        `insert into public.visitor_erasures (organization_id, project_id, id, subject_hash, requested_by)
         values ('${organizationId}', '${projectId}', gen_random_uuid(), sha256('made'), '${ownerId}')`,
      row: inOrganization,
      change: 'items = 1',
      add: (tenant, callerId) =>
        `(organization_id, project_id, id, subject_hash, requested_by)
       values ('${tenant.organizationId}', '${tenant.projectId}', gen_random_uuid(), sha256('added'), ${idOf(callerId)})`,
    },
  },
  functions: {
    'app.find_visitor_addresses(uuid,text[],integer)': ['service_role'],
    'app.list_visitor_feedback(uuid,text,timestamp with time zone,uuid,integer,boolean)': [
      'authenticated',
      'earshot_api_key',
    ],
    'app.list_key_visitors(text,timestamp with time zone,text,integer)': ['earshot_api_key'],
    'app.list_visitor_keys(uuid,text)': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.list_visitors(uuid,text,text,integer,timestamp with time zone,text,integer)': ['authenticated'],
    'app.mark_changed_visitors()': [],
    'app.mark_deleted_visitors()': [],
  },
  ids: { erasureId: { table: 'public.visitor_erasures' } },
  routes: {
    getVisitor: { query: 'visitor=made' },
    listVisitorFeedback: { query: 'visitor=made' },
    exportVisitor: { query: 'visitor=made' },
    previewErasure: { query: 'visitor=made' },
    joinVisitors: {
      body: () => ({ into: 'made', part: 'part' }),
      renew: ({ organizationId }) =>
        `update feedback f set visitor_id = case when o.n = 1 then 'made' else 'part' end
         from (select id, row_number() over (order by deleted_at nulls first, id) as n from feedback
           where organization_id = '${organizationId}' and (visitor_id is null or visitor_id in ('made', 'part'))) o
         where f.organization_id = '${organizationId}' and f.id = o.id`,
    },
    separateVisitor: {
      body: () => ({ part: 'part' }),
      renew: ({ organizationId }) =>
        `insert into visitor_joins (organization_id, part_key, into_key, root_key, cause)
         values ('${organizationId}', 'part', 'made', 'made', 'member') on conflict do nothing`,
    },
    eraseVisitor: { body: () => ({ id: crypto.randomUUID(), visitor: 'unknown', confirmation: 'unknown' }) },
  },
}

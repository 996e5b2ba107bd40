import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.visitors': {
      rights: ['----', '.---', 's---', 's---', 'siud'],
      make: ({ organizationId, feedbackId }) =>
        `insert into public.visitors (organization_id, key, first_seen_at, last_seen_at)
         values ('${organizationId}', 'made', now(), now());
         update public.feedback set visitor_id = 'made' where id = '${feedbackId}'`,
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant) =>
        `(organization_id, key, first_seen_at, last_seen_at) values ('${tenant.organizationId}', 'added', now(), now())`,
    },
    'public.visitor_erasures': {
      rights: ['----', '..--', 'si--', 'si--', 's-u-'],
      make: ({ organizationId, ownerId }) =>
        `insert into public.visitor_erasures (organization_id, id, subject_hash, requested_by)
         values ('${organizationId}', gen_random_uuid(), sha256('made'), '${ownerId}')`,
      row: inOrganization,
      change: 'items = 1',
      add: (tenant, callerId) =>
        `(organization_id, id, subject_hash, requested_by)
       values ('${tenant.organizationId}', gen_random_uuid(), sha256('added'), ${idOf(callerId)})`,
    },
  },
  functions: {
    'app.find_visitor_addresses(uuid,text,integer)': ['service_role'],
    'app.list_visitor_feedback(uuid,text,timestamp with time zone,uuid,integer)': ['authenticated'],
    'app.list_visitors(uuid,text,timestamp with time zone,text,integer)': ['authenticated'],
  },
  routes: {
    getVisitor: { query: 'visitor=made' },
    listVisitorFeedback: { query: 'visitor=made' },
    exportVisitor: { query: 'visitor=made' },
    previewErasure: { query: 'visitor=made' },
    eraseVisitor: { body: () => ({ id: crypto.randomUUID(), visitor: 'unknown', confirmation: 'unknown' }) },
  },
}

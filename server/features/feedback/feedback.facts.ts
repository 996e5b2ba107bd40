import { type Facts, inOrganization } from '#server/testing/facts.ts'

const makeFacets =
  'app.make_facets(text,uuid,text,text,text,text,uuid,text,smallint,text[],text[],text,text,timestamp with time zone,timestamp with time zone,timestamp with time zone)'

export const facts: Facts = {
  migrations: {
    '0007_feedback.sql': '847d6e2cd9de0fb2038dfc58b80b10cc7cb2934454a35a9e6e823ab08677d819',
  },
  tables: {
    'public.feedback': {
      rights: ['----', '.-.-', 's-u-', 's-u-', 'siud'],
      changeable: [
        'archived_at',
        'assignee_user_id',
        'closed_reason',
        'deleted_at',
        'first_response_at',
        'first_viewed_at',
        'merged_into',
        'priority',
        'spam_reason',
        'status',
        'tags',
      ],
      row: inOrganization,
      change: "status = 'open'",
      add: (tenant) =>
        `(organization_id, project_id, id, number, type, source, message, page_url, content_hash)
       values ('${tenant.organizationId}', '${tenant.projectId}', gen_random_uuid(), 99, 'bug', 'widget', 'x', '/', sha256('x'))`,
    },
    'public.feedback_counts': {
      rights: ['----', '.---', 's---', 's---', 's---'],
      row: inOrganization,
      change: 'n = 2',
      add: (tenant) =>
        `(organization_id, project_id, location, facet, change_id, n)
       values ('${tenant.organizationId}', '${tenant.projectId}', 'inbox', 'added', 0, 1)`,
    },
    'public.feedback_events': {
      rights: ['----', '.---', 's---', 's---', 'si--'],
      make: ({ feedbackId }) => `update public.feedback set priority = 'high' where id = '${feedbackId}'`,
      row: inOrganization,
      change: "field = 'changed'",
      add: (tenant) =>
        `(organization_id, feedback_id, field) values ('${tenant.organizationId}', '${tenant.feedbackId}', 'status')`,
    },
    'public.feedback_words': {
      rights: ['----', '----', '----', '----', 's---'],
      make: ({ organizationId }) => `insert into public.feedback_words values ('${organizationId}', 'chair')`,
      row: inOrganization,
      change: "word = 'changed'",
      add: (tenant) => `(organization_id, word) values ('${tenant.organizationId}', 'added')`,
    },
  },
  functions: {
    'app.tidy_search_index()': ['service_role'],
    'app.change_tags(text[],text[],text[])': ['authenticated', 'service_role'],
    'app.hold_member(uuid,uuid)': ['authenticated'],
    'app.fill_in_search()': [],
    'app.store_submissions(json)': ['authenticator'],
    'app.find_feedback(uuid,text,uuid[],jsonb,text,timestamp with time zone,timestamp with time zone,text,timestamp with time zone,uuid,integer)':
      ['authenticated'],
    // Parts of app.find_feedback and of the counts, called by their owner alone.
    'app.collect_feedback(app.inbox_query,integer)': [],
    'app.estimate_selection(uuid,text,uuid[],jsonb)': [],
    'app.list_counted_facets(tsvector,text[],boolean)': [],
    'app.read_feedback_in_order(app.inbox_query,integer)': [],
    'app.walk_feedback(app.inbox_query,app.inbox_reading,numeric,numeric,integer)': [],
    'app.write_inbox_sql(app.inbox_query,text)': [],
    'app.fold_feedback_counts()': ['service_role'],
    'app.learn_words(uuid,uuid[])': ['service_role'],
    'app.get_location(timestamp with time zone,uuid,text,timestamp with time zone)': ['authenticated', 'service_role'],
    'app.get_facet_prefix(uuid,text)': ['authenticated', 'service_role'],
    [makeFacets]: ['authenticated', 'service_role'],
    'app.make_list_facets(text,text[],text[])': ['authenticated', 'service_role'],
    'app.similar_words(uuid,text[])': ['authenticated'],
    'app.forget_words(uuid,text[])': ['service_role'],
    'app.find_similar_feedback(uuid,uuid,integer)': ['authenticated'],
    'app.count_feedback()': [],
    'app.make_time_query(text,timestamp with time zone,timestamp with time zone)': [],
    'app.make_search(text,text,text,text,text)': ['service_role'],
    'app.after_feedback_update()': [],
    'app.before_feedback_update()': [],
    'app.on_member_gone()': [],
    'app.record_feedback_changes()': [],
    'app.record_feedback_deletion()': [],
    'app.add_system_policies()': [],
  },
  inlined: {
    'app.get_location(timestamp with time zone,uuid,text,timestamp with time zone)': 'Computed for every item written.',
    'app.get_facet_prefix(uuid,text)': 'As app.get_location.',
    [makeFacets]: 'As app.get_location.',
    'app.list_counted_facets(tsvector,text[],boolean)': 'As app.get_location.',
  },
  routes: {
    updateFeedback: {
      body: () => ({ viewed: true }),
      fullBody: () => ({ status: 'closed', closedReason: 'wont_fix', priority: 'high', viewed: true }),
    },
  },
}

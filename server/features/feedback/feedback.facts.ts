import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

const makeFacets =
  'app.make_facets(text,uuid,text,text,text,text,uuid,text,smallint,text[],text[],text,text,timestamp with time zone,timestamp with time zone,text)'

export const facts: Facts = {
  migrations: {
    '0022_inbox_state.sql': '2fe0e4f69e97470f4d886c3418fe8e7f31331d4ad92eb87c97a291b1790ffe51',
    '0007_feedback.sql': '847d6e2cd9de0fb2038dfc58b80b10cc7cb2934454a35a9e6e823ab08677d819',
    '0017_unanswered.sql': '6435747a74749be96271479a1c53daf1bad1f1012b23ed1ebac6f33eaeb4035f',
  },
  tables: {
    'public.feedback': {
      rights: ['----', '.-.-', 's-u-', 's-u-', 'siud'],
      keyRights: 's-u-',
      changeable: [
        'archived_at',
        'assignee_user_id',
        'closed_reason',
        'deleted_at',
        'first_response_at',
        'first_viewed_at',
        'merged_into',
        'priority',
        'snoozed_until',
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
      keyRights: 's---',
      make: ({ feedbackId }) => `update public.feedback set priority = 'high' where id = '${feedbackId}'`,
      row: inOrganization,
      change: "field = 'changed'",
      add: (tenant) =>
        `(organization_id, feedback_id, field) values ('${tenant.organizationId}', '${tenant.feedbackId}', 'status')`,
    },
    'public.feedback_reads': {
      rights: ['----', '...-', '.i.-', '.i.-', 'si--'],
      // Granted for the condition of unread items, without a policy.
      keyRights: '.---',
      changeable: ['former_seen_at', 'operation_id', 'seen_at'],
      make: ({ organizationId, feedbackId, picturedId }) =>
        `insert into public.feedback_reads (organization_id, feedback_id, user_id, seen_at)
         values ('${organizationId}', '${feedbackId}', '${picturedId}', now())`,
      row: inOrganization,
      change: 'seen_at = now()',
      add: (tenant, callerId) =>
        `(organization_id, feedback_id, user_id, seen_at)
       values ('${tenant.organizationId}', '${tenant.feedbackId}', ${idOf(callerId)}, now())`,
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
    'app.change_tags(text[],text[],text[])': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.hold_member(uuid,uuid)': ['authenticated', 'earshot_api_key'],
    'app.fill_in_search()': [],
    'app.store_submissions(json)': ['authenticator'],
    'app.find_feedback(uuid,text,uuid[],jsonb,text,timestamp with time zone,timestamp with time zone,boolean,text,timestamp with time zone,uuid,integer)':
      ['authenticated', 'earshot_api_key'],
    'app.count_groups(uuid,text,uuid[],jsonb,text,timestamp with time zone,timestamp with time zone,boolean,text,text,integer)':
      ['authenticated'],
    'app.count_matches(uuid,text,uuid[],jsonb,text,timestamp with time zone,timestamp with time zone,boolean,integer)':
      ['authenticated'],
    'app.get_read_until(uuid)': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.list_unread_exceptions(uuid)': ['authenticated'],
    'app.count_unread(uuid,text,text[],uuid[],integer)': ['authenticated'],
    'app.compact_feedback_reads(integer,integer)': ['service_role'],
    'app.get_search_start(uuid,timestamp with time zone,boolean)': [],
    // Parts of app.find_feedback and of the counts, called by their owner alone.
    'app.collect_feedback(app.inbox_query,integer)': [],
    'app.estimate_selection(uuid,text,uuid[],jsonb)': [],
    'app.get_counted_location(text,text)': [],
    'app.list_counted_facets(tsvector,text[],boolean)': [],
    'app.read_feedback_in_order(app.inbox_query,numeric,integer)': [],
    'app.walk_feedback(app.inbox_query,app.inbox_reading,numeric,numeric,integer)': [],
    'app.write_inbox_sql(app.inbox_query,text)': [],
    'app.fold_feedback_counts()': ['service_role'],
    'app.learn_words(uuid,uuid[])': ['service_role'],
    'app.wake_feedback(integer)': ['service_role'],
    'app.get_location(timestamp with time zone,uuid,text,timestamp with time zone,timestamp with time zone)': [
      'authenticated',
      'earshot_api_key',
      'service_role',
    ],
    'app.get_facet_prefix(uuid,text)': ['authenticated', 'earshot_api_key', 'service_role'],
    [makeFacets]: ['authenticated', 'earshot_api_key', 'service_role'],
    'app.make_list_facets(text,text[],text[])': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.similar_words(uuid,text[])': ['authenticated', 'earshot_api_key'],
    'app.forget_words(uuid,text[])': ['service_role'],
    'app.list_frequent_words(uuid,text[])': ['service_role'],
    'app.find_similar_feedback(uuid,uuid,integer)': ['authenticated', 'earshot_api_key'],
    'app.count_feedback()': [],
    'app.make_time_query(text,timestamp with time zone,timestamp with time zone)': [],
    'app.get_block_start(bigint,integer)': [],
    'app.make_search(text,text,text,text,text)': ['service_role'],
    'app.after_feedback_update()': [],
    'app.before_feedback_update()': [],
    'app.on_member_gone()': [],
    'app.record_feedback_changes()': [],
    'app.record_feedback_deletion()': [],
    'app.add_system_policies()': [],
  },
  inlined: {
    'app.get_location(timestamp with time zone,uuid,text,timestamp with time zone,timestamp with time zone)':
      'Computed for every item written.',
    'app.get_facet_prefix(uuid,text)': 'As app.get_location.',
    [makeFacets]: 'As app.get_location.',
    'app.get_counted_location(text,text)': 'As app.get_location.',
    'app.list_counted_facets(tsvector,text[],boolean)': 'As app.get_location.',
    'app.make_search(text,text,text,text,text)': 'Evaluated for every item written.',
  },
  routes: {
    groupFeedback: { query: 'by=status' },
    apiCreateFeedback: {
      body: () => ({ type: 'bug', message: 'The basket empties itself.' }),
      fullBody: () => ({
        type: 'idea',
        message: 'Please add a dark mode.',
        rating: 4,
        nps: 9,
        fields: { plan: 'Pro' },
        consent: true,
        visitor: { id: 'u_1', email: 'ada@example.com', name: 'Ada' },
        page: { url: 'https://shop.example/basket', title: 'Basket' },
        tags: ['theme'],
        context: { language: 'en' },
        metadata: { plan: 'Pro' },
        attachments: [{ id: crypto.randomUUID(), kind: 'file', name: 'log.txt', durationMs: 0 }],
      }),
    },
    apiUpdateFeedback: {
      body: () => ({ priority: 'high' }),
      fullBody: () => ({
        status: 'closed',
        closedReason: 'wont_fix',
        priority: 'high',
        assigneeId: null,
        tags: ['theme'],
        archived: false,
        spam: false,
        deleted: false,
      }),
    },
    apiChangeMany: {
      body: () => ({ ids: [crypto.randomUUID()], change: { priority: 'high' } }),
      fullBody: () => ({
        ids: [crypto.randomUUID()],
        change: {
          status: 'closed',
          closedReason: 'wont_fix',
          priority: 'high',
          assigneeId: null,
          addTags: ['theme'],
          removeTags: ['old'],
          archived: false,
          spam: false,
          deleted: false,
        },
      }),
    },
    apiAddComment: { body: () => ({ kind: 'note', text: 'Seen in the logs too.' }) },
    updateFeedback: {
      body: () => ({ viewed: true }),
      fullBody: () => ({
        status: 'closed',
        closedReason: 'wont_fix',
        priority: 'high',
        snoozedUntil: null,
        viewed: true,
      }),
    },
  },
}

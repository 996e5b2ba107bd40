import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.feedback_comments': {
      rights: ['----', '..--', 'si--', 'si--', 'siud'],
      keyRights: 'si--',
      make: ({ organizationId, feedbackId }) =>
        `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text)
         values ('${organizationId}', gen_random_uuid(), '${feedbackId}', 'note', 'made')`,
      row: inOrganization,
      change: "text = 'changed'",
      add: (tenant, callerId) =>
        `(organization_id, id, feedback_id, kind, author_user_id, text)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.feedbackId}', 'note', ${callerId ? `'${callerId}'` : 'null'}, 'x')`,
    },
    'public.resolution_emails': {
      rights: ['----', '----', '----', '----', 'si--'],
      make: ({ organizationId, feedbackId }) =>
        `insert into public.resolution_emails (organization_id, feedback_id) values ('${organizationId}', '${feedbackId}')`,
      row: inOrganization,
      change: 'queued_at = now()',
      add: ({ organizationId }) =>
        `(organization_id, feedback_id)
         select organization_id, id from public.feedback f where organization_id = '${organizationId}'
           and not exists (select from public.resolution_emails e where e.feedback_id = f.id) limit 1`,
    },
  },
  functions: {
    'app.queue_reply(uuid,uuid,uuid,text,text,text,text)': ['authenticated', 'earshot_api_key'],
    'app.mark_reply_unsent(uuid,uuid)': ['authenticated', 'earshot_api_key'],
    'app.after_comment_insert()': [],
    'app.after_feedback_merge()': [],
    'app.after_reply_mail()': [],
  },
  routes: {
    addAnswer: {
      body: () => ({ id: crypto.randomUUID(), text: 'It works now.' }),
      fullBody: () => ({ id: crypto.randomUUID(), text: 'It works now.', solved: false }),
    },
    addComment: {
      body: () => ({ id: crypto.randomUUID(), kind: 'note', text: 'Seen.' }),
      fullBody: () => ({ id: crypto.randomUUID(), kind: 'reply', text: 'It is mended.' }),
    },
  },
}

import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.feedback_comments': {
      rights: ['----', '..--', 'si--', 'si--', 'siud'],
      make: ({ organizationId, feedbackId }) =>
        `insert into public.feedback_comments (organization_id, id, feedback_id, kind, text)
         values ('${organizationId}', gen_random_uuid(), '${feedbackId}', 'note', 'made')`,
      row: inOrganization,
      change: "text = 'changed'",
      add: (tenant, callerId) =>
        `(organization_id, id, feedback_id, kind, author_user_id, text)
       values ('${tenant.organizationId}', gen_random_uuid(), '${tenant.feedbackId}', 'note', ${callerId ? `'${callerId}'` : 'null'}, 'x')`,
    },
  },
  functions: {
    'app.queue_reply(uuid,uuid,uuid,text,text,text,text)': ['authenticated'],
    'app.mark_reply_unsent(uuid,uuid)': ['authenticated'],
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

import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.feedback_operations': {
      rights: ['----', '...-', '.i.-', '.i.-', 's-ud'],
      keyRights: '.i.-',
      changeable: ['changed', 'kept', 'processed', 'state', 'undo_processed'],
      make: ({ organizationId, picturedId }) =>
        `insert into public.feedback_operations (organization_id, id, actor_user_id, request_hash, change, item_ids)
         values ('${organizationId}', gen_random_uuid(), '${picturedId}', sha256('x'), '{}', '{}')`,
      row: inOrganization,
      change: "state = 'failed'",
      add: (tenant, callerId) =>
        `(organization_id, id, actor_user_id, request_hash, change, item_ids)
       values ('${tenant.organizationId}', gen_random_uuid(), ${idOf(callerId)}, sha256('x'), '{}', '{}')`,
    },
  },
  ids: { operationId: { table: 'public.feedback_operations', isCallersOwn: true } },
  routes: {
    startBulkOperation: {
      body: () => ({ id: crypto.randomUUID(), selection: {}, change: { status: 'open' } }),
      fullBody: () => ({
        id: crypto.randomUUID(),
        ids: [crypto.randomUUID()],
        selection: {
          projectId: [crypto.randomUUID()],
          status: ['new'],
          priority: ['none'],
          type: ['bug'],
          source: ['widget'],
          media: ['text'],
          rating: [1],
          tag: ['checkout'],
          assignee: ['none'],
          unread: true,
          unanswered: true,
          visitor: 'u_1',
          from: '2026-01-01T00:00:00.000Z',
          to: '2026-02-01T00:00:00.000Z',
          location: 'inbox',
          q: 'basket',
        },
        change: {
          status: 'closed',
          closedReason: 'wont_fix',
          priority: 'high',
          assigneeId: null,
          addTags: ['checkout'],
          removeTags: ['basket'],
          archived: false,
          snoozedUntil: null,
          spam: false,
          deleted: false,
          viewed: true,
        },
      }),
    },
  },
}

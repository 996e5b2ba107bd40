import { type Facts, idOf, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.presence': {
      rights: ['----', '....', 'si..', 'si..', 's--d'],
      changeable: ['feedback_id', 'seen_at'],
      make: ({ organizationId, picturedId, feedbackId }) =>
        `insert into public.presence values ('${organizationId}', '${picturedId}', gen_random_uuid(), '${feedbackId}')`,
      row: inOrganization,
      change: 'seen_at = now()',
      add: (tenant, callerId) =>
        `(organization_id, user_id, page_id, feedback_id)
       values ('${tenant.organizationId}', ${idOf(callerId)}, gen_random_uuid(), '${tenant.feedbackId}')`,
    },
  },
  routes: {
    announcePresence: { body: () => ({ pageId: crypto.randomUUID(), feedbackId: null }) },
  },
}

import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  tables: {
    'public.saved_views': {
      rights: ['----', '....', 'siud', 'siud', 's--d'],
      changeable: ['is_shared', 'name', 'search'],
      make: ({ organizationId, picturedId }) =>
        `insert into public.saved_views (organization_id, id, owner_user_id, name, search, is_shared)
         values ('${organizationId}', gen_random_uuid(), '${picturedId}', 'made', '', true)`,
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant, callerId) =>
        `(organization_id, id, owner_user_id, name, search, is_shared)
       values ('${tenant.organizationId}', gen_random_uuid(), ${callerId ? `'${callerId}'` : 'null'}, 'Added', '', true)`,
    },
  },
  ids: { viewId: { table: 'public.saved_views', isCallersOwn: true } },
  routes: {
    createSavedView: {
      body: () => ({ id: crypto.randomUUID(), name: 'Urgent', search: 'priority=urgent', isShared: true }),
    },
    updateSavedView: {
      body: ({ tag }) => ({ name: tag }),
      fullBody: () => ({ name: 'Urgent', search: 'priority=urgent', isShared: true }),
    },
  },
}

import { type Facts, inOrganization, type OwnerCall } from '#server/testing/facts.ts'

async function makeTemplate(call: OwnerCall): Promise<string> {
  const id = crypto.randomUUID()
  await call('/reply-templates', { body: { id, name: 'Thanks', text: 'Thank you.' } })
  return id
}

export const facts: Facts = {
  migrations: {
    '0021_reply_templates.sql': 'fd0cf7a8582961b0e326928ebb9e74dea1493012d627e44f64931d99d5e22ef0',
  },
  tables: {
    'public.reply_templates': {
      rights: ['----', '....', 'siud', 'siud', '----'],
      changeable: ['name', 'text'],
      make: ({ organizationId }) =>
        `insert into public.reply_templates (organization_id, id, name, text)
         values ('${organizationId}', gen_random_uuid(), 'made', 'made')`,
      row: inOrganization,
      change: "name = 'changed'",
      add: (tenant) =>
        `(organization_id, id, name, text) values ('${tenant.organizationId}', gen_random_uuid(), 'Added', 'Added')`,
    },
  },
  ids: { templateId: { table: 'public.reply_templates', isCallersOwn: true } },
  routes: {
    createReplyTemplate: {
      body: () => ({ id: crypto.randomUUID(), name: 'Thanks', text: 'Thank you, {{visitor.name}}.' }),
    },
    updateReplyTemplate: {
      body: ({ tag }) => ({ name: tag }),
      fullBody: () => ({ name: 'Thanks', text: 'Thank you, {{visitor.name}}.' }),
    },
  },
  events: {
    'reply_template.created': async (call) => [await makeTemplate(call)],
    'reply_template.updated': async (call) => {
      const id = await makeTemplate(call)
      await call(`/reply-templates/${id}`, { method: 'PATCH', body: { name: 'Many thanks' } })
      return [id]
    },
    'reply_template.deleted': async (call) => {
      const id = await makeTemplate(call)
      await call(`/reply-templates/${id}`, { method: 'DELETE' })
      return [id]
    },
  },
}

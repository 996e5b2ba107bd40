import { type Facts, idOf, inOrganization, type OwnerCall, type Tenant } from '#server/testing/facts.ts'

const insert = (tenant: Tenant, createdBy: string) =>
  `(organization_id, project_id, name, prefix, hash, scopes, created_by)
   values ('${tenant.organizationId}', '${tenant.projectId}', 'made', 'es_AbCdEf12',
     sha256(convert_to(gen_random_uuid()::text, 'UTF8')), '{read,write}', ${createdBy})`

async function makeKey(call: OwnerCall): Promise<{ path: string; id: string }> {
  // Our own server's answers, by their contracts.
  const { items } = (await (await call('/projects')).json()) as { items: { id: string }[] }
  const path = `/projects/${items[0]?.id}/api-keys`
  // As above.
  const { id } = (await (await call(path, { body: { name: 'Import', scopes: ['read'] } })).json()) as { id: string }
  return { path: `${path}/${id}`, id }
}

export const facts: Facts = {
  migrations: {
    '0028_api_keys.sql': '1c0cf740ee5920300248f5f9566c8a44478fbbc813544339388d22cfed86b6dd',
  },
  tables: {
    'public.api_keys': {
      rights: ['----', '...-', '...-', 'siu-', 's-u-'],
      changeable: ['overlap_until', 'replaced_by', 'revoked_at'],
      make: (tenant) => `insert into public.api_keys ${insert(tenant, `'${tenant.ownerId}'`)}`,
      row: inOrganization,
      change: 'revoked_at = now()',
      add: (tenant, callerId) => insert(tenant, idOf(callerId)),
    },
  },
  functions: {
    'app.count_open_exports(uuid)': ['authenticated', 'earshot_api_key'],
    'app.find_api_key(bytea)': ['authenticator'],
    'app.get_key_name(uuid,uuid)': ['authenticated', 'earshot_api_key'],
    'app.is_key_selection(uuid,uuid[])': [],
    'app.caller_id()': ['authenticated', 'earshot_api_key', 'service_role'],
    'app.key_member_ids()': ['earshot_api_key'],
    'app.key_projects()': ['earshot_api_key'],
    'app.list_key_events(text,uuid,text,uuid,integer)': ['earshot_api_key'],
    'app.on_api_key_changed()': [],
    'app.on_keyed_project_deleted()': [],
    'app.sibling_key_ids()': ['earshot_api_key'],
  },
  withoutCanary: {
    'public.api_keys.prefix': 'Is the beginning of a key.',
    'public.api_keys.scopes': 'Is a list of scopes.',
  },
  ids: { keyId: { table: 'public.api_keys', isCallersOwn: true } },
  routes: {
    createApiKey: {
      body: () => ({ name: 'Nightly import', scopes: ['read', 'write'], expiresAt: '2999-12-31T00:00:00.000Z' }),
    },
    regenerateApiKey: {
      body: () => ({ overlapHours: 1 }),
    },
  },
  events: {
    'api_key.created': async (call) => [(await makeKey(call)).id],
    'api_key.regenerated': async (call) => {
      const { path, id } = await makeKey(call)
      await call(`${path}/regenerate`, { body: { overlapHours: 1 } })
      return [id]
    },
    'api_key.revoked': async (call) => {
      const { path, id } = await makeKey(call)
      await call(path, { method: 'DELETE' })
      return [id]
    },
  },
}

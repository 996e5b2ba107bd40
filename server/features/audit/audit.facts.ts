import { type Facts, inOrganization } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0004_audit.sql': '542469a16a69611876c62b6dcd3d4957d476dc6a57f6c207670d7534fe6fb616',
    '0025_audit_trail.sql': 'd972c6532760c798d0cb28e5f4a8b5345134e18ddf0e30dae5af617131ebe154',
    '0048_instance_audit.sql': 'ede536fc2b0b70c6330015c1e4378d0671deb5e4caa26fcd23e4cec7d00c1ad6',
  },
  tables: {
    'public.audit_log': {
      rights: ['----', '.---', '.---', 's---', 'si--'],
      make: ({ organizationId }) =>
        `insert into public.audit_log (organization_id, action, actor_kind, category)
         values ('${organizationId}', 'made', 'system', 'data')`,
      row: inOrganization,
      change: "action = 'changed'",
      add: ({ organizationId }) =>
        `(organization_id, action, actor_kind, category) values ('${organizationId}', 'tried', 'system', 'data')`,
    },
  },
  functions: {
    'app.keep_audit_log()': [],
    'app.prune_audit_log(integer)': ['service_role'],
    'app.record_account_event(uuid,text,jsonb,uuid)': ['supabase_auth_admin'],
  },
  routes: {
    exportInstanceAudit: {
      body: () => ({ format: 'csv' }),
      fullBody: () => ({ format: 'jsonl', category: 'members', search: 'ada', order: 'oldest' }),
    },
    exportAudit: { body: () => ({ format: 'csv' }), fullBody: () => ({ format: 'jsonl', category: 'members' }) },
  },
}

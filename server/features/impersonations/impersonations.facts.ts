import type { Facts } from '#server/testing/facts.ts'

const made = '0190c0de-0000-7000-8000-000000001501'
const accountId = '0190c0de-0000-7000-8000-0000000acc01'
/** The account of the facts of accounts, whatever the call before has done to it. */
const renew = () => `insert into auth.users (id, email, invited_at, email_confirmed_at, raw_user_meta_data, created_at)
   values ('${accountId}', '${accountId}@example.com', now(), now(), '{}', now()) on conflict do nothing;
  delete from app.superadmins where user_id = '${accountId}';
  update auth.users set banned_until = null, email_confirmed_at = now() where id = '${accountId}'`
const columns = '(id, superadmin_id, superadmin_session_id, user_id, reason, mode, expires_at)'
const values = (id: string) =>
  `(${id}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'made', 'read_only', now() + interval '15 minutes')`

export const facts: Facts = {
  migrations: {
    '0055_impersonations.sql': '3a0aab6f26b35f5bc0c42400032bd66da837931592c9bef00d55a08fbbcdde67',
  },
  tables: {
    'app.impersonations': {
      rights: ['----', '----', '----', '----', 's---'],
      make: () => `insert into app.impersonations ${columns} values ${values(`'${made}'`)} on conflict do nothing`,
      row: () => `id = '${made}'`,
      change: "reason = 'changed'",
      add: () => `${columns} values ${values('gen_random_uuid()')}`,
    },
  },
  ids: { impersonationId: { table: 'app.impersonations' } },
  routes: {
    startImpersonation: {
      renew,
      body: () => ({ id: crypto.randomUUID(), reason: 'A support request', mode: 'read_only', minutes: 15 }),
    },
    listImpersonations: { renew },
    // Their caller acts as no one.
    getImpersonation: { refusal: 'impersonation_not_found' },
    endImpersonation: { refusal: 'impersonation_not_found' },
  },
  functions: {
    'app.start_impersonation(uuid,uuid,uuid,uuid,text,text,integer)': ['service_role'],
    'app.find_impersonation_end(app.impersonations)': [],
    'app.get_impersonated_actor(uuid,uuid,uuid,uuid,text,uuid)': ['authenticator'],
    'app.get_impersonation(uuid)': ['service_role'],
    'app.find_organization_of(uuid,uuid)': ['service_role'],
    'app.end_impersonations(uuid[],text)': ['service_role'],
    'app.end_finished_impersonations()': ['service_role'],
    'app.prune_impersonations(integer)': ['service_role'],
    'app.on_superadmin_changed()': [],
    'app.list_impersonations(uuid,integer)': ['service_role'],
  },
}

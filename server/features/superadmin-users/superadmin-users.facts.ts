import type { Facts } from '#server/testing/facts.ts'

const accountId = '0190c0de-0000-7000-8000-0000000acc01'
const addedId = '0190c0de-0000-7000-8000-0000000acc02'
/** Someone invited by the operator gets no organisation. */
const makeAccount = (id: string) =>
  `insert into auth.users (id, email, invited_at, email_confirmed_at, raw_user_meta_data, created_at)
   values ('${id}', '${id}@example.com', now(), now(), '{}', now()) on conflict do nothing`
/** An account that every act can be done to, whatever the call before has done. */
const renew = () => `${makeAccount(accountId)};
  delete from app.superadmins where user_id = '${accountId}';
  update auth.users set banned_until = null, email_confirmed_at = now() where id = '${accountId}'`
const undo = () => `delete from app.superadmins where user_id = '${accountId}'`

export const facts: Facts = {
  migrations: {
    '0052_accounts.sql': '0ad404f85194984e8ce142986e65733dc49567bec45bba86a9e7c11ee34f5aa6',
  },
  tables: {
    'app.accounts': {
      rights: ['----', '----', '----', '----', 's---'],
      make: () => makeAccount(accountId),
      row: () => `user_id = '${accountId}'`,
      change: 'created_at = now()',
      add: () => `(user_id, search, created_at) values ('${addedId}', 'added', now())`,
    },
  },
  ids: { accountId: { table: 'app.accounts', column: `'${accountId}'` } },
  routes: {
    getInstanceUser: { renew },
    confirmInstanceUser: { renew },
    banInstanceUser: { renew, body: () => ({ reason: 'Spam', until: null }) },
    unbanInstanceUser: { renew },
    signOutInstanceUser: { renew },
    sendPasswordReset: { renew: () => `${renew()}; delete from app.email_pauses` },
    grantSuperadmin: { renew, undo, body: () => ({ reason: 'Runs the instance too' }) },
    revokeSuperadmin: { renew },
    exportInstanceUsers: { body: () => ({}), fullBody: () => ({ search: 'ada', state: 'banned', order: 'oldest' }) },
  },
  functions: {
    'app.on_account_changed()': [],
    'app.describe_accounts(uuid[])': ['service_role'],
    'app.list_sessions_of(uuid)': ['service_role'],
    'app.has_password(uuid)': ['service_role'],
    'app.ban_account(uuid,timestamp with time zone)': ['service_role'],
    'app.unban_account(uuid)': ['service_role'],
    'app.confirm_account(uuid)': ['service_role'],
    'app.end_sessions_of(uuid)': ['service_role'],
    'app.grant_superadmin(uuid)': ['service_role'],
    'app.revoke_superadmin(uuid)': ['service_role'],
  },
}

import { randomUUID } from 'node:crypto'
import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0001_auth.sql': '7521fdd48b9056c22fb75095d57bc7329ad8086176c9d583bfa5343bce56f1e5',
    '0014_sign_in.sql': '24c8d7ef22021b223890f53afa9612ceb079a3613c08bd093bc53254945ae1ac',
  },
  tables: {
    'app.known_devices': {
      rights: ['----', '----', '----', '----', '----'],
      make: ({ picturedId }) =>
        `insert into app.known_devices (user_id, token_hash) values ('${picturedId}', sha256('made')) on conflict do nothing`,
      row: (tenant) => `user_id = '${tenant.picturedId}'`,
      change: 'seen_at = now()',
      add: () => "(user_id, token_hash) values (gen_random_uuid(), sha256('added'))",
    },
    'public.avatars': {
      rights: ['----', '....', '....', '....', 's--d'],
      changeable: ['bytes', 'created_at', 'id', 'mime', 'user_id'],
      make: ({ picturedId }) =>
        `insert into public.avatars (user_id, id, mime, bytes)
         values ('${picturedId}', gen_random_uuid(), 'image/png', 'x')`,
      row: (tenant) => `user_id = '${tenant.picturedId}'`,
      change: "mime = 'image/jpeg'",
      add: () => "(user_id, id, mime, bytes) values (gen_random_uuid(), gen_random_uuid(), 'image/png', 'x')",
    },
    'public.profiles': {
      rights: ['----', '.---', 's---', 's---', 's---'],
      row: (tenant) => `user_id = '${tenant.viewerId}'`,
      change: "full_name = 'changed'",
      add: () => `(user_id, email) values ('${randomUUID()}', 'x@example.com')`,
    },
  },
  functions: {
    'app.delete_own_account(text)': ['authenticated'],
    'app.end_own_session(uuid)': ['authenticated'],
    'app.get_own_account()': ['authenticated'],
    'app.list_own_losses(integer)': ['authenticated'],
    'app.list_own_sessions()': ['authenticated'],
    'app.find_avatar(uuid)': ['authenticator'],
    'app.is_known_device(text,bytea)': ['supabase_auth_admin'],
    'app.remember_device(uuid,bytea)': ['supabase_auth_admin'],
    'auth.email()': ['anon', 'authenticated', 'service_role'],
    'auth.jwt()': ['anon', 'authenticated', 'service_role'],
    'auth.role()': ['anon', 'authenticated', 'service_role'],
    'auth.uid()': ['anon', 'authenticated', 'service_role'],
    'app.create_organization_for(uuid,text)': [],
    'app.avatar_url_of(uuid,jsonb)': [],
    'app.make_slug(text)': [],
    'app.transliterate(text)': [],
    'app.on_avatar_changed()': [],
    'app.on_user_changed()': [],
    'app.on_user_confirmed()': [],
    'app.on_user_created()': [],
    'app.on_user_deleted_softly()': [],
  },
  unforced: {
    'auth.audit_log_entries': 'As under Supabase, whose auth server is the owner and needs to see its own rows.',
    'auth.flow_state': 'As auth.audit_log_entries.',
    'auth.identities': 'As auth.audit_log_entries.',
    'auth.mfa_amr_claims': 'As auth.audit_log_entries.',
    'auth.one_time_tokens': 'As auth.audit_log_entries.',
    'auth.refresh_tokens': 'As auth.audit_log_entries.',
    'auth.sessions': 'As auth.audit_log_entries.',
    'auth.users': 'As auth.audit_log_entries.',
  },
  withoutTenant: {
    'public.avatars': 'Belongs to a person, who may be in several organisations.',
    'public.profiles': 'Belongs to a person, who may be in several organisations.',
  },
  routes: {
    setAvatar: {
      fullBody: () => ({
        mime: 'image/png',
        data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      }),
    },
    // Not for each role: it ends the caller.
    deleteAccount: { fullBody: ({ leaverEmail }) => ({ email: leaverEmail }) },
  },
}

import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0009_mail.sql': '6b7fd73b616e3a838578eeb58b4dcfc40ccc916735e4722208aa24e9434ad36c',
  },
  tables: {
    'app.emails': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () =>
        `insert into app.emails (id, kind, to_address, subject, html, text)
         values (gen_random_uuid(), 'made', 'x@example.com', 'x', 'x', 'x')`,
      row: () => 'true',
      change: 'attempts = 1',
      add: () =>
        "(id, kind, to_address, subject, html, text) values (gen_random_uuid(), 'added', 'x@example.com', 'x', 'x', 'x')",
    },
    'app.email_pauses': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => `insert into app.email_pauses values ('made', '', now()) on conflict do nothing`,
      row: () => 'true',
      change: 'asked_at = now()',
      add: () => "(kind, address_hash, asked_at) values ('added', '', now())",
    },
  },
  functions: {
    'app.begin_email_pause(text,text,integer)': ['service_role', 'supabase_auth_admin'],
    'app.queue_email(uuid,text,text,text,text,text)': ['service_role', 'supabase_auth_admin'],
  },
  routes: { exportOutboxEmails: { body: () => ({}), fullBody: () => ({ status: 'sent' }) } },
}

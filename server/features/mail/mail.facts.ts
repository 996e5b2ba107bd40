import type { Facts } from '#server/testing/facts.ts'

const made = '0190c0de-0000-7000-8000-0000000e3a11'
const added = '0190c0de-0000-7000-8000-0000000e3a12'
const makeEmail = (id: string) =>
  `insert into app.emails (id, kind, to_address, subject, html, text)
   values ('${id}', 'made', 'x@example.com', 'x', 'x', 'x') on conflict do nothing`
const makeSuppression = `insert into public.email_suppressions (id, address, reason)
  values ('${made}', 'made@example.com', 'manual') on conflict do nothing`

export const facts: Facts = {
  migrations: {
    '0009_mail.sql': '6b7fd73b616e3a838578eeb58b4dcfc40ccc916735e4722208aa24e9434ad36c',
    '0049_email_bounces.sql': '65800a63fa08385c7a9eb08e1b39616e36040dc3775c4109c2c7b88b22953391',
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
    'app.email_attempts': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => `${makeEmail(made)};
        insert into app.email_attempts (email_id, number) values ('${made}', 1) on conflict do nothing`,
      row: () => `email_id = '${made}' and number = 1`,
      change: "answer = '550'",
      add: () => `(email_id, number) values ('${made}', 2)`,
    },
    'public.email_suppressions': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => makeSuppression,
      row: () => `id = '${made}'`,
      change: 'since = now()',
      add: () => `(id, address, reason) values ('${added}', 'added@example.com', 'manual')`,
    },
  },
  withoutTenant: {
    'public.email_suppressions': 'Addresses are suppressed for the whole instance.',
  },
  ids: { emailId: { table: 'app.emails' }, suppressionId: { table: 'public.email_suppressions' } },
  gates: { 'POST /api/v1/email-bounces': 'signed call' },
  routes: {
    exportOutboxEmails: { body: () => ({}), fullBody: () => ({ status: 'sent', order: 'oldest' }) },
    exportSuppressions: { body: () => ({}), fullBody: () => ({ search: 'example', order: 'oldest' }) },
    addSuppression: { body: ({ tag }) => ({ address: `suppressed-${tag}@example.com` }) },
    removeSuppression: { renew: () => makeSuppression },
    // A worker may have sent the email since, and emptied its body.
    retryEmail: {
      renew: () => "update app.emails set sent_at = null, failed_at = now(), html = 'x', text = 'x'",
    },
  },
  functions: {
    'app.after_email_deletion()': [],
    'app.begin_email_pause(text,text,integer)': ['service_role', 'supabase_auth_admin'],
    'app.queue_email(uuid,text,text,text,text,text)': ['service_role', 'supabase_auth_admin'],
    'app.retry_emails(uuid[])': ['service_role'],
  },
}

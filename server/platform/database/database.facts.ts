import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0018_workers.sql': '68a144e148f4757448e34518f6a5601fda0705d269eec5b4f8ea2a5b9d884bf7',
    '0002_app.sql': '56ce3000afb198b06a6c53904b55d349f6e0e5fdf1311b6b9db8032c8eb8e69f',
  },
  tables: {
    'app.schema_migrations': {
      rights: ['----', '----', '----', '----', '----'],
      row: () => 'true',
      change: 'finished_at = null',
      add: () => "(name, checksum) values ('added', 'x')",
    },
    'app.job_workers': {
      rights: ['----', '----', '----', '----', 'siud'],
      make: () => `insert into app.job_workers (worker_id) values ('made') on conflict do nothing`,
      row: () => 'true',
      change: 'last_seen_at = now()',
      add: () => "(worker_id) values ('added')",
    },
    'app.rate_limits': {
      rights: ['----', '----', '----', '----', 's--d'],
      make: () => `insert into app.rate_limits values ('made', '', now()) on conflict do nothing`,
      row: () => "name = 'made'",
      change: 'full_at = now()',
      add: () => "values ('tried', '', now())",
    },
  },
  functions: {
    'app.return_token(text,text,integer,integer)': ['authenticator'],
    'app.uuid_v7()': ['authenticated', 'earshot_api_key', 'service_role', 'supabase_auth_admin'],
    'app.enqueue_in_turn(text,json,text)': ['service_role'],
    'app.enqueue_job(text,json,text,timestamp with time zone)': ['service_role', 'supabase_auth_admin'],
    'app.enqueue_own_job(text,uuid,uuid)': ['authenticated', 'earshot_api_key'],
    'app.spend_tokens(text,integer,integer,text[],integer[])': ['authenticator'],
    'app.take_token(text,text,integer,integer)': ['authenticator', 'supabase_auth_admin'],
  },
  unforced: {
    'app.schema_migrations': 'Read before any role exists, by the login that migrates; granted to no role.',
  },
}

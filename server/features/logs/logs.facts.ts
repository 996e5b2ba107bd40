import type { Facts } from '#server/testing/facts.ts'

const systemRights = ['----', '----', '----', '----', 'siud'] as const

export const facts: Facts = {
  migrations: { '0057_logs.sql': '353f808ff6bb523ec4404a5323f7f6904c5509cd682539586589e2624a5f189a' },
  tables: {
    'app.app_logs': {
      rights: ['----', '----', '----', '----', 'si--'],
      make: () => `
        select app.make_log_part(now());
        insert into app.app_logs (at, level, process, message, fields, tokens) values (now(), 30, 'made', '', '{}', '{}')`,
      row: () => "process = 'made'",
      change: "message = 'changed'",
      add: () => "(at, level, process, message, fields, tokens) values (now(), 30, 'tried', '', '{}', '{}')",
    },
    'app.log_parts': {
      rights: systemRights,
      make: () =>
        "insert into app.log_parts (starts_at, removed_at) values ('2026-01-01', now()) on conflict do nothing",
      row: () => "starts_at = '2026-01-01'",
      change: 'removed_bytes = 1',
      add: () => "values ('2026-01-02', now(), 1)",
    },
    'app.log_blocks': {
      rights: systemRights,
      make: () => `
        insert into app.log_parts (starts_at, removed_at) values ('2026-01-03', now()) on conflict do nothing;
        insert into app.log_blocks values ('2026-01-03', 1, now(), now()) on conflict do nothing`,
      row: () => "part = '2026-01-03'",
      change: 'to_at = now()',
      add: () => "values ('2026-01-03', 2, now(), now())",
    },
    'app.log_words': {
      rights: systemRights,
      make: () => "insert into app.log_words values ('made', '2026-01-01') on conflict do nothing",
      row: () => "word = 'made'",
      change: "seen_on = '2026-01-02'",
      add: () => "values ('tried', '2026-01-01')",
    },
    'app.log_writers': {
      rights: systemRights,
      make: () => "insert into app.log_writers (process) values ('made') on conflict do nothing",
      row: () => "process = 'made'",
      change: 'waiting = 1',
      add: () => "(process) values ('tried')",
    },
  },
  functions: {
    'app.log_part_of(timestamp with time zone)': ['service_role'],
    'app.make_log_part(timestamp with time zone)': ['service_role'],
    'app.store_log_lines(text,timestamp with time zone[],smallint[],text[],text[],text[],text[],text[])': [
      'service_role',
    ],
    'app.measure_log_parts()': ['service_role'],
    'app.remove_log_parts(integer,bigint)': ['service_role'],
  },
  routes: {
    exportLogs: {
      body: () => ({}),
      fullBody: () => ({
        level: 'warn',
        search: 'failed',
        requestId: '0190c0de',
        process: 'host:1',
        from: '2026-01-01T00:00:00.000Z',
        to: '2026-01-02T00:00:00.000Z',
      }),
    },
  },
}

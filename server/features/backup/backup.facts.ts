import type { Facts } from '#server/testing/facts.ts'

export const facts: Facts = {
  migrations: {
    '0051_backup.sql': '49811850eff6589853ce210bb6e064d8b9978281bbedbe6b5c6baf23bceed952',
  },
  tables: {
    'app.backup_runs': {
      rights: ['----', '----', '----', '----', 'si-d'],
      make: () =>
        "insert into app.backup_runs (kind, is_scheduled, started_at, location) values ('backup', false, now(), 'made')",
      row: () => "location = 'made'",
      change: 'bytes = 2',
      add: () => "(kind, is_scheduled, started_at) values ('drill', true, now())",
    },
  },
  functions: {
    'app.is_backup_running()': ['service_role'],
  },
}

import type { Facts } from '#server/testing/facts.ts'

const systemRights = ['----', '----', '----', '----', 'siud'] as const
/** Id of a failed job. Calls get it again each time: a job that was retried is no longer among the failed ones. */
const jobId = '990049'
const renew = () => `
  select graphile_worker.add_job('made', job_key => 'made');
  delete from graphile_worker._private_jobs where id = ${jobId} or key = 'made';
  insert into graphile_worker._private_jobs (id, task_id, attempts, max_attempts) overriding system value
  select ${jobId}, id, 1, 1 from graphile_worker._private_tasks where identifier = 'made'`
const processId = '00000000-0000-7000-8000-000000000049'

export const facts: Facts = {
  migrations: {
    '0050_monitoring.sql': 'd14e56167a10862174e9f9efe9518afd4b397baeb4908aac1cc7a27755119793',
  },
  tables: {
    'app.monitored_processes': {
      rights: systemRights,
      make: () =>
        `insert into app.monitored_processes values ('${processId}', 'web', 'made', 1, '1', '24', now()) on conflict do nothing`,
      row: () => `id = '${processId}'`,
      change: "host = 'changed'",
      add: () => "values (gen_random_uuid(), 'web', 'tried', 1, '1', '24', now())",
    },
    'app.process_minutes': {
      rights: systemRights,
      make: () =>
        `insert into app.process_minutes values ('2026-01-01', '${processId}', 1, 1, 1, 1) on conflict do nothing`,
      row: () => "minute = '2026-01-01'",
      change: 'delay_ms = 2',
      add: () => `values ('2026-01-02', '${processId}', 1, 1, 1, 1)`,
    },
    'app.instance_minutes': {
      rights: systemRights,
      make: () =>
        "insert into app.instance_minutes values ('2026-01-01', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) on conflict do nothing",
      row: () => "minute = '2026-01-01'",
      change: 'workers = 2',
      add: () => "values ('2026-01-02', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)",
    },
    'app.monitor_thresholds': {
      rights: systemRights,
      make: () => "insert into app.monitor_thresholds values ('cpu_percent', 95, 15, true) on conflict do nothing",
      row: () => "figure = 'cpu_percent'",
      change: 'minutes = 2',
      add: () => "values ('tried', 1, 1, true)",
    },
    'app.monitor_alerts': {
      rights: systemRights,
      make: () =>
        "insert into app.monitor_alerts (figure, crossed_at, worst_value) values ('made', now(), 1) on conflict do nothing",
      row: () => "figure = 'made'",
      change: 'worst_value = 2',
      add: () => "(figure, crossed_at, worst_value) values ('tried', now(), 1)",
    },
  },
  functions: {
    'app.list_running_queries(double precision)': ['service_role'],
    'app.list_slow_statements(double precision,integer)': ['service_role'],
    'app.list_schema_files()': ['service_role'],
  },
  ids: {
    figure: { table: 'app.monitor_thresholds', column: 'figure' },
    jobId: { table: 'app.monitor_thresholds', column: `'${jobId}'` },
  },
  routes: {
    changeThreshold: { body: () => ({ limit: 10, minutes: 5, isEnabled: true }) },
    resetThreshold: {
      renew: () => "insert into app.monitor_thresholds values ('cpu_percent', 95, 15, true) on conflict do nothing",
    },
    retryFailedJob: { renew },
    deleteFailedJob: { renew },
    exportFailedJobs: { body: () => ({}), fullBody: () => ({ search: 'email', sort: 'oldest' }) },
    retryFailedJobs: { body: () => ({}), fullBody: () => ({ search: 'email' }) },
  },
}

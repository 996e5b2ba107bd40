create table app.monitored_processes (
  id uuid primary key,
  services text not null,
  host text not null,
  pid integer not null,
  app_version text not null,
  node_version text not null,
  started_at timestamptz not null,
  last_seen_at timestamptz not null default now(),
  ended_at timestamptz
);
comment on table app.monitored_processes is 'Processes of the last 14 days. Each writes once a minute.';
comment on column app.monitored_processes.services is 'web, worker, or both, joined by a comma.';
comment on column app.monitored_processes.ended_at is 'When it was stopped; null: it runs, or it was killed.';
create index monitored_processes_seen_idx on app.monitored_processes (last_seen_at);
alter table app.monitored_processes enable row level security;
alter table app.monitored_processes force row level security;
grant select, insert, update, delete on app.monitored_processes to service_role;

create table app.process_minutes (
  minute timestamptz not null,
  process_id uuid not null references app.monitored_processes (id) on delete cascade,
  delay_ms real not null,
  cpu_percent real not null,
  memory_bytes bigint not null,
  disk_free_percent real not null,
  primary key (minute, process_id)
);
comment on table app.process_minutes is 'What a process measured of itself in a minute. Kept for 14 days.';
comment on column app.process_minutes.delay_ms is '99th percentile of the event loop''s delay.';
comment on column app.process_minutes.cpu_percent is 'Of one core: 200 are two busy cores.';
comment on column app.process_minutes.memory_bytes is 'Resident memory.';
comment on column app.process_minutes.disk_free_percent is 'Of the disk with the data folder.';
create index process_minutes_process_idx on app.process_minutes (process_id, minute);
alter table app.process_minutes enable row level security;
alter table app.process_minutes force row level security;
grant select, insert, update, delete on app.process_minutes to service_role;

create table app.instance_minutes (
  minute timestamptz primary key,
  database_bytes bigint not null,
  connections_percent real not null,
  slow_queries integer not null,
  queue_waiting integer not null,
  queue_oldest_seconds integer not null,
  jobs_failed integer not null,
  emails_waiting integer not null,
  emails_failed integer not null,
  integrations_failing integer not null,
  workers integer not null
);
comment on table app.instance_minutes is 'What one process measured of the whole instance in a minute. Kept for 14 days.';
comment on column app.instance_minutes.connections_percent is 'Of max_connections.';
comment on column app.instance_minutes.slow_queries is 'Queries that had run for longer than a second.';
comment on column app.instance_minutes.queue_oldest_seconds is 'For how long the oldest due job has waited.';
comment on column app.instance_minutes.emails_failed is 'Given up in the 24 hours before.';
comment on column app.instance_minutes.integrations_failing is 'Disabled because the service refused.';
alter table app.instance_minutes enable row level security;
alter table app.instance_minutes force row level security;
grant select, insert, update, delete on app.instance_minutes to service_role;

create table app.monitor_thresholds (
  figure text primary key check (figure ~ '^[a-z][a-z_]{1,39}$'),
  limit_value double precision not null check (limit_value >= 0),
  minutes integer not null check (minutes between 1 and 1440),
  is_enabled boolean not null
);
comment on table app.monitor_thresholds is
  'Thresholds that a superadmin changed. contract/superadmin-monitoring.ts has the figures and their defaults.';
alter table app.monitor_thresholds enable row level security;
alter table app.monitor_thresholds force row level security;
grant select, insert, update, delete on app.monitor_thresholds to service_role;

create table app.monitor_alerts (
  id uuid primary key default app.uuid_v7(),
  figure text not null,
  crossed_at timestamptz not null,
  alerted_at timestamptz,
  recovering_since timestamptz,
  ended_at timestamptz,
  worst_value double precision not null
);
comment on table app.monitor_alerts is 'Figures beyond their threshold. Ended ones are kept for 14 days.';
comment on column app.monitor_alerts.crossed_at is 'The first of the minutes beyond the threshold.';
comment on column app.monitor_alerts.alerted_at is 'When superadmins were emailed; null: not beyond it for long enough.';
comment on column app.monitor_alerts.recovering_since is 'Of an alert: since when the figure is within the threshold again; null: it is not.';
comment on column app.monitor_alerts.ended_at is 'When it had recovered for as many minutes as an alert takes.';
create unique index monitor_alerts_open_idx on app.monitor_alerts (figure) where ended_at is null;
alter table app.monitor_alerts enable row level security;
alter table app.monitor_alerts force row level security;
grant select, insert, update, delete on app.monitor_alerts to service_role;

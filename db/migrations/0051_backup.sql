create table app.backup_runs (
  id uuid primary key default app.uuid_v7(),
  kind text not null check (kind in ('backup', 'drill')),
  is_scheduled boolean not null,
  started_at timestamptz not null,
  finished_at timestamptz not null default now(),
  location text,
  bytes bigint check (bytes >= 0),
  row_count bigint check (row_count >= 0),
  file_count bigint check (file_count >= 0),
  problem text check (char_length(problem) <= 2000)
);
comment on table app.backup_runs is
  'Backups that were made, and drills that restored one into a scratch database. Kept for a year.';
comment on column app.backup_runs.is_scheduled is 'False: made by the command.';
comment on column app.backup_runs.location is 'Path or address of the archive; null: there is none.';
comment on column app.backup_runs.bytes is 'Size of the archive.';
comment on column app.backup_runs.problem is 'Why it failed; null: it succeeded.';
create index backup_runs_kind_idx on app.backup_runs (kind, finished_at desc);
alter table app.backup_runs enable row level security;
alter table app.backup_runs force row level security;
grant select, insert, delete on app.backup_runs to service_role;

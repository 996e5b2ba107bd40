create table app.read_only_periods (
  id uuid primary key default app.uuid_v7(),
  message text check (char_length(message) between 1 and 300),
  ends_at timestamptz,
  since timestamptz not null default now(),
  turned_on_by text not null check (char_length(turned_on_by) between 1 and 254),
  ended_at timestamptz
);
comment on table app.read_only_periods is
  'When the instance was read-only for maintenance; it is now while a row has not ended. Processes hear of a change by '
  'NOTIFY (app.announce_read_only). Backups leave the table out: a restored instance takes writes.';
comment on column app.read_only_periods.message is
  'What people read in the banner and in refusals; null: the default words.';
comment on column app.read_only_periods.ends_at is 'When it is expected to end. It does not end by itself.';
comment on column app.read_only_periods.turned_on_by is 'Name of the superadmin, or of the command.';
comment on column app.read_only_periods.ended_at is 'When it was turned off; null: the instance is read-only.';
create unique index read_only_periods_open_idx on app.read_only_periods ((true)) where ended_at is null;
alter table app.read_only_periods enable row level security;
alter table app.read_only_periods force row level security;
grant select, insert, update on app.read_only_periods to service_role;

-- 0 in minutes from before this column: none of them was read-only.
alter table app.instance_minutes add column read_only_seconds integer not null default 0;
comment on column app.instance_minutes.read_only_seconds is 'For how long the instance had been read-only; 0: it takes writes.';

-- Superadmins find entries of the audit log by words: names of actors and targets, and the parts of an action. Of a
-- million entries the index has some 20 MB, a tenth of one of trigrams, which would also find parts within words.
create index audit_log_words_idx on public.audit_log using gin (to_tsvector('simple',
  translate(coalesce(actor_name, '') || ' ' || coalesce(target_name, '') || ' ' || action, '@._:+-/', '       ')));

-- Analytics reads sums per day, which jobs make. No chart counts items, and ingest does no work for them: the follow-up
-- job marks the days of new items, triggers mark the days of changed ones.
create table public.feedback_days (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  scope_id uuid not null,
  day date not null,
  items integer not null,
  types jsonb not null,
  sources jsonb not null,
  statuses jsonb not null,
  ratings integer[] not null,
  nps integer[] not null,
  first_view integer[] not null,
  first_response integer[] not null,
  resolution integer[] not null,
  inbox_unread integer not null,
  inbox_new integer not null,
  inbox_priorities jsonb not null,
  inbox_assignees jsonb not null,
  primary key (organization_id, scope_id, day)
);
comment on table public.feedback_days is
  'Items received on one day, counted without spam and trash. Recomputed from public.feedback when an item of the day '
  'changes.';
comment on column public.feedback_days.scope_id is
  'A project, or the organisation for all of its projects. No foreign key: recomputing the days of deleted items '
  'removes the sums.';
comment on column public.feedback_days.day is 'Day of receipt in UTC, also for later changes.';
comment on column public.feedback_days.ratings is 'Items by rating: 1 to 5.';
comment on column public.feedback_days.nps is 'Items by score: 0 to 10.';
comment on column public.feedback_days.first_view is
  'Items by the time until a member first opened them: under a minute, then four steps per doubling. Imported items '
  'are in none of the three histograms.';
comment on column public.feedback_days.first_response is 'The same until a member first replied to the visitor.';
comment on column public.feedback_days.resolution is 'The same until the item was resolved or closed.';
comment on column public.feedback_days.inbox_unread is 'Unread items of the inbox.';
comment on column public.feedback_days.inbox_new is 'Items of the inbox with status new.';
comment on column public.feedback_days.inbox_priorities is 'Unresolved items of the inbox, by priority.';
comment on column public.feedback_days.inbox_assignees is 'The same by assignee.';
-- For recomputing a day.
create index feedback_days_day_idx on public.feedback_days (organization_id, day);

alter table public.feedback_days enable row level security;
alter table public.feedback_days force row level security;
grant select on public.feedback_days to authenticated;
grant select, insert, update, delete on public.feedback_days to service_role;

create table public.feedback_day_values (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  scope_id uuid not null,
  dimension text not null check (dimension in ('page', 'browser', 'country')),
  day date not null,
  value text not null,
  n integer not null,
  primary key (organization_id, scope_id, dimension, day, value) include (n)
);
comment on table public.feedback_day_values is
  'Items per day by origin: the most frequent values, and the sum of all others under the empty value.';
-- For recomputing a day.
create index feedback_day_values_day_idx on public.feedback_day_values (organization_id, day);

alter table public.feedback_day_values enable row level security;
alter table public.feedback_day_values force row level security;
grant select on public.feedback_day_values to authenticated;
grant select, insert, update, delete on public.feedback_day_values to service_role;

create table public.widget_days (
  organization_id uuid not null,
  project_id uuid not null,
  day date not null,
  loaded bigint not null,
  opened bigint not null,
  submitted bigint not null,
  primary key (organization_id, project_id, day),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widget_days is
  'Sums of public.widget_counters for past days in UTC. The hours of today are read from there.';

alter table public.widget_days enable row level security;
alter table public.widget_days force row level security;
grant select on public.widget_days to authenticated;
grant select, insert, update, delete on public.widget_days to service_role;

create table app.feedback_day_marks (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  day date not null,
  is_whole boolean not null,
  primary key (organization_id, id)
);
comment on table app.feedback_day_marks is
  'Days whose sums have to be recomputed. Rows are only added and deleted, so that no two writers of items wait for '
  'each other.';
comment on column app.feedback_day_marks.organization_id is
  'No foreign key: deleting an organisation marks its days too.';
comment on column app.feedback_day_marks.is_whole is
  'False: only the team''s work changed, so that pages, browsers and countries are not counted again.';
create index feedback_day_marks_day_idx on app.feedback_day_marks (organization_id, day);

alter table app.feedback_day_marks enable row level security;
alter table app.feedback_day_marks force row level security;
grant select, insert, delete on app.feedback_day_marks to service_role;

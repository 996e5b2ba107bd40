-- What analytics reads: sums of a day, made after the fact by jobs. No chart counts items, and nothing here is done while
-- feedback comes in: a new item's day is marked by the job that follows it, a changed item's by the triggers below.

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
-- By it a day is made anew.
create index feedback_days_day_idx on public.feedback_days (organization_id, day);
comment on table public.feedback_days is
  'What came in on one day, counted: without spam and trash. Made anew from public.feedback whenever an item of the day changes.';
comment on column public.feedback_days.scope_id is
  'A project, or the organisation itself for all of its projects. No foreign key: a project''s items take their sums along.';
comment on column public.feedback_days.day is 'In UTC; of the items'' arrival, also for what happened to them later.';
comment on column public.feedback_days.ratings is 'Items by rating: 1 to 5.';
comment on column public.feedback_days.nps is 'Items by score: 0 to 10.';
comment on column public.feedback_days.first_view is
  'Items by the time until a member first opened them: under a minute, then four steps for each doubling. What was imported '
  'was worked on elsewhere and is in none of the three.';
comment on column public.feedback_days.first_response is 'The same until a member first answered the visitor.';
comment on column public.feedback_days.resolution is 'The same until they were resolved or closed.';
comment on column public.feedback_days.inbox_unread is 'Of those that lie in the inbox: what nobody has opened.';
comment on column public.feedback_days.inbox_new is 'Of those that lie in the inbox: status new.';
comment on column public.feedback_days.inbox_priorities is 'Of those that lie in the inbox and are neither resolved nor closed: by priority.';
comment on column public.feedback_days.inbox_assignees is 'The same by the member who looks after them.';

create table public.feedback_day_values (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  scope_id uuid not null,
  dimension text not null check (dimension in ('page', 'browser', 'country')),
  day date not null,
  value text not null,
  n integer not null,
  primary key (organization_id, scope_id, dimension, day, value) include (n)
);
-- By it a day is made anew.
create index feedback_day_values_day_idx on public.feedback_day_values (organization_id, day);
comment on table public.feedback_day_values is
  'The same by where it came from: the most frequent values of a day, and the rest together under the empty value.';

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
  'Sums of public.widget_counters over whole days in UTC that are over. Later hours are read from there.';

create table app.feedback_day_marks (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  day date not null,
  is_whole boolean not null,
  primary key (organization_id, id)
);
comment on table app.feedback_day_marks is
  'Days whose sums are to be made anew. Rows are only added and taken away, so that nobody who changes an item waits for '
  'somebody else who does.';
comment on column app.feedback_day_marks.is_whole is
  'False: only the team''s work on items changed, so pages, browsers and countries need not be read again.';
comment on column app.feedback_day_marks.organization_id is 'No foreign key: an organisation that is being deleted marks its days too.';
create index feedback_day_marks_day_idx on app.feedback_day_marks (organization_id, day);

alter table public.feedback_days enable row level security;
alter table public.feedback_days force row level security;
create policy feedback_days_select on public.feedback_days for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.feedback_days to authenticated;
grant select, insert, update, delete on public.feedback_days to service_role;

alter table public.feedback_day_values enable row level security;
alter table public.feedback_day_values force row level security;
create policy feedback_day_values_select on public.feedback_day_values for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.feedback_day_values to authenticated;
grant select, insert, update, delete on public.feedback_day_values to service_role;

alter table public.widget_days enable row level security;
alter table public.widget_days force row level security;
create policy widget_days_select on public.widget_days for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.widget_days to authenticated;
grant select, insert, update, delete on public.widget_days to service_role;

alter table app.feedback_day_marks enable row level security;
alter table app.feedback_day_marks force row level security;
create policy feedback_day_marks_service on app.feedback_day_marks to service_role using (id is not null) with check (id is not null);
grant select, insert, delete on app.feedback_day_marks to service_role;

create function app.mark_changed_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.feedback_day_marks (organization_id, day, is_whole)
  select d.organization_id, (d.at at time zone 'utc')::date, bool_or(d.is_whole)
  from (
    select n.organization_id,
      unnest(case when n.created_at = o.created_at then array[n.created_at] else array[n.created_at, o.created_at] end) as at,
      (n.place, n.spam_reason, n.project_id, n.created_at, n.page_url)
        is distinct from (o.place, o.spam_reason, o.project_id, o.created_at, o.page_url) as is_whole
    from changed n
    join former o on o.organization_id = n.organization_id and o.id = n.id
    -- Of spam apart from the place: what is merged as well lies there, and is counted only if it is none.
    where (n.place, n.spam_reason, n.project_id, n.created_at, n.page_url, n.type, n.source, n.status, n.priority,
        n.assignee_user_id, n.rating, n.nps, n.first_viewed_at, n.first_response_at, n.resolved_at)
      is distinct from (o.place, o.spam_reason, o.project_id, o.created_at, o.page_url, o.type, o.source, o.status,
        o.priority, o.assignee_user_id, o.rating, o.nps, o.first_viewed_at, o.first_response_at, o.resolved_at)
  ) d
  group by 1, 2;
  -- A change of many items asks for it once, at its end: counting meanwhile would be done over and over, and hold it up.
  -- Without a key: jobs of one key are one row, and all who change items would wait for each other at it.
  if found and coalesce(current_setting('app.operation_id', true), '') = ''
    and coalesce(current_setting('app.undone_operation_id', true), '') = '' then
    perform app.enqueue_job('refresh_analytics', '{}');
  end if;
  return null;
end
$$;
comment on function app.mark_changed_feedback() is 'Marks the days whose sums a change of items made wrong.';
create trigger mark_changed_feedback after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.mark_changed_feedback();

create function app.mark_deleted_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.feedback_day_marks (organization_id, day, is_whole)
  select distinct o.organization_id, (o.created_at at time zone 'utc')::date, true from former o;
  if found then
    perform app.enqueue_job('refresh_analytics', '{}');
  end if;
  return null;
end
$$;
comment on function app.mark_deleted_feedback() is 'Marks the days whose items were deleted for good.';
create trigger mark_deleted_feedback after delete on public.feedback
  referencing old table as former
  for each statement execute function app.mark_deleted_feedback();

-- What is here already. Counters are few enough to be added up at once; items are counted by a job, a day at a time.
insert into public.widget_days (organization_id, project_id, day, loaded, opened, submitted)
select c.organization_id, c.project_id, (c.hour at time zone 'utc')::date,
  coalesce(sum(c.n) filter (where c.event = 'loaded'), 0),
  coalesce(sum(c.n) filter (where c.event = 'opened'), 0),
  coalesce(sum(c.n) filter (where c.event = 'submitted'), 0)
from public.widget_counters c
where c.hour < date_trunc('day', now(), 'utc')
group by 1, 2, 3;

do $$
begin
  if exists (select from public.feedback) then
    perform app.enqueue_job('backfill_analytics', '{}');
  end if;
end
$$;

call app.add_system_policies();

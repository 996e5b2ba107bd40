-- Use of the instance, by day. The superadmins' metrics read these sums and count no other table.

create table app.usage_changes (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  day date not null,
  figure text not null check (figure in (
    'organizations', 'members', 'projects', 'installs', 'items', 'replies', 'exports', 'integrations')),
  n integer not null,
  primary key (organization_id, id)
);
comment on table app.usage_changes is
  'What triggers have counted and the job fold_usage has not added to app.usage_days yet. Rows are only added and '
  'deleted, so that no two writers wait for each other.';
comment on column app.usage_changes.organization_id is
  'No foreign key: it would lock the organisation''s row in every transaction that counts.';
alter table app.usage_changes enable row level security;
alter table app.usage_changes force row level security;
grant select, insert, delete on app.usage_changes to service_role;

create table app.usage_days (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  day date not null,
  organizations bigint not null default 0,
  members bigint not null default 0,
  projects bigint not null default 0,
  installs bigint not null default 0,
  items bigint not null default 0,
  replies bigint not null default 0,
  exports bigint not null default 0,
  integrations bigint not null default 0,
  loads bigint not null default 0,
  opens bigint not null default 0,
  submissions bigint not null default 0,
  primary key (organization_id, day)
);
comment on table app.usage_days is 'Use by organisation and day in UTC. contract/superadmin-metrics.ts defines the figures.';
comment on column app.usage_days.organizations is '1 on the day on which the organisation was created.';
comment on column app.usage_days.installs is 'Projects whose widget a page loaded for the first time.';
comment on column app.usage_days.loads is 'Of the widget; like opens and submissions a sum of public.widget_counters.';
create index usage_days_day_idx on app.usage_days (day);
alter table app.usage_days enable row level security;
alter table app.usage_days force row level security;
grant select, insert, update, delete on app.usage_days to service_role;

create table app.activations (
  organization_id uuid primary key references public.organizations (id) on delete cascade,
  registered_on date not null,
  is_verified boolean not null default false,
  has_project boolean not null default false,
  is_installed boolean not null default false,
  has_item boolean not null default false,
  is_engaged boolean not null default false
);
comment on table app.activations is
  'Which steps of the activation funnel an organisation has taken. Derived from app.usage_days.';
comment on column app.activations.is_verified is 'An owner has a verified address.';
comment on column app.activations.is_engaged is 'A member replied to a visitor, or a second member joined.';
create index activations_registered_idx on app.activations (registered_on);
create index activations_unverified_idx on app.activations (organization_id) where not is_verified;
alter table app.activations enable row level security;
alter table app.activations force row level security;
grant select, insert, update, delete on app.activations to service_role;

create table app.instance_days (
  day date primary key,
  organizations bigint not null,
  members bigint not null,
  projects bigint not null,
  installs bigint not null,
  items bigint not null,
  replies bigint not null,
  exports bigint not null,
  integrations bigint not null,
  loads bigint not null,
  opens bigint not null,
  submissions bigint not null
);
comment on table app.instance_days is
  'Sums of app.usage_days over all organisations: reading them costs the same however many there are.';
alter table app.instance_days enable row level security;
alter table app.instance_days force row level security;
grant select, insert, update, delete on app.instance_days to service_role;

create table app.active_organizations (
  step text not null check (step in ('day', 'week', 'month')),
  starts_on date not null,
  cohort date not null,
  n integer not null check (n > 0),
  primary key (step, starts_on, cohort)
);
comment on table app.active_organizations is
  'How many organisations were active in a day, a week from Monday or a month. Derived from app.usage_days.';
comment on column app.active_organizations.cohort is 'Monday of the week in which they signed up.';
alter table app.active_organizations enable row level security;
alter table app.active_organizations force row level security;
grant select, insert, update, delete on app.active_organizations to service_role;

create table app.activation_days (
  registered_on date primary key,
  registered integer not null,
  verified integer not null,
  project integer not null,
  installed integer not null,
  item integer not null,
  engaged integer not null
);
comment on table app.activation_days is 'Of the organisations that signed up on a day: how many took each step until now.';
alter table app.activation_days enable row level security;
alter table app.activation_days force row level security;
grant select, insert, update, delete on app.activation_days to service_role;

-- So that the last days are read without reading all hours.
create index widget_counters_hour_idx on public.widget_counters (hour);

-- From before: as far as rows still stand.
insert into app.usage_days (organization_id, day, organizations, members, projects, installs, items, replies, exports,
  integrations, loads, opens, submissions)
select u.organization_id, u.day, sum(u.organizations), sum(u.members), sum(u.projects), sum(u.installs), sum(u.items),
  sum(u.replies), sum(u.exports), sum(u.integrations), sum(u.loads), sum(u.opens), sum(u.submissions)
from (
  select id as organization_id, (created_at at time zone 'utc')::date as day, 1 as organizations, 0 as members,
    0 as projects, 0 as installs, 0 as items, 0 as replies, 0 as exports, 0 as integrations, 0::bigint as loads,
    0::bigint as opens, 0::bigint as submissions
  from public.organizations
  union all
  select organization_id, (joined_at at time zone 'utc')::date, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0 from public.memberships
  union all
  select organization_id, (created_at at time zone 'utc')::date, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 from public.projects
  union all
  -- The first load was not stored: the first counted hour, or else the last load.
  select w.organization_id,
    (coalesce(
      (select min(c.hour) from public.widget_counters c
       where c.organization_id = w.organization_id and c.project_id = w.project_id), w.last_loaded_at)
      at time zone 'utc')::date, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0
  from public.widgets w where w.last_loaded_at is not null
  union all
  select organization_id, day, 0, 0, 0, 0, items, 0, 0, 0, 0, 0, 0
  from public.feedback_days where scope_id = organization_id
  union all
  select organization_id, (created_at at time zone 'utc')::date, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0
  from public.feedback_comments where kind = 'reply' and not from_visitor
  union all
  select organization_id, (created_at at time zone 'utc')::date, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0 from public.exports
  union all
  select organization_id, (created_at at time zone 'utc')::date, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0 from public.integrations
  union all
  select organization_id, (hour at time zone 'utc')::date, 0, 0, 0, 0, 0, 0, 0, 0,
    case event when 'loaded' then n else 0 end, case event when 'opened' then n else 0 end,
    case event when 'submitted' then n else 0 end
  from public.widget_counters
) u
group by u.organization_id, u.day;

alter table public.contact_messages add column answered_at timestamptz, add column answered_by uuid;
comment on column public.contact_messages.answered_at is 'When a superadmin marked it as answered; null: not yet.';
comment on column public.contact_messages.answered_by is 'The superadmin; the account may be deleted.';
create index contact_messages_open_idx on public.contact_messages (created_at) where answered_at is null and not is_spam;

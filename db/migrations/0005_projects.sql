-- Projects (one per website) and the counters that number their feedback.

create table public.projects (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  name text not null check (char_length(name) between 1 and 100),
  domain text not null check (char_length(domain) between 1 and 253 and domain = lower(domain)),
  created_at timestamptz not null default now(),
  extra_origins text[] not null default '{}' check (cardinality(extra_origins) <= 20),
  archived_at timestamptz,
  retention_days integer check (retention_days between 1 and 3650),
  deleted_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, domain)
);
comment on table public.projects is 'A website that an organisation collects feedback for.';
comment on column public.projects.domain is 'Host name of the website, lower case, punycode. Subdomains belong to it.';
comment on column public.projects.extra_origins is
  'Additional domains on which the widget works, with their subdomains; normalised like domain.';
comment on column public.projects.archived_at is
  'When it was archived: it accepts no new feedback and keeps its items. Null: active.';
comment on column public.projects.retention_days is
  'Every night older feedback is deleted permanently. Null: feedback is kept forever.';
comment on column public.projects.deleted_at is
  'When it was deleted: it is hidden at once, its name and domain are erased, and a job removes its rows and files.';
create index projects_deleted_idx on public.projects (id) where deleted_at is not null;

alter table public.projects enable row level security;
alter table public.projects force row level security;
grant select, insert, update (
  name, domain, extra_origins, archived_at, retention_days
), delete on public.projects to authenticated;
grant select, insert, update, delete on public.projects to service_role;

create table public.project_counters (
  organization_id uuid not null,
  project_id uuid not null,
  last_number bigint not null default 0,
  feedback_count bigint not null default 0,
  primary key (organization_id, project_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
) with (fillfactor = 50);
comment on table public.project_counters is
  'Last number and count of items, per project. Apart from projects, so that ingest locks this row alone; half-filled '
  'pages keep its updates in place.';
comment on column public.project_counters.last_number is 'Number of the newest item. Numbers are never reused.';

alter table public.project_counters enable row level security;
alter table public.project_counters force row level security;
grant select on public.project_counters to authenticated;
grant select, update on public.project_counters to service_role;

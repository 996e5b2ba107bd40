-- The widget's settings with draft and history, further hosts of a project, and counters of what pages do with it.

alter table public.projects
  add column extra_origins text[] not null default '{}' check (cardinality(extra_origins) <= 20);
comment on column public.projects.extra_origins is
  'Further host names on which the widget works, with their subdomains; normalised like domain.';
grant update (extra_origins) on public.projects to authenticated;

drop trigger on_project_domain_changed on public.projects;
create trigger on_project_domain_changed after update of domain, extra_origins on public.projects
  for each row when ((old.domain, old.extra_origins) is distinct from (new.domain, new.extra_origins))
  execute function app.on_project_domain_changed();

alter table public.widgets
  add column draft jsonb,
  add column draft_token text check (draft_token ~ '^[A-Za-z0-9_-]{22}$'),
  add column published_at timestamptz,
  add column published_by uuid,
  add column identity_generation integer not null default 1 check (identity_generation > 0),
  add check ((draft is null) = (draft_token is null));
comment on column public.widgets.settings is 'As visitors get them. What is missing has its default.';
comment on column public.widgets.draft is 'Settings being worked on, whole; null: none.';
comment on column public.widgets.draft_token is 'Shows the draft to whoever knows it; another one with each change.';
comment on column public.widgets.published_by is 'No foreign key: outlives accounts.';
comment on column public.widgets.identity_generation is
  'Which of the secrets, derived from the instance''s, signs the ids of this project''s visitors. Goes up to forget one.';
grant update (draft, draft_token, published_at, published_by, identity_generation) on public.widgets to authenticated;

drop trigger on_widget_changed on public.widgets;
create trigger on_widget_changed after update of key, settings, identity_generation or delete on public.widgets
  for each row execute function app.on_widget_changed();

create table public.widget_versions (
  organization_id uuid not null,
  project_id uuid not null,
  id uuid not null default app.uuid_v7(),
  settings jsonb not null,
  published_at timestamptz,
  published_by uuid,
  replaced_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widget_versions is
  'Settings that were published before the present ones, a stack: publishing puts the old ones on it, undoing takes '
  'them off again.';
create index widget_versions_project_idx on public.widget_versions (organization_id, project_id, replaced_at desc, id desc);

alter table public.widget_versions enable row level security;
alter table public.widget_versions force row level security;
create policy widget_versions_select on public.widget_versions for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy widget_versions_insert on public.widget_versions for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
create policy widget_versions_delete on public.widget_versions for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));
grant select, insert, delete on public.widget_versions to authenticated;
grant select, insert, update, delete on public.widget_versions to service_role;

create table public.widget_counters (
  organization_id uuid not null,
  project_id uuid not null,
  hour timestamptz not null check (hour = date_trunc('hour', hour, 'utc')),
  event text not null check (event in ('loaded', 'opened', 'closed', 'submitted')),
  n bigint not null check (n > 0),
  primary key (organization_id, project_id, hour, event),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widget_counters is
  'What pages do with the widget, as sums of an hour: a billion loads cost rows per project and hour, not per load.';

alter table public.widget_counters enable row level security;
alter table public.widget_counters force row level security;
create policy widget_counters_select on public.widget_counters for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.widget_counters to authenticated;
grant select, insert, update on public.widget_counters to service_role;

call app.add_system_policies();

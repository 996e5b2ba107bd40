-- Projects (one per website), the widget of each, and the counter that numbers its feedback.

create table public.projects (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default app.uuid_v7(),
  name text not null check (char_length(name) between 1 and 100),
  domain text not null check (char_length(domain) between 1 and 253 and domain = lower(domain)),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, domain)
);
comment on table public.projects is 'A website that an organisation collects feedback for.';
comment on column public.projects.domain is 'Host name of the website, lower case, punycode. Subdomains belong to it.';

create table public.project_counters (
  organization_id uuid not null,
  project_id uuid not null,
  last_number bigint not null default 0,
  feedback_count bigint not null default 0,
  primary key (organization_id, project_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
) with (fillfactor = 50);
comment on table public.project_counters is
  'Numbers given and items held, per project. Apart from projects, so that ingest locks this row and nobody else waits; '
  'half-filled pages keep its updates in place.';
comment on column public.project_counters.last_number is 'Number of the newest item. Numbers are never used twice.';

create table public.widgets (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  project_id uuid not null,
  key text not null unique check (key ~ '^wk_[A-Za-z0-9_-]{22}$'),
  settings jsonb not null default '{}',
  last_loaded_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, project_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.widgets is 'What a page loads to show the button: key and settings of a project''s widget.';
comment on column public.widgets.key is 'Public key in the snippet''s address. Not a secret.';
comment on column public.widgets.last_loaded_at is 'When a page last asked for the widget, to the minute; null until the snippet is found.';

create function app.on_project_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.project_counters (organization_id, project_id) values (new.organization_id, new.id);
  return null;
end
$$;
comment on function app.on_project_created() is 'A project has its counter from its first moment.';
create trigger on_project_created after insert on public.projects for each row execute function app.on_project_created();

create function app.on_widget_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('widget_changed', old.key);
  return null;
end
$$;
comment on function app.on_widget_changed() is 'Tells every server to forget what it holds in memory of this widget.';
create trigger on_widget_changed after update of key, settings or delete on public.widgets
  for each row execute function app.on_widget_changed();

create function app.on_project_domain_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('widget_changed', w.key)
  from public.widgets w where w.organization_id = old.organization_id and w.project_id = old.id;
  return null;
end
$$;
comment on function app.on_project_domain_changed() is 'The widget''s code holds the domain: it is made anew when that changes.';
create trigger on_project_domain_changed after update of domain on public.projects
  for each row when (old.domain is distinct from new.domain) execute function app.on_project_domain_changed();

alter table public.projects enable row level security;
alter table public.projects force row level security;
create policy projects_select on public.projects for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy projects_insert on public.projects for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
create policy projects_update on public.projects for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
create policy projects_delete on public.projects for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));
grant select, insert, update (name, domain), delete on public.projects to authenticated;
grant select, insert, update, delete on public.projects to service_role;

alter table public.project_counters enable row level security;
alter table public.project_counters force row level security;
create policy project_counters_select on public.project_counters for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.project_counters to authenticated;
grant select, update on public.project_counters to service_role;

alter table public.widgets enable row level security;
alter table public.widgets force row level security;
create policy widgets_select on public.widgets for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy widgets_insert on public.widgets for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
create policy widgets_update on public.widgets for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
grant select, insert, update (key, settings) on public.widgets to authenticated;
grant select, insert, update, delete on public.widgets to service_role;

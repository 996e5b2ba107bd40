-- The widget in the servers' memory.

create or replace function app.on_widget_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('widget_changed', old.key);
  return null;
end
$$;
comment on function app.on_widget_changed() is 'Tells every server to drop the widget from its memory.';
create or replace trigger on_widget_changed after update of key, settings, identity_generation or delete on public.widgets
  for each row execute function app.on_widget_changed();

create or replace function app.on_project_domain_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('widget_changed', w.key)
  from public.widgets w where w.organization_id = old.organization_id and w.project_id = old.id;
  return null;
end
$$;
comment on function app.on_project_domain_changed() is
  'The same for a changed domain, which is a part of the widget''s code.';
create or replace trigger on_project_domain_changed after update of domain, extra_origins, archived_at on public.projects
  for each row
  when ((old.domain, old.extra_origins, old.archived_at) is distinct from (new.domain, new.extra_origins, new.archived_at))
  execute function app.on_project_domain_changed();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists widgets_select on public.widgets;
create policy widgets_select on public.widgets for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists widgets_insert on public.widgets;
create policy widgets_insert on public.widgets for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists widgets_update on public.widgets;
create policy widgets_update on public.widgets for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));

drop policy if exists widget_versions_select on public.widget_versions;
create policy widget_versions_select on public.widget_versions for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists widget_versions_insert on public.widget_versions;
create policy widget_versions_insert on public.widget_versions for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists widget_versions_delete on public.widget_versions;
create policy widget_versions_delete on public.widget_versions for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists widget_counters_select on public.widget_counters;
create policy widget_counters_select on public.widget_counters for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

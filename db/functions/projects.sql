-- Projects.

create or replace function app.on_project_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.project_counters (organization_id, project_id) values (new.organization_id, new.id);
  return null;
end
$$;
comment on function app.on_project_created() is 'Makes the counter of a new project.';
create or replace trigger on_project_created after insert on public.projects for each row execute function app.on_project_created();

create or replace function app.deleted_project_ids() returns uuid[]
language sql stable parallel safe security definer set search_path = ''
as $$
  select coalesce(array_agg(p.id), '{}') from public.projects p where p.deleted_at is not null
$$;
comment on function app.deleted_project_ids() is 'Projects whose rows are being removed. Few or none at a time.';
grant execute on function app.deleted_project_ids() to authenticated, service_role;

create or replace function app.delete_project(p_organization_id uuid, p_project_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
declare
  v_items bigint;
  v_name text;
  v_domain text;
begin
  if p_organization_id not in (select app.owned_organization_ids()) then
    return false;
  end if;
  -- The counter is locked first, as ingest does: a running batch is waited for, and the next finds the project deleted.
  select c.feedback_count into v_items from public.project_counters c
  where c.organization_id = p_organization_id and c.project_id = p_project_id for update;
  select p.name, p.domain into v_name, v_domain from public.projects p
  where p.organization_id = p_organization_id and p.id = p_project_id and p.deleted_at is null for update;
  if not found then
    return false;
  end if;
  delete from public.widgets w where w.organization_id = p_organization_id and w.project_id = p_project_id;
  delete from public.project_counters c where c.organization_id = p_organization_id and c.project_id = p_project_id;
  update public.projects p
  -- The name is erased, and the domain is free for another project.
  set deleted_at = now(), name = 'Deleted', domain = p.id::text, extra_origins = '{}', retention_days = null
  where p.organization_id = p_organization_id and p.id = p_project_id;
  perform app.enqueue_job('delete_project',
    json_build_object('organizationId', p_organization_id, 'projectId', p_project_id), 'delete_project:' || p_project_id);
  perform app.write_event(p_organization_id, 'project.deleted', array[p_project_id],
    jsonb_build_object('name', v_name, 'domain', v_domain, 'items', v_items));
  return true;
end
$$;
comment on function app.delete_project(uuid, uuid) is
  'Deletes a project: hides it at once, and enqueues the job that removes its rows and files. For owners. False: not '
  'found.';
grant execute on function app.delete_project(uuid, uuid) to authenticated;

-- Policies ------------------------------------------------------------------------------------------------------------

-- A deleted project is hidden while a job removes its rows; so is its feedback, by the policies of feedback.
drop policy if exists projects_select on public.projects;
create policy projects_select on public.projects for select to authenticated
  using (deleted_at is null and organization_id in (select app.visible_organization_ids()));
drop policy if exists projects_insert on public.projects;
create policy projects_insert on public.projects for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists projects_update on public.projects;
create policy projects_update on public.projects for update to authenticated
  using (deleted_at is null and organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists projects_delete on public.projects;
create policy projects_delete on public.projects for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists project_counters_select on public.project_counters;
create policy project_counters_select on public.project_counters for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

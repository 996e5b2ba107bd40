-- Integrations: who sees them, and the queues of their deliveries.

drop policy if exists integrations_select on public.integrations;
create policy integrations_select on public.integrations for select to authenticated
  using (removed_at is null and organization_id in (select app.visible_organization_ids()));
drop policy if exists integrations_insert on public.integrations;
create policy integrations_insert on public.integrations for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()) and created_by = (select auth.uid()));
drop policy if exists integrations_update on public.integrations;
create policy integrations_update on public.integrations for update to authenticated
  using (removed_at is null and organization_id in (select app.owned_organization_ids()));
drop policy if exists integrations_delete on public.integrations;

create or replace function app.disconnect_integration(p_organization_id uuid, p_integration_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.integrations i
  set removed_at = now(), state = 'disabled', secrets = '', secret_names = '{}', settings = '{}', account = null
  where i.organization_id = p_organization_id and i.id = p_integration_id and i.removed_at is null
    and p_organization_id in (select app.owned_organization_ids());
  if not found then
    return false;
  end if;
  perform app.enqueue_job('remove_integration',
    json_build_object('organizationId', p_organization_id, 'integrationId', p_integration_id),
    'remove_integration:' || p_integration_id);
  return true;
end
$$;
comment on function app.disconnect_integration(uuid, uuid) is
  'Disconnects an integration: hides it at once, erases its secrets, and enqueues the job that removes what belongs to it. '
  'For owners. False: not found.';
grant execute on function app.disconnect_integration(uuid, uuid) to authenticated;

drop policy if exists integration_queues_select on public.integration_queues;
create policy integration_queues_select on public.integration_queues for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

-- A delivery repeats what visitors wrote, and an answer what another service told its owner.
drop policy if exists deliveries_select on public.deliveries;
create policy deliveries_select on public.deliveries for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists deliveries_insert on public.deliveries;
create policy deliveries_insert on public.deliveries for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists deliveries_update on public.deliveries;
create policy deliveries_update on public.deliveries for update to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists delivery_attempts_select on public.delivery_attempts;
create policy delivery_attempts_select on public.delivery_attempts for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));

create or replace function app.add_integration_queue() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.integration_queues (organization_id, integration_id) values (new.organization_id, new.id);
  return null;
end
$$;
comment on function app.add_integration_queue() is 'Gives a new integration its queue.';
create or replace trigger add_integration_queue after insert on public.integrations
  for each row execute function app.add_integration_queue();

create or replace function app.call_for_delivery() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_sooner boolean := false;
begin
  -- Also where the queue is due sooner and nothing changes: the process that gives it back waits for this transaction, and sees
  -- the delivery. The weakest lock, so that writers don't wait for each other.
  perform from public.integration_queues q
  where (q.organization_id, q.integration_id) in (
    select d.organization_id, d.integration_id from changed d where d.state = 'waiting')
  for key share;
  update public.integration_queues q
  set due_at = w.next_attempt_at
  from (
    select d.organization_id, d.integration_id, min(d.next_attempt_at) as next_attempt_at
    from changed d where d.state = 'waiting'
    group by d.organization_id, d.integration_id
  ) w
  where q.organization_id = w.organization_id and q.integration_id = w.integration_id
    and exists (
      select from public.integrations i
      where i.organization_id = q.organization_id and i.id = q.integration_id and i.state = 'active')
    -- One that is due already stays so: while a process works through it, no one changes the row that it gives back.
    and (q.due_at is null or q.due_at > greatest(w.next_attempt_at, clock_timestamp()));
  v_is_sooner := found;
  if v_is_sooner then
    perform pg_notify('deliveries', '');
  end if;
  return null;
end
$$;
comment on function app.call_for_delivery() is
  'Puts down when the queue of a waiting delivery is due, and wakes the workers where that is sooner than before.';
create or replace trigger call_for_delivery after insert on public.deliveries
  referencing new table as changed for each statement execute function app.call_for_delivery();
-- Of a retry by hand. Workers put down their own retries themselves.
create or replace trigger call_for_repeated_delivery after update on public.deliveries
  referencing new table as changed for each statement
  when (coalesce(current_setting('role', true), '') = 'authenticated')
  execute function app.call_for_delivery();

create or replace function app.follow_integration_state() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.integration_queues q
  set failures = 0, failing_since = null, last_failure = null, due_at = case when new.state = 'active' then (
    select min(d.next_attempt_at) from public.deliveries d
    where d.organization_id = new.organization_id and d.integration_id = new.id and d.state = 'waiting') end
  where q.organization_id = new.organization_id and q.integration_id = new.id;
  if new.state = 'active' then
    perform pg_notify('deliveries', '');
  end if;
  return null;
end
$$;
comment on function app.follow_integration_state() is
  'A queue rests while its integration is paused or disabled, and starts again when it is enabled.';
create or replace trigger follow_integration_state after update of state on public.integrations
  for each row when (old.state <> new.state) execute function app.follow_integration_state();

create or replace function app.count_waiting_deliveries(p_organization_id uuid, p_integration_id uuid, p_limit integer)
returns integer
language sql stable security definer set search_path = ''
as $$
  select count(*)::integer from (
    select from public.deliveries d
    where d.organization_id = p_organization_id and d.integration_id = p_integration_id and d.state = 'waiting'
      and p_organization_id in (select app.visible_organization_ids())
    limit p_limit) w
$$;
comment on function app.count_waiting_deliveries(uuid, uuid, integer) is
  'How many deliveries of an integration wait, up to a limit, for every member: the deliveries themselves are for owners.';
grant execute on function app.count_waiting_deliveries(uuid, uuid, integer) to authenticated;

-- Issues of trackers ---------------------------------------------------------------------------------------------------

drop policy if exists issue_links_select on public.issue_links;
create policy issue_links_select on public.issue_links for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists issue_links_insert on public.issue_links;
create policy issue_links_insert on public.issue_links for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and created_by = (select auth.uid()));
drop policy if exists issue_links_delete on public.issue_links;
create policy issue_links_delete on public.issue_links for delete to authenticated
  using (organization_id in (select app.visible_organization_ids()));

-- API keys: trackers of the organisation, and links of the project's items.
drop policy if exists integrations_key on public.integrations;
create policy integrations_key on public.integrations for select to earshot_api_key
  using (is_tracker and removed_at is null and organization_id in (select k.organization_id from app.key_projects() k));
drop policy if exists issue_links_key_select on public.issue_links;
create policy issue_links_key_select on public.issue_links for select to earshot_api_key
  using (exists (
    select from public.feedback f
    where f.organization_id = issue_links.organization_id and f.id = issue_links.feedback_id));
drop policy if exists issue_links_key_insert on public.issue_links;
create policy issue_links_key_insert on public.issue_links for insert to earshot_api_key
  with check (created_by = (select app.caller_id()) and exists (
    select from public.feedback f
    join app.key_projects() k on k.organization_id = f.organization_id and k.project_id = f.project_id
    where k.may_write and f.organization_id = issue_links.organization_id and f.id = issue_links.feedback_id));

create or replace function app.request_issue_syncs(p_organization_id uuid, p_link_ids uuid[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.deliveries as d (organization_id, integration_id, event_name, feedback_id, subject_id)
  select l.organization_id, l.integration_id, 'issue.sync', l.feedback_id, l.id
  from public.issue_links l
  where l.organization_id = p_organization_id and l.id = any (p_link_ids) and l.state <> 'gone'
  on conflict (organization_id, integration_id, event_id, event_name, subject_id) do update
  set requests = d.requests + 1, state = 'waiting', next_attempt_at = now(), ended_at = null, attempts = 0;
  -- As app.call_for_delivery() does.
  perform from public.integration_queues q
  where q.organization_id = p_organization_id and q.integration_id in (
    select l.integration_id from public.issue_links l
    where l.organization_id = p_organization_id and l.id = any (p_link_ids))
  for key share;
  update public.integration_queues q set due_at = now()
  from public.integrations i
  where q.organization_id = p_organization_id and i.organization_id = q.organization_id and i.id = q.integration_id
    and i.state = 'active' and (q.due_at is null or q.due_at > clock_timestamp())
    and i.id in (select l.integration_id from public.issue_links l
      where l.organization_id = p_organization_id and l.id = any (p_link_ids));
  perform pg_notify('deliveries', '');
end
$$;
comment on function app.request_issue_syncs(uuid, uuid[]) is
  'Puts the synchronisation of links into the queues of their integrations: one delivery for each link, however often it is '
  'requested.';
grant execute on function app.request_issue_syncs(uuid, uuid[]) to service_role;

create or replace function app.sync_new_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.request_issue_syncs(new.organization_id, array[new.id]);
  return null;
end
$$;
comment on function app.sync_new_link() is 'A new link creates its issue, or reads it.';
create or replace trigger sync_new_link after insert on public.issue_links
  for each row execute function app.sync_new_link();

create or replace function app.announce_links() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.send_live_message(l.organization_id, 'feedback.updated', array_agg(distinct l.feedback_id))
  from changed l group by l.organization_id;
  return null;
end
$$;
comment on function app.announce_links() is 'Tells open inboxes which items were linked to issues or unlinked.';
create or replace trigger announce_new_links after insert on public.issue_links
  referencing new table as changed for each statement execute function app.announce_links();
create or replace trigger announce_old_links after delete on public.issue_links
  referencing old table as changed for each statement execute function app.announce_links();

create or replace function app.announce_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform app.send_live_message(new.organization_id, 'feedback.updated', array[new.feedback_id]);
  return null;
end
$$;
comment on function app.announce_link() is
  'Tells open inboxes that an issue has changed. What synchronisation notes for itself is not told.';
create or replace trigger announce_link after update on public.issue_links
  for each row when (
    (old.state, old.label, old.title, old.url, old.status_name, old.stage, old.failure)
    is distinct from (new.state, new.label, new.title, new.url, new.status_name, new.stage, new.failure))
  execute function app.announce_link();

create or replace function app.after_issue_link() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_link public.issue_links;
begin
  if tg_op = 'DELETE' then v_link := old; else v_link := new; end if;
  insert into public.feedback_events (organization_id, feedback_id, actor_user_id, field, from_value, to_value)
  select i.organization_id, v_link.feedback_id, auth.uid(),
    case when tg_op = 'INSERT' and new.issue_key is null then 'new_issue' else 'issue' end,
    case when tg_op = 'DELETE' then coalesce(old.label, i.name) end, case when tg_op = 'INSERT' then i.name end
  from public.integrations i
  where i.organization_id = v_link.organization_id and i.id = v_link.integration_id and i.removed_at is null;
  return null;
end
$$;
comment on function app.after_issue_link() is
  'Writes into the history of an item which issues people, agents and keys create for it, link to it and unlink.';
create or replace trigger after_issue_link_added after insert on public.issue_links
  for each row when (new.created_by is not null) execute function app.after_issue_link();
-- Not of an item or an integration that is deleted with its links.
create or replace trigger after_issue_link_deleted after delete on public.issue_links
  for each row when (pg_trigger_depth() = 0) execute function app.after_issue_link();

-- Webhooks of trackers --------------------------------------------------------------------------------------------------

create or replace function app.request_tracker_hook(p_organization_id uuid, p_integration_id uuid) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform graphile_worker.add_job(
    identifier => 'keep_tracker_hook',
    payload => json_build_object('organizationId', p_organization_id, 'integrationId', p_integration_id),
    queue_name => 'tracker hook ' || p_integration_id, job_key => 'keep_tracker_hook:' || p_integration_id);
end
$$;
comment on function app.request_tracker_hook(uuid, uuid) is
  'Queues the job that registers or removes the webhook of a tracker. Those of one integration run in turn: two at once could '
  'both find no webhook and register one each.';
grant execute on function app.request_tracker_hook(uuid, uuid) to service_role;

create or replace function app.keep_tracker_hook() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op <> 'DELETE' and new.removed_at is null then
    perform app.request_tracker_hook(new.organization_id, new.id);
  elsif old.hook_id is not null then
    perform app.enqueue_job('remove_tracker_hook', json_build_object(
      'organizationId', old.organization_id, 'integrationId', old.id, 'type', old.type, 'settings', old.settings,
      'secrets', old.secrets, 'hookId', old.hook_id, 'giveUpAt', now() + interval '1 day'));
  end if;
  return null;
end
$$;
comment on function app.keep_tracker_hook() is
  'The webhook follows its integration. The job of a disconnected one carries the encrypted secrets: they are erased by then.';
create or replace trigger keep_hook_of_new_tracker after insert on public.integrations
  for each row when (new.is_tracker) execute function app.keep_tracker_hook();
create or replace trigger keep_hook_of_changed_tracker after update of state, settings, secrets on public.integrations
  for each row when (new.is_tracker and (
    old.state <> new.state or old.settings <> new.settings or old.secrets <> new.secrets))
  execute function app.keep_tracker_hook();
create or replace trigger keep_hook_of_deleted_tracker after delete on public.integrations
  for each row when (old.is_tracker and old.removed_at is null) execute function app.keep_tracker_hook();

-- GitHub Apps that are about to be connected ---------------------------------------------------------------------------

-- The state is for the owner who began; what GitHub has created then, any owner may connect.
drop policy if exists github_apps_select on public.github_apps;
create policy github_apps_select on public.github_apps for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists github_apps_insert on public.github_apps;
create policy github_apps_insert on public.github_apps for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()) and user_id = (select auth.uid()));
drop policy if exists github_apps_update on public.github_apps;
create policy github_apps_update on public.github_apps for update to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists github_apps_delete on public.github_apps;
create policy github_apps_delete on public.github_apps for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));

-- New tables: see the end of app.sql, which ran before this file.
call app.add_system_policies();

-- API keys: what they reach, and the copies of them in the servers' memory.

drop function if exists app.find_api_key(bytea);
create or replace function app.find_api_key(p_hash bytea)
returns table (
  id uuid, organization_id uuid, project_id uuid, name text, scopes text[], ends_at timestamptz, revoked_at timestamptz,
  is_suspended boolean)
language sql stable security definer set search_path = ''
as $$
  select k.id, k.organization_id, k.project_id, k.name, k.scopes, least(k.expires_at, k.overlap_until), k.revoked_at,
    o.suspended_at is not null
  from public.api_keys k
  join public.projects p on p.organization_id = k.organization_id and p.id = k.project_id
  join public.organizations o on o.id = k.organization_id
  where k.hash = p_hash and p.deleted_at is null and o.closed_at is null
$$;
comment on function app.find_api_key(bytea) is
  'The key with that hash, also when it was revoked or has expired or its organisation is suspended, so that the answer can say so. Granted to the '
  'powerless role: a key is looked up before anyone is known.';
grant execute on function app.find_api_key(bytea) to authenticator;

-- Read again in each transaction: a key that was revoked a moment ago reaches nothing, whatever a server remembers.
create or replace function app.key_projects()
returns table (organization_id uuid, project_id uuid, may_write boolean)
language sql stable security definer set search_path = ''
as $$
  select k.organization_id, k.project_id, 'write' = any (k.scopes)
  from public.api_keys k
  join public.projects p on p.organization_id = k.organization_id and p.id = k.project_id
  join public.organizations o on o.id = k.organization_id and o.closed_at is null and o.suspended_at is null
  where k.organization_id = nullif(current_setting('app.organization_id', true), '')::uuid
    and k.id = auth.uid()
    and k.revoked_at is null
    and p.deleted_at is null
    and coalesce(least(k.expires_at, k.overlap_until) > now(), true)
$$;
comment on function app.key_projects() is
  'The project that the calling API key reaches: one row, or none for people and for keys that ended.';
grant execute on function app.key_projects() to earshot_api_key;

create or replace function app.caller_id() returns uuid
language sql stable security definer set search_path = ''
as $$
  select auth.uid()
$$;
comment on function app.caller_id() is
  'The calling user or API key. Apart from auth.uid(), because the role of keys reaches nothing in schema auth.';
grant execute on function app.caller_id() to authenticated, service_role, earshot_api_key;

create or replace function app.is_key_selection(p_organization_id uuid, p_project_ids uuid[]) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from app.key_projects() k
    where k.organization_id = p_organization_id and p_project_ids = array[k.project_id])
$$;
comment on function app.is_key_selection(uuid, uuid[]) is
  'Whether a selection of items asks for the calling API key''s project and no other.';

create or replace function app.get_key_name(p_organization_id uuid, p_id uuid) returns text
language sql stable strict security definer set search_path = ''
as $$
  select n.name
  from (
    select k.organization_id, 'API key “' || k.name || '”' as name
    from public.api_keys k where k.organization_id = p_organization_id and k.id = p_id
    union all
    select i.organization_id, i.name
    from public.integrations i where i.organization_id = p_organization_id and i.id = p_id
  ) n
  where (p_organization_id in (select app.visible_organization_ids())
      or p_organization_id in (select o.organization_id from app.key_projects() o))
$$;
comment on function app.get_key_name(uuid, uuid) is 'Names the API key or the integration that changed an item or wrote a comment.';
grant execute on function app.get_key_name(uuid, uuid) to authenticated, earshot_api_key;

create or replace function app.key_member_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.user_id
  from public.memberships m
  where m.organization_id in (select k.organization_id from app.key_projects() k)
$$;
comment on function app.key_member_ids() is
  'People whose names the calling API key may see: members, who are the assignees and authors of its project''s items.';
grant execute on function app.key_member_ids() to earshot_api_key;

create or replace function app.list_key_events(
  p_transaction text, p_id uuid, p_horizon text, p_from_id uuid, p_limit integer)
returns table (id uuid, name text, feedback_ids uuid[], occurred_at timestamptz, transaction_id text)
language sql stable security definer set search_path = ''
as $$
  select e.id, e.name, own.ids, e.occurred_at, e.transaction_id::text
  from app.key_projects() k
  join app.events e on e.organization_id = k.organization_id
  cross join lateral (
    select array_agg(f.id order by f.id) as ids
    from public.feedback f
    where f.organization_id = k.organization_id and f.id = any (e.ids) and f.project_id = k.project_id
  ) as own
  where e.id >= p_from_id
    and e.name in ('feedback.created', 'feedback.imported', 'feedback.status_changed', 'feedback.updated',
      'feedback.assigned', 'feedback.commented', 'feedback.replied', 'feedback.answered', 'feedback.files_changed')
    and (e.transaction_id, e.id) > (p_transaction::xid8, p_id)
    and e.transaction_id < p_horizon::xid8
    and own.ids is not null
  order by e.transaction_id, e.id
  limit p_limit
$$;
comment on function app.list_key_events(text, uuid, text, uuid, integer) is
  'Events of the calling API key''s project after a position, of transactions before the horizon. Without payloads: those '
  'name items of other projects too.';
grant execute on function app.list_key_events(text, uuid, text, uuid, integer) to earshot_api_key;

create or replace function app.sibling_key_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select s.id
  from app.key_projects() k
  join public.api_keys s on s.organization_id = k.organization_id and s.project_id = k.project_id
$$;
comment on function app.sibling_key_ids() is
  'All keys of the calling API key''s project, also former ones: a regenerated key reads what its former requested.';
grant execute on function app.sibling_key_ids() to earshot_api_key;

create or replace function app.count_open_exports(p_organization_id uuid) returns bigint
language sql stable security definer set search_path = ''
as $$
  select count(*) from public.exports e
  where e.organization_id = p_organization_id and e.state in ('queued', 'running')
    and (p_organization_id in (select app.visible_organization_ids())
      or p_organization_id in (select k.organization_id from app.key_projects() k))
$$;
comment on function app.count_open_exports(uuid) is
  'Exports of an organisation that wait or are being written, for its members and API keys: both share one limit.';
grant execute on function app.count_open_exports(uuid) to authenticated, earshot_api_key;

create or replace function app.on_api_key_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform pg_notify('api_key_changed', encode(old.hash, 'hex'));
  return null;
end
$$;
comment on function app.on_api_key_changed() is 'Tells every server to drop the key from its memory.';
create or replace trigger on_api_key_changed
  after update of scopes, expires_at, overlap_until, revoked_at or delete on public.api_keys
  for each row execute function app.on_api_key_changed();

create or replace function app.on_keyed_project_deleted() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.api_keys k set revoked_at = now()
  where k.organization_id = new.organization_id and k.project_id = new.id and k.revoked_at is null;
  return null;
end
$$;
comment on function app.on_keyed_project_deleted() is 'Revokes the API keys of a project that is being deleted.';
create or replace trigger on_keyed_project_deleted after update of deleted_at on public.projects
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function app.on_keyed_project_deleted();

-- For a key nothing is unread: it is no member.
grant execute on function app.get_read_until(uuid) to earshot_api_key;

-- Generated columns run as the role that changes the item.
grant execute on function
  app.get_location(timestamptz, uuid, text, timestamptz, timestamptz),
  app.get_facet_prefix(uuid, text),
  app.make_facets(text, uuid, text, text, text, text, uuid, text, smallint, text[], text[], text, text, timestamptz,
    timestamptz, text),
  app.make_list_facets(text, text[], text[])
to earshot_api_key;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists api_keys_select on public.api_keys;
create policy api_keys_select on public.api_keys for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists api_keys_insert on public.api_keys;
create policy api_keys_insert on public.api_keys for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()) and created_by = auth.uid());
drop policy if exists api_keys_update on public.api_keys;
create policy api_keys_update on public.api_keys for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));

-- Of the key's project. Apart from the policies for members, whose plans stay as they are.
drop policy if exists projects_key on public.projects;
create policy projects_key on public.projects for select to earshot_api_key
  using ((organization_id, id) in (select k.organization_id, k.project_id from app.key_projects() k));
drop policy if exists widgets_key on public.widgets;
create policy widgets_key on public.widgets for select to earshot_api_key
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));
drop policy if exists project_counters_key on public.project_counters;
create policy project_counters_key on public.project_counters for select to earshot_api_key
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));
drop policy if exists uploads_key on public.uploads;
create policy uploads_key on public.uploads for select to earshot_api_key
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));

drop policy if exists feedback_key_select on public.feedback;
create policy feedback_key_select on public.feedback for select to earshot_api_key
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));
drop policy if exists feedback_key_update on public.feedback;
create policy feedback_key_update on public.feedback for update to earshot_api_key
  using ((organization_id, project_id) in (
    select k.organization_id, k.project_id from app.key_projects() k where k.may_write))
  with check ((organization_id, project_id) in (
    select k.organization_id, k.project_id from app.key_projects() k where k.may_write));

-- Their rows name no project: the policy of the item decides.
drop policy if exists feedback_events_key on public.feedback_events;
create policy feedback_events_key on public.feedback_events for select to earshot_api_key
  using (exists (
    select from public.feedback f
    where f.organization_id = feedback_events.organization_id and f.id = feedback_events.feedback_id));
drop policy if exists feedback_attachments_key on public.feedback_attachments;
create policy feedback_attachments_key on public.feedback_attachments for select to earshot_api_key
  using (exists (
    select from public.feedback f
    where f.organization_id = feedback_attachments.organization_id and f.id = feedback_attachments.feedback_id));
drop policy if exists feedback_comments_key_select on public.feedback_comments;
create policy feedback_comments_key_select on public.feedback_comments for select to earshot_api_key
  using (exists (
    select from public.feedback f
    where f.organization_id = feedback_comments.organization_id and f.id = feedback_comments.feedback_id));
drop policy if exists feedback_comments_key_insert on public.feedback_comments;
create policy feedback_comments_key_insert on public.feedback_comments for insert to earshot_api_key
  with check (
    author_user_id = app.caller_id() and not from_visitor and delivery is null and email_id is null
    and exists (
      select from public.feedback f
      join app.key_projects() k on k.organization_id = f.organization_id and k.project_id = f.project_id
      where k.may_write and f.organization_id = feedback_comments.organization_id
        and f.id = feedback_comments.feedback_id));

drop policy if exists feedback_operations_key on public.feedback_operations;
create policy feedback_operations_key on public.feedback_operations to earshot_api_key
  using (actor_user_id = (select app.caller_id())
    and organization_id in (select k.organization_id from app.key_projects() k where k.may_write))
  with check (actor_user_id = (select app.caller_id())
    and organization_id in (select k.organization_id from app.key_projects() k where k.may_write));

drop policy if exists visitor_erasures_key_select on public.visitor_erasures;
create policy visitor_erasures_key_select on public.visitor_erasures for select to earshot_api_key
  using ((organization_id, project_id) in (select k.organization_id, k.project_id from app.key_projects() k));
drop policy if exists visitor_erasures_key_insert on public.visitor_erasures;
create policy visitor_erasures_key_insert on public.visitor_erasures for insert to earshot_api_key
  with check (requested_by = (select app.caller_id())
    and (organization_id, project_id) in (
      select k.organization_id, k.project_id from app.key_projects() k where k.may_write));

drop policy if exists profiles_key on public.profiles;
create policy profiles_key on public.profiles for select to earshot_api_key
  using (user_id in (select app.key_member_ids()));

drop policy if exists exports_key_select on public.exports;
create policy exports_key_select on public.exports for select to earshot_api_key
  using (is_by_key and organization_id in (select k.organization_id from app.key_projects() k)
    and created_by in (select app.sibling_key_ids()));
drop policy if exists exports_key_insert on public.exports;
create policy exports_key_insert on public.exports for insert to earshot_api_key
  with check (is_by_key and created_by = (select app.caller_id())
    and exists (
      select from app.key_projects() k
      where k.organization_id = exports.organization_id
        and exports.selection -> 'projectId' = jsonb_build_array(k.project_id)));

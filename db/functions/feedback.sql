-- Items: the words to search by, versions and history, tags, members who leave; policies of all tables of feedback.

create or replace function app.make_search(message text, visitor_email text, visitor_name text, page_url text, page_title text)
returns tsvector
-- Without a search path, so that PostgreSQL inlines it: it is evaluated for every item written.
language sql immutable parallel safe
as $$
  -- Addresses and markup are split into words: the parser would keep an address whole, so that a part of it could not be
  -- found, and drop markup. Few messages contain either, and splitting costs as much as parsing.
  select to_tsvector('simple'::regconfig,
    case
      when strpos(message, '@') > 0 or strpos(message, '/') > 0 or strpos(message, '<') > 0
      then translate(message, './@:-_?&=#%+~<>', '               ')
      else message
    end
    || ' ' || translate(coalesce(visitor_email, '') || ' ' || page_url, './@:-_?&=#%+~', '             ')
    || ' ' || coalesce(visitor_name, '') || ' ' || coalesce(page_title, ''))
$$;
comment on function app.make_search(text, text, text, text, text) is 'The words to search an item by.';
grant execute on function app.make_search(text, text, text, text, text) to service_role;

create or replace function app.fill_in_search() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.search := app.make_search(
    new.message || coalesce((
      select ' ' || string_agg(a.value #>> '{}', ' ') from jsonb_each(new.fields) a where jsonb_typeof(a.value) = 'string'), ''),
    new.visitor_email, new.visitor_name, new.page_url, new.page_title);
  return new;
end
$$;
comment on function app.fill_in_search() is 'Keeps feedback.search in step with its text.';
-- Not a generated column: ingest makes the words before it locks a project's counter, at which other batches wait.
create or replace trigger fill_in_search before insert on public.feedback
  for each row when (new.search is null) execute function app.fill_in_search();
create or replace trigger refill_search before update of message, visitor_email, visitor_name, page_url, page_title, fields
  on public.feedback
  for each row execute function app.fill_in_search();

create or replace function app.before_feedback_update() returns trigger
language plpgsql set search_path = ''
as $$
declare
  v_undone constant uuid := nullif(current_setting('app.undone_operation_id', true), '')::uuid;
begin
  -- Unlocked: as if it had arrived so. Browsers take the content for a newer state.
  if old.locked and not new.locked then
    new.version := old.version + 1;
    return new;
  end if;
  -- Done or archived, it has nothing to come back for. An undo sets the former time itself.
  if new.snoozed_until is not distinct from old.snoozed_until
    and (new.status in ('resolved', 'closed') and old.status not in ('resolved', 'closed')
      or new.archived_at is not null and old.archived_at is null) then
    new.snoozed_until := null;
  end if;
  if (new.status, new.closed_reason, new.priority, new.spam_reason, new.assignee_user_id, new.tags, new.archived_at,
      new.deleted_at, new.merged_into, new.snoozed_until)
    is distinct from (old.status, old.closed_reason, old.priority, old.spam_reason, old.assignee_user_id, old.tags,
      old.archived_at, old.deleted_at, old.merged_into, old.snoozed_until) then
    new.version := old.version + 1;
    new.updated_at := now();
    if new.status not in ('resolved', 'closed') then
      new.resolved_at := null;
    elsif old.resolved_at is null then
      new.resolved_at := now();
      -- Undo restores the former time.
      if v_undone is not null then
        new.resolved_at := coalesce((
          select e.resolved_at from public.feedback_events e
          where e.organization_id = new.organization_id and e.operation_id = v_undone and e.feedback_id = new.id
            and e.field = 'status'), new.resolved_at);
      end if;
    end if;
  end if;
  return new;
end
$$;
comment on function app.before_feedback_update() is 'Increments the version, keeps the time of resolution, and ends the snooze of an item that is done or archived.';
create or replace trigger before_feedback_update before update on public.feedback
  for each row execute function app.before_feedback_update();

create or replace function app.after_feedback_update() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Evaluated once, not for each of ten thousand items.
  v_actor constant uuid := auth.uid();
  v_operation constant uuid := nullif(current_setting('app.operation_id', true), '')::uuid;
begin
  insert into public.feedback_events
    (organization_id, feedback_id, actor_user_id, field, from_value, to_value, operation_id, version, resolved_at)
  select n.organization_id, n.id, v_actor, c.field, c.from_value, c.to_value, v_operation, n.version,
    case c.field when 'status' then o.resolved_at end
  from changed n
  join former o on o.organization_id = n.organization_id and o.id = n.id and o.version <> n.version
  -- Arrays, not VALUES: PostgreSQL prepares VALUES again for each item, which takes longer than comparing it.
  cross join lateral unnest(
    '{status,closed_reason,priority,spam,assignee,tags,archived,deleted,merged,snoozed}'::text[],
    -- Tags as JSON: they may contain any character.
    array[o.status, o.closed_reason, o.priority, o.spam_reason, o.assignee_user_id::text,
      nullif(array_to_json(o.tags)::text, '[]'), o.archived_at::text, o.deleted_at::text, o.merged_into::text,
      o.snoozed_until::text],
    array[n.status, n.closed_reason, n.priority, n.spam_reason, n.assignee_user_id::text,
      nullif(array_to_json(n.tags)::text, '[]'), n.archived_at::text, n.deleted_at::text, n.merged_into::text,
      n.snoozed_until::text]
  ) as c (field, from_value, to_value)
  where c.from_value is distinct from c.to_value
    and not (o.locked and not n.locked)
    -- Deleting an organisation unassigns its items first; they are deleted by the time this runs.
    and exists (select from public.feedback f where f.organization_id = n.organization_id and f.id = n.id);
  return null;
end
$$;
comment on function app.after_feedback_update() is
  'Writes the history. By trigger, so that every way of changing an item has one.';
create or replace trigger after_feedback_update after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.after_feedback_update();

create or replace function app.wake_feedback(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  with due as (
    select f.organization_id, f.id from public.feedback f
    where f.snoozed_until <= now() order by f.snoozed_until limit p_limit
  ), locked as (
    -- As every writer locks items.
    select f.organization_id, f.id from public.feedback f
    where (f.organization_id, f.id) in (select d.organization_id, d.id from due d)
    order by f.id for no key update
  )
  update public.feedback f set snoozed_until = null
  from locked l
  where f.organization_id = l.organization_id and f.id = l.id and f.snoozed_until <= now();
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function app.wake_feedback(integer) is
  'Ends the snooze of items whose time has come, at most p_limit. Returns how many.';
grant execute on function app.wake_feedback(integer) to service_role;

create or replace function app.change_tags(p_tags text[], p_added text[], p_removed text[]) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select coalesce(array_agg(d.tag order by d.position), '{}')
  from (
    select distinct on (lower(t.tag)) t.tag, t.position
    from (
      select u.tag, u.position from unnest(p_tags) with ordinality as u (tag, position)
      where lower(u.tag) <> all (array(select lower(r.tag) from unnest(p_removed) as r (tag)))
      union all
      select u.tag, cardinality(p_tags) + u.position from unnest(p_added) with ordinality as u (tag, position)
    ) t
    order by lower(t.tag), t.position
  ) d
$$;
comment on function app.change_tags(text[], text[], text[]) is
  'Tags without the removed ones, then the added ones. Case-insensitive; the first spelling stays.';
grant execute on function app.change_tags(text[], text[], text[]) to authenticated, service_role, earshot_api_key;

create or replace function app.hold_member(p_organization_id uuid, p_user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  perform from public.memberships m
  where m.organization_id = p_organization_id and m.user_id = p_user_id
    and (p_organization_id in (select app.visible_organization_ids())
      or p_organization_id in (select k.organization_id from app.key_projects() k))
  for key share;
  return found;
end
$$;
comment on function app.hold_member(uuid, uuid) is
  'Whether a user is a member of the caller''s organisation, and keeps them one until the transaction ends. Locked '
  'before any item, as the removal of a member does, so that the two do not deadlock.';
grant execute on function app.hold_member(uuid, uuid) to authenticated, earshot_api_key;

create or replace function app.on_member_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  delete from public.saved_views v
  where v.organization_id = old.organization_id and v.owner_user_id = old.user_id and not v.is_shared;
  delete from public.presence p where p.organization_id = old.organization_id and p.user_id = old.user_id;
  delete from public.feedback_reads r where r.organization_id = old.organization_id and r.user_id = old.user_id;
  return null;
end
$$;
comment on function app.on_member_gone() is
  'Deletes a former member''s own views, presence and read items.';
create or replace trigger on_member_gone after delete on public.memberships
  for each row execute function app.on_member_gone();

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists feedback_select on public.feedback;
create policy feedback_select on public.feedback for select to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and project_id <> all ((select app.deleted_project_ids())::uuid[]));
drop policy if exists feedback_update on public.feedback;
create policy feedback_update on public.feedback for update to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and project_id <> all ((select app.deleted_project_ids())::uuid[]))
  with check (organization_id in (select app.visible_organization_ids()));

drop policy if exists feedback_events_select on public.feedback_events;
create policy feedback_events_select on public.feedback_events for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists feedback_comments_select on public.feedback_comments;
create policy feedback_comments_select on public.feedback_comments for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists feedback_comments_insert on public.feedback_comments;
create policy feedback_comments_insert on public.feedback_comments for insert to authenticated
  with check (
    organization_id in (select app.visible_organization_ids()) and author_user_id = auth.uid()
    and not from_visitor and delivery is null and email_id is null);

drop policy if exists feedback_counts_select on public.feedback_counts;
create policy feedback_counts_select on public.feedback_counts for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists feedback_operations_own on public.feedback_operations;
create policy feedback_operations_own on public.feedback_operations to authenticated
  using (organization_id in (select app.visible_organization_ids()) and actor_user_id = (select auth.uid()))
  with check (organization_id in (select app.visible_organization_ids()) and actor_user_id = (select auth.uid()));

drop policy if exists saved_views_select on public.saved_views;
create policy saved_views_select on public.saved_views for select to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));
drop policy if exists saved_views_insert on public.saved_views;
create policy saved_views_insert on public.saved_views for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and owner_user_id = (select auth.uid()));
-- A shared view stays shared unless its owner changes that: no other member can hide it from the team.
drop policy if exists saved_views_update on public.saved_views;
create policy saved_views_update on public.saved_views for update to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())))
  with check (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));
drop policy if exists saved_views_delete on public.saved_views;
create policy saved_views_delete on public.saved_views for delete to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (is_shared or owner_user_id = (select auth.uid())));

drop policy if exists reply_templates_members on public.reply_templates;
create policy reply_templates_members on public.reply_templates to authenticated
  using (organization_id in (select app.visible_organization_ids()))
  with check (organization_id in (select app.visible_organization_ids()));

drop policy if exists presence_select on public.presence;
create policy presence_select on public.presence for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists presence_insert on public.presence;
create policy presence_insert on public.presence for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()));
drop policy if exists presence_update on public.presence;
create policy presence_update on public.presence for update to authenticated
  using (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()))
  with check (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()));
drop policy if exists presence_delete on public.presence;
create policy presence_delete on public.presence for delete to authenticated
  using (organization_id in (select app.visible_organization_ids())
    and (user_id = (select auth.uid()) or seen_at < now() - interval '45 seconds'));

drop policy if exists visitors_select on public.visitors;
create policy visitors_select on public.visitors for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists visitor_erasures_select on public.visitor_erasures;
create policy visitor_erasures_select on public.visitor_erasures for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists visitor_erasures_insert on public.visitor_erasures;
create policy visitor_erasures_insert on public.visitor_erasures for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and requested_by = auth.uid());

drop policy if exists exports_select on public.exports;
create policy exports_select on public.exports for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists exports_insert on public.exports;
create policy exports_insert on public.exports for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and created_by = auth.uid() and not is_by_key);
drop policy if exists exports_delete on public.exports;
create policy exports_delete on public.exports for delete to authenticated
  using (organization_id in (select app.visible_organization_ids()));

drop policy if exists imports_select on public.imports;
create policy imports_select on public.imports for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists imports_insert on public.imports;
create policy imports_insert on public.imports for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and created_by = auth.uid());

drop policy if exists import_problems_select on public.import_problems;
create policy import_problems_select on public.import_problems for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

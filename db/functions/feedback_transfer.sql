-- Items that come in from a file, and files that leave the storage.

drop type if exists app.imported_feedback;
drop type if exists app.import_row;

-- One row of a file: the keys of its JSON.
create type app.import_row as (
  id uuid,
  type text,
  status text,
  closed_reason text,
  priority text,
  message text,
  rating smallint,
  nps smallint,
  visitor_email text,
  visitor_name text,
  visitor_id text,
  page_url text,
  page_title text,
  tags text[],
  fields jsonb,
  metadata jsonb,
  created_at timestamptz,
  resolved_at timestamptz
);

-- A row with the words to search by, made before the project's counter is locked.
create type app.imported_feedback as (sent app.import_row, search tsvector, locked boolean, content jsonb);

create or replace function app.store_imported(p_organization_id uuid, p_project_id uuid, p_rows json) returns integer
language plpgsql security definer set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_rows app.imported_feedback[];
  v_last bigint;
  v_stored integer;
  v_room bigint;
  v_locked uuid[];
begin
  -- The function's rows are aggregated as they come, which is the order of the file.
  select array_agg((
      s,
      app.make_search(
        s.message || coalesce((
          select ' ' || string_agg(a.value #>> '{}', ' ') from jsonb_each(s.fields) a
          where jsonb_typeof(a.value) = 'string'), ''),
        s.visitor_email, s.visitor_name, s.page_url, s.page_title),
      false,
      null
    )::app.imported_feedback)
  into v_rows
  from json_populate_recordset(null::app.import_row, p_rows) as s;

  -- Locked as every writer of the project does, so that numbers follow each other.
  select c.last_number into v_last from public.project_counters c
  where c.organization_id = p_organization_id and c.project_id = p_project_id
  for no key update;
  if not found then
    return null;
  end if;

  v_room := app.hold_item_room(p_organization_id);
  if v_room is not null then
    -- As ingest locks items: by the month in which they arrive.
    select array_agg(
      case
        when d.is_over then (
          json_populate_record(d.sent, '{"message": "", "rating": null, "nps": null, "visitor_email": null,
            "visitor_name": null, "visitor_id": null, "page_url": "", "page_title": null, "tags": [], "fields": {},
            "metadata": {}}'),
          ''::tsvector, true,
          to_jsonb(d.sent) - '{id,type,status,closed_reason,priority,created_at,resolved_at}'::text[])::app.imported_feedback
        else (d.sent, d.search, false, null)::app.imported_feedback
      end
      order by d.position)
    into v_rows
    from (
      select n.*, n.is_new and count(*) filter (where n.is_new) over (order by n.position) > v_room as is_over
      from (
        select r.sent, r.search, r.ordinality as position, not exists (
          select from public.feedback f where f.organization_id = p_organization_id and f.id = (r.sent).id) as is_new
        from unnest(v_rows) with ordinality as r
      ) n
    ) d;
  end if;

  insert into public.feedback as f (
    organization_id, id, project_id, number, type, source, status, closed_reason, priority, message, rating, nps,
    visitor_email, visitor_name, visitor_id, page_url, page_title, tags, fields, metadata, content_hash, created_at,
    updated_at, first_viewed_at, resolved_at, search, locked)
  select p_organization_id, i.id, p_project_id, v_last + row_number() over (order by i.position), i.type, 'import',
    i.status, i.closed_reason, i.priority, i.message, i.rating, i.nps, i.visitor_email, i.visitor_name, i.visitor_id,
    i.page_url, i.page_title, i.tags, i.fields, i.metadata,
    sha256(convert_to(i.id::text || case when i.locked then '' else i.message end, 'UTF8')), coalesce(i.created_at, now()), now(),
    case when i.status <> 'new' then now() end, i.resolved_at, i.search, i.locked
  from (
    select (r.sent).*, r.search, r.locked, r.ordinality as position from unnest(v_rows) with ordinality as r
  ) i
  where not exists (
    select from public.feedback e where e.organization_id = p_organization_id and e.id = i.id);
  get diagnostics v_stored = row_count;

  with held as (
    insert into app.locked_feedback (organization_id, id, month, content)
    select p_organization_id, (r.sent).id, app.this_month(), r.content from unnest(v_rows) as r where r.locked
    on conflict do nothing
    returning id
  )
  select array_agg(h.id) into v_locked from held h;
  perform app.count_items(o.id, app.this_month(), v_stored,
    case when app.find_standing(o.subscription_status, o.trial_ends_at) = 'plan'
      then v_stored - coalesce(cardinality(v_locked), 0) else 0 end)
  from public.organizations o
  where o.id = p_organization_id and o.subscription_status <> 'self_hosted';
  if v_locked is not null then
    perform app.write_event(p_organization_id, 'feedback.locked', v_locked, '{}', 'never');
  end if;

  update public.project_counters c
  set last_number = c.last_number + v_stored, feedback_count = c.feedback_count + v_stored
  where c.organization_id = p_organization_id and c.project_id = p_project_id and v_stored > 0;
  return v_stored;
end
$$;
comment on function app.store_imported(uuid, uuid, json) is
  'Stores rows of a file as items of a project, each id once: numbers and counts them, and locks those over '
  'the limit of the plan. Returns how many were new; null: the project is deleted. Announces nothing: imported items are not new feedback.';
grant execute on function app.store_imported(uuid, uuid, json) to service_role;

create or replace function app.on_stored_file_gone() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.removed_files (storage_key)
  select g.storage_key from gone g where g.storage_key is not null on conflict do nothing;
  if found then
    perform app.enqueue_job('remove_files', '{}'::json, 'remove_files');
  end if;
  return null;
end
$$;
comment on function app.on_stored_file_gone() is 'Deletes a file''s bytes with the row that refers to it.';
create or replace trigger on_exports_deleted after delete on public.exports
  referencing old table as gone
  for each statement execute function app.on_stored_file_gone();
create or replace trigger on_imports_deleted after delete on public.imports
  referencing old table as gone
  for each statement execute function app.on_stored_file_gone();

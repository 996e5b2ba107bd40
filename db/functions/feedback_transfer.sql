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
create type app.imported_feedback as (sent app.import_row, search tsvector);

create or replace function app.store_imported(p_organization_id uuid, p_project_id uuid, p_rows json) returns integer
language plpgsql set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_rows app.imported_feedback[];
  v_last bigint;
  v_stored integer;
begin
  -- The function's rows are aggregated as they come, which is the order of the file.
  select array_agg((
      s,
      app.make_search(
        s.message || coalesce((
          select ' ' || string_agg(a.value #>> '{}', ' ') from jsonb_each(s.fields) a
          where jsonb_typeof(a.value) = 'string'), ''),
        s.visitor_email, s.visitor_name, s.page_url, s.page_title)
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

  insert into public.feedback as f (
    organization_id, id, project_id, number, type, source, status, closed_reason, priority, message, rating, nps,
    visitor_email, visitor_name, visitor_id, page_url, page_title, tags, fields, metadata, content_hash, created_at,
    updated_at, first_viewed_at, resolved_at, search)
  select p_organization_id, i.id, p_project_id, v_last + row_number() over (order by i.position), i.type, 'import',
    i.status, i.closed_reason, i.priority, i.message, i.rating, i.nps, i.visitor_email, i.visitor_name, i.visitor_id,
    i.page_url, i.page_title, i.tags, i.fields, i.metadata,
    sha256(convert_to(i.id::text || i.message, 'UTF8')), coalesce(i.created_at, now()), now(),
    case when i.status <> 'new' then now() end, i.resolved_at, i.search
  from (
    select (r.sent).*, r.search, r.ordinality as position from unnest(v_rows) with ordinality as r
  ) i
  where not exists (
    select from public.feedback e where e.organization_id = p_organization_id and e.id = i.id);
  get diagnostics v_stored = row_count;

  update public.project_counters c
  set last_number = c.last_number + v_stored, feedback_count = c.feedback_count + v_stored
  where c.organization_id = p_organization_id and c.project_id = p_project_id and v_stored > 0;
  return v_stored;
end
$$;
comment on function app.store_imported(uuid, uuid, json) is
  'Stores rows of a file as items of a project, each id once: numbers and counts them. Returns how many were new; '
  'null: the project is deleted. Announces nothing: imported items are not new feedback.';
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

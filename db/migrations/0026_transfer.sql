-- Feedback that leaves in files, and feedback that comes in files.

create table public.exports (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  created_by uuid not null,
  format text not null check (format in ('csv', 'json', 'xlsx', 'zip')),
  selection jsonb not null,
  state text not null default 'queued' check (state in ('queued', 'running', 'ready', 'failed')),
  attempts smallint not null default 0,
  count integer check (count >= 0),
  processed integer not null default 0,
  bytes bigint check (bytes >= 0),
  storage_key text unique check (storage_key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'),
  note text check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (organization_id, id),
  check (state <> 'ready' or storage_key is not null and bytes is not null and count is not null)
);
comment on table public.exports is
  'Files of feedback that members asked for, in a format and with the count of items in them. Deleted with their bytes '
  'after seven days; the audit log remembers.';
comment on column public.exports.id is 'Made by the sender and the same over every retry: it is what makes a retry safe.';
comment on column public.exports.created_by is
  'Who asked, and as whom the items are read. No foreign key: the file outlives the account.';
comment on column public.exports.selection is 'Which items: the filters of the inbox.';
comment on column public.exports.attempts is 'How often it was begun.';
comment on column public.exports.storage_key is
  'Where the bytes lie. Each attempt writes to a place of its own, so that one that is thought dead can harm none.';
comment on column public.exports.note is 'Why it failed, or what is missing from it. For the team to read.';
create index exports_expiry_idx on public.exports (expires_at);

create table public.imports (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  created_by uuid not null,
  name text not null check (char_length(name) <= 255),
  state text not null default 'waiting' check (state in ('waiting', 'uploaded', 'checking', 'checked', 'importing',
    'imported', 'undoing', 'undone', 'cancelled', 'failed')),
  storage_key text unique check (storage_key ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}$'),
  content_hash bytea check (octet_length(content_hash) = 32),
  layout jsonb,
  mapping jsonb,
  run_id uuid,
  total integer check (total >= 0),
  processed integer not null default 0,
  accepted integer not null default 0,
  refused integer not null default 0,
  attempts smallint not null default 0,
  note text check (char_length(note) <= 300),
  created_at timestamptz not null default now(),
  imported_at timestamptz,
  expires_at timestamptz not null default now() + interval '7 days',
  primary key (organization_id, id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.imports is
  'Files of feedback from elsewhere, on their way into a project. An item''s id is made of the import''s and its row, so '
  'that no row becomes two items. Deleted a week after an import that came to nothing, a month after one that did.';
comment on column public.imports.id is 'Made by the sender and the same over every retry.';
comment on column public.imports.created_by is 'Who asked. No foreign key: the record outlives the account.';
comment on column public.imports.storage_key is 'Where the file lies; null before it came and after it was imported.';
comment on column public.imports.content_hash is 'SHA-256 of the file: tells that it was imported before.';
comment on column public.imports.layout is 'What the file looks like: encoding, delimiter, columns, first rows.';
comment on column public.imports.mapping is 'Which column becomes what.';
comment on column public.imports.run_id is 'The step at hand: what another step''s job still does is refused.';
comment on column public.imports.total is 'Rows of the file; null: not counted yet.';
create index imports_project_idx on public.imports (organization_id, project_id);
create index imports_expiry_idx on public.imports (expires_at);

create table public.import_problems (
  organization_id uuid not null,
  import_id uuid not null,
  row_number integer not null check (row_number > 0),
  reason text not null check (char_length(reason) <= 500),
  primary key (organization_id, import_id, row_number),
  foreign key (organization_id, import_id) references public.imports (organization_id, id) on delete cascade
);
comment on table public.import_problems is 'Rows of a file that were left out, and why: the first few thousand of them.';
comment on column public.import_problems.row_number is 'As a spreadsheet counts.';

create function app.enqueue_in_turn(name text, payload json, queue text) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  perform graphile_worker.add_job(identifier => name, payload => payload, queue_name => queue);
end
$$;
comment on function app.enqueue_in_turn(text, json, text) is
  'As app.enqueue_job; of one queue''s jobs one runs at a time, so that no organisation holds up the others.';
grant execute on function app.enqueue_in_turn(text, json, text) to authenticated, service_role;

create function app.on_stored_file_gone() returns trigger
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
comment on function app.on_stored_file_gone() is 'Whatever deletes a row that names a file, its bytes go too.';
create trigger on_exports_deleted after delete on public.exports
  referencing old table as gone
  for each statement execute function app.on_stored_file_gone();
create trigger on_imports_deleted after delete on public.imports
  referencing old table as gone
  for each statement execute function app.on_stored_file_gone();

create type app.imported_feedback as (
  id uuid, type text, status text, closed_reason text, priority text, message text, rating smallint, nps smallint,
  visitor_email text, visitor_name text, visitor_id text, page_url text, page_title text, tags text[], fields jsonb,
  metadata jsonb, created_at timestamptz, resolved_at timestamptz, search tsvector
);

create function app.store_imported(p_organization_id uuid, p_project_id uuid, p_rows json) returns integer
language plpgsql set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_rows app.imported_feedback[];
  v_last bigint;
  v_stored integer;
begin
  -- The words to search by are made before anybody has to wait for them.
  select array_agg((
      i.id, i.type, i.status, i.closed_reason, i.priority, i.message, i.rating, i.nps, i.visitor_email, i.visitor_name,
      i.visitor_id, i.page_url, i.page_title, i.tags, i.fields, i.metadata, i.created_at, i.resolved_at,
      app.make_search(
        i.message || coalesce((
          select ' ' || string_agg(a.value #>> '{}', ' ') from jsonb_each(i.fields) a
          where jsonb_typeof(a.value) = 'string'), ''),
        i.visitor_email, i.visitor_name, i.page_url, i.page_title)
    )::app.imported_feedback order by i.place)
  into v_rows
  from rows from (
    json_to_recordset(p_rows) as (
      id uuid, type text, status text, closed_reason text, priority text, message text, rating smallint, nps smallint,
      visitor_email text, visitor_name text, visitor_id text, page_url text, page_title text, tags text[], fields jsonb,
      metadata jsonb, created_at timestamptz, resolved_at timestamptz)
  ) with ordinality as i (
    id, type, status, closed_reason, priority, message, rating, nps, visitor_email, visitor_name, visitor_id, page_url,
    page_title, tags, fields, metadata, created_at, resolved_at, place);

  -- As every writer of the project does: numbers follow each other.
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
  select p_organization_id, i.id, p_project_id, v_last + row_number() over (order by i.place), i.type, 'import',
    i.status, i.closed_reason, i.priority, i.message, i.rating, i.nps, i.visitor_email, i.visitor_name, i.visitor_id,
    i.page_url, i.page_title, i.tags, i.fields, i.metadata,
    sha256(convert_to(i.id::text || i.message, 'UTF8')), coalesce(i.created_at, now()), now(),
    case when i.status <> 'new' then now() end, i.resolved_at, i.search
  from unnest(v_rows) with ordinality as i (
    id, type, status, closed_reason, priority, message, rating, nps, visitor_email, visitor_name, visitor_id, page_url,
    page_title, tags, fields, metadata, created_at, resolved_at, search, place)
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
  'Stores rows of a file as items of a project, each id once: numbers and counts them. Returns how many were new; null '
  'when the project is gone. Tells nobody: what was said long ago is no news.';
grant execute on function app.store_imported(uuid, uuid, json) to service_role;

alter table public.exports enable row level security;
alter table public.exports force row level security;
create policy exports_select on public.exports for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy exports_insert on public.exports for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and created_by = auth.uid());
create policy exports_delete on public.exports for delete to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select, insert (organization_id, id, created_by, format, selection), delete on public.exports to authenticated;
grant select, insert, update, delete on public.exports to service_role;

alter table public.imports enable row level security;
alter table public.imports force row level security;
create policy imports_select on public.imports for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy imports_insert on public.imports for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and created_by = auth.uid());
grant select, insert (organization_id, id, project_id, created_by, name) on public.imports to authenticated;
grant select, insert, update, delete on public.imports to service_role;

alter table public.import_problems enable row level security;
alter table public.import_problems force row level security;
create policy import_problems_select on public.import_problems for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.import_problems to authenticated;
grant select, insert, update, delete on public.import_problems to service_role;

call app.add_system_policies();

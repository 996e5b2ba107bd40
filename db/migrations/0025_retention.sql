-- Projects that are archived, keep feedback for so many days, or are being deleted; visitors, and erasing one.

alter table public.projects
  add column archived_at timestamptz,
  add column retention_days integer check (retention_days between 1 and 3650),
  add column deleted_at timestamptz;
comment on column public.projects.archived_at is 'Takes no new feedback since then; what it has stays where it is. Null: it does.';
comment on column public.projects.retention_days is 'Feedback older than this is deleted for good every night. Null: it is kept.';
comment on column public.projects.deleted_at is
  'Deleted then: nobody sees it any more, and a job removes its rows and files. Its name and domain are gone at once.';
create index projects_deleted_idx on public.projects (id) where deleted_at is not null;
grant update (archived_at, retention_days) on public.projects to authenticated;

-- Nothing of a deleted project is seen while it goes: its own row, and its feedback.
alter policy projects_select on public.projects
  using (deleted_at is null and organization_id in (select app.visible_organization_ids()));
alter policy projects_update on public.projects
  using (deleted_at is null and organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));

create function app.deleted_project_ids() returns uuid[]
language sql stable parallel safe security definer set search_path = ''
as $$
  select coalesce(array_agg(p.id), '{}') from public.projects p where p.deleted_at is not null
$$;
comment on function app.deleted_project_ids() is 'Projects whose rows are being removed. Few or none at a time.';
grant execute on function app.deleted_project_ids() to authenticated, service_role;

alter policy feedback_select on public.feedback
  using (organization_id in (select app.visible_organization_ids())
    and project_id <> all ((select app.deleted_project_ids())::uuid[]));
alter policy feedback_update on public.feedback
  using (organization_id in (select app.visible_organization_ids())
    and project_id <> all ((select app.deleted_project_ids())::uuid[]))
  with check (organization_id in (select app.visible_organization_ids()));

drop trigger on_project_domain_changed on public.projects;
create trigger on_project_domain_changed after update of domain, extra_origins, archived_at on public.projects
  for each row
  when ((old.domain, old.extra_origins, old.archived_at) is distinct from (new.domain, new.extra_origins, new.archived_at))
  execute function app.on_project_domain_changed();

create function app.delete_project(p_organization_id uuid, p_project_id uuid) returns boolean
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
  -- The counter first, as ingest does: whoever is storing is waited for, and whoever comes next finds the project gone.
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
  -- Its name says nothing any more, and its domain is free for another.
  set deleted_at = now(), name = 'Deleted', domain = p.id::text, extra_origins = '{}', retention_days = null
  where p.organization_id = p_organization_id and p.id = p_project_id;
  insert into public.audit_log (organization_id, actor_user_id, action, target_type, target_id, details)
  values (p_organization_id, auth.uid(), 'project.deleted', 'project', p_project_id,
    jsonb_build_object('name', v_name, 'domain', v_domain, 'items', v_items));
  perform app.enqueue_job('delete_project',
    json_build_object('organizationId', p_organization_id, 'projectId', p_project_id), 'delete_project:' || p_project_id);
  -- Whoever has it open is told.
  perform pg_notify('feedback_changed', json_build_object(
    'organizationId', p_organization_id, 'kind', 'project.deleted', 'ids', json_build_array(p_project_id))::text);
  return true;
end
$$;
comment on function app.delete_project(uuid, uuid) is
  'Deletes a project for everybody at once, for its owners; a job removes what it held. False: there is none to delete.';
grant execute on function app.delete_project(uuid, uuid) to authenticated;

-- Ranges of pages instead of rows: old items are found, and a new one costs nothing.
create index feedback_created_at_idx on public.feedback using brin (created_at) with (autosummarize = on);

-- A visitor is looked for in all projects of an organisation.
drop index public.feedback_visitor_idx;
create index feedback_visitor_idx on public.feedback (organization_id, visitor_id, created_at desc, id desc)
  where visitor_id is not null;
create index feedback_visitor_email_idx on public.feedback (organization_id, lower(visitor_email), created_at desc, id desc)
  where visitor_email is not null;

-- A mail about an item goes with the item.
alter table app.emails
  add column organization_id uuid,
  add column feedback_id uuid,
  add constraint emails_feedback_fkey foreign key (organization_id, feedback_id)
    references public.feedback (organization_id, id) on delete cascade;
comment on column app.emails.feedback_id is 'The item that it is about: when that is erased, so is the mail. Null: about none.';
create index emails_feedback_idx on app.emails (organization_id, feedback_id) where feedback_id is not null;

create extension if not exists pg_trgm;

create table public.visitors (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  key text not null check (char_length(key) between 1 and 254),
  visitor_id text,
  email text,
  name text,
  is_verified boolean not null default false,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  search text not null generated always as (
    ' ' || lower(key) || ' ' || lower(coalesce(email, '')) || ' ' || lower(coalesce(name, ''))) stored,
  primary key (organization_id, key)
);
comment on table public.visitors is
  'Who sent feedback and said who they are, to list and find them. Written after the fact from feedback, and gone with it.';
comment on column public.visitors.key is 'Who the site said the visitor is or, for those it did not name, their address in lower case.';
comment on column public.visitors.email is 'The last address given.';
comment on column public.visitors.name is 'The last name given.';
comment on column public.visitors.is_verified is 'The site vouched for visitor_id by a signature, at least once.';
create index visitors_seen_idx on public.visitors (organization_id, last_seen_at desc, key desc);
create index visitors_search_idx on public.visitors using gin (organization_id, search gin_trgm_ops);

alter table public.visitors enable row level security;
alter table public.visitors force row level security;
create policy visitors_select on public.visitors for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.visitors to authenticated;
grant select, insert, update, delete on public.visitors to service_role;

insert into public.visitors (organization_id, key, visitor_id, email, name, is_verified, first_seen_at, last_seen_at)
select f.organization_id, coalesce(f.visitor_id, lower(f.visitor_email)) as key, max(f.visitor_id),
  (array_agg(f.visitor_email order by f.created_at desc) filter (where f.visitor_email is not null))[1],
  (array_agg(f.visitor_name order by f.created_at desc) filter (where f.visitor_name is not null))[1],
  bool_or(f.visitor_verified), min(f.created_at), max(f.created_at)
from public.feedback f
where coalesce(f.visitor_id, f.visitor_email) is not null
group by f.organization_id, key;

create function app.list_visitors(
  p_organization_id uuid, p_pattern text, p_before timestamptz, p_before_key text, p_limit integer)
returns setof public.visitors
language plpgsql stable security definer set search_path = ''
-- Whether many match or few decides how to look: plan for what is asked.
set plan_cache_mode = force_custom_plan
as $$
begin
  if p_organization_id not in (select app.visible_organization_ids()) then
    return;
  end if;
  if p_pattern is null then
    return query
    select v.* from public.visitors v
    where v.organization_id = p_organization_id
      and (p_before is null or (v.last_seen_at, v.key) < (p_before, p_before_key))
    order by v.last_seen_at desc, v.key desc limit p_limit;
  else
    return query
    select v.* from public.visitors v
    where v.organization_id = p_organization_id and v.search like p_pattern
      and (p_before is null or (v.last_seen_at, v.key) < (p_before, p_before_key))
    order by v.last_seen_at desc, v.key desc limit p_limit;
  end if;
end
$$;
comment on function app.list_visitors(uuid, text, timestamptz, text, integer) is
  'Visitors of an organisation, last seen first, for those who may see it; a pattern as LIKE takes it narrows them (null: all).';
grant execute on function app.list_visitors(uuid, text, timestamptz, text, integer) to authenticated;

create function app.find_visitor_addresses(p_organization_id uuid, p_key text, p_newest integer) returns text[]
language sql stable security definer set search_path = ''
as $$
  select array_agg(distinct a.address)
  from (
    select lower(p_key) as address
    union all
    (select lower(f.visitor_email) from public.feedback f
     where f.organization_id = p_organization_id and f.visitor_id = p_key and f.visitor_email is not null
     order by f.created_at desc limit p_newest)
  ) as a
$$;
comment on function app.find_visitor_addresses(uuid, text, integer) is
  'Addresses of a visitor, by the newest items under their id; the key itself is one of them. Asks no one who they are.';
grant execute on function app.find_visitor_addresses(uuid, text, integer) to service_role;

create function app.list_visitor_feedback(
  p_organization_id uuid, p_key text, p_before_created_at timestamptz, p_before_id uuid, p_limit integer)
returns table (id uuid, created_at timestamptz)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_addresses text[];
begin
  if p_organization_id not in (select app.visible_organization_ids()) then
    return;
  end if;
  v_addresses := app.find_visitor_addresses(p_organization_id, p_key, 1000);
  return query
  select both_ways.id, both_ways.created_at
  from (
    (select f.id, f.created_at from public.feedback f
     where f.organization_id = p_organization_id and f.visitor_id = p_key
       and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
     order by f.created_at desc, f.id desc limit p_limit)
    union
    (select found.id, found.created_at
     from unnest(v_addresses) as a (address)
     cross join lateral (
       select f.id, f.created_at from public.feedback f
       where f.organization_id = p_organization_id and lower(f.visitor_email) = a.address
         and (f.visitor_id is null or a.address = lower(p_key))
         and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
       order by f.created_at desc, f.id desc limit p_limit
     ) as found)
  ) as both_ways
  order by both_ways.created_at desc, both_ways.id desc
  limit p_limit;
end
$$;
comment on function app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer) is
  'Newest items of a visitor in any place and project: those under their id, those from an address that is the key, and '
  'those without an id from an address that was used under the id. For those who may see the organisation.';
grant execute on function app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer) to authenticated;

create table public.visitor_erasures (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null,
  state text not null default 'running' check (state in ('running', 'done')),
  subject text check (char_length(subject) between 1 and 254),
  addresses text[],
  subject_hash bytea not null check (octet_length(subject_hash) = 32),
  requested_by uuid not null,
  total integer not null default 0 check (total >= 0),
  items integer not null default 0 check (items >= 0),
  files integer not null default 0 check (files >= 0),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (organization_id, id),
  check ((state = 'done') = (finished_at is not null)),
  check (state = 'running' or subject is null and addresses is null)
);
comment on table public.visitor_erasures is 'People who were erased: when, by whom, how much; not who they were.';
comment on column public.visitor_erasures.subject is 'Who is being erased. Emptied when it is done.';
comment on column public.visitor_erasures.addresses is 'Their addresses, found before the first item went. Emptied when it is done.';
comment on column public.visitor_erasures.subject_hash is
  'SHA-256 of the organisation''s id and the subject: shows later that somebody was erased to whoever knows the subject.';
comment on column public.visitor_erasures.requested_by is 'No foreign key: outlives accounts.';
comment on column public.visitor_erasures.total is 'Items found when it began.';

alter table public.visitor_erasures enable row level security;
alter table public.visitor_erasures force row level security;
create policy visitor_erasures_select on public.visitor_erasures for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy visitor_erasures_insert on public.visitor_erasures for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and requested_by = auth.uid());
grant select, insert on public.visitor_erasures to authenticated;
grant select, update on public.visitor_erasures to service_role;

create function app.forget_words(p_organization_id uuid, p_words text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_word text;
  v_is_used boolean;
begin
  foreach v_word in array p_words loop
    -- Planned for each word: one that many items hold is found at once in any of them, a rare one by the index.
    execute 'select exists (select from public.feedback f where f.organization_id = $1 and f.search @@ $2)'
      into v_is_used using p_organization_id, quote_literal(v_word)::tsquery;
    if not v_is_used then
      delete from public.feedback_words w where w.organization_id = p_organization_id and w.word = v_word collate "C";
    end if;
  end loop;
end
$$;
comment on function app.forget_words(uuid, text[]) is 'Forgets those of the words that no item holds any more.';
grant execute on function app.forget_words(uuid, text[]) to service_role;
-- The nightly sweep goes through what is known.
grant select on public.feedback_words to service_role;

create function app.forget_copies(p_organization_id uuid, p_terms text[]) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  -- Tables that a later migration makes.
  if to_regclass('public.exports') is not null then
    -- What is in a file cannot be told from here, and whoever needs one makes it anew.
    delete from public.exports e where e.organization_id = p_organization_id;
    delete from public.imports i
    where i.organization_id = p_organization_id
      and exists (select from unnest(p_terms) as t (term) where strpos(lower(i.layout::text), lower(t.term)) > 0);
  end if;
  delete from public.saved_views v
  where v.organization_id = p_organization_id
    and exists (select from unnest(p_terms) as t (term) where strpos(lower(v.name || ' ' || v.search), lower(t.term)) > 0);
end
$$;
comment on function app.forget_copies(uuid, text[]) is
  'Deletes what else may hold a person''s words or name: exports, waiting imports, and saved searches for them.';
grant execute on function app.forget_copies(uuid, text[]) to service_role;

call app.add_system_policies();

-- Feedback, its history, and the search through it.

create function app.make_search(message text, visitor_email text, visitor_name text, page_url text, page_title text)
returns tsvector
language sql immutable parallel safe set search_path = ''
as $$
  -- Addresses and markup are taken apart into words: the parser would keep the first whole, so that half of one could
  -- not be found, and drop the second. Few messages hold any, and taking apart costs as much as parsing.
  select to_tsvector('simple'::regconfig,
    case
      when strpos(message, '@') > 0 or strpos(message, '/') > 0 or strpos(message, '<') > 0
      then translate(message, './@:-_?&=#%+~<>', '               ')
      else message
    end
    || ' ' || translate(coalesce(visitor_email, '') || ' ' || page_url, './@:-_?&=#%+~', '             ')
    || ' ' || coalesce(visitor_name, '') || ' ' || coalesce(page_title, ''))
$$;
comment on function app.make_search(text, text, text, text, text) is 'The words by which an item is found.';
grant execute on function app.make_search(text, text, text, text, text) to service_role;

create table public.feedback (
  organization_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  number bigint not null check (number > 0),
  type text not null check (type in ('bug', 'idea', 'question', 'praise', 'other')),
  source text not null check (source in ('widget', 'api', 'link', 'import', 'manual', 'test')),
  status text not null default 'new' check (status in ('new', 'open', 'in_progress', 'resolved', 'closed')),
  closed_reason text check (closed_reason in ('wont_fix', 'duplicate', 'not_reproducible')),
  priority text not null default 'none' check (priority in ('none', 'low', 'medium', 'high', 'urgent')),
  message text not null check (char_length(message) between 1 and 10000),
  rating smallint check (rating between 1 and 5),
  visitor_email text check (char_length(visitor_email) <= 254),
  visitor_name text check (char_length(visitor_name) <= 200),
  page_url text not null check (char_length(page_url) <= 4096),
  page_title text check (char_length(page_title) <= 500),
  context jsonb not null default '{}',
  metadata jsonb not null default '{}',
  content_hash bytea not null check (octet_length(content_hash) = 32),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  first_viewed_at timestamptz,
  resolved_at timestamptz,
  search tsvector not null,
  primary key (organization_id, id),
  unique (organization_id, project_id, number),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade,
  check (closed_reason is null or status = 'closed')
);
comment on table public.feedback is 'What visitors sent: one row per submission, numbered per project.';
comment on column public.feedback.id is 'Made by the sender (UUIDv7) and the same over every retry: it is what makes a retry safe.';
comment on column public.feedback.number is 'Counts up per project, never reused: #123.';
comment on column public.feedback.context is 'What the widget saw of browser and page.';
comment on column public.feedback.metadata is 'What the site attached.';
comment on column public.feedback.content_hash is 'SHA-256 of what was sent: tells a retry from another submission under the same id.';
comment on column public.feedback.version is 'Goes up with every change by the team; a change based on an older one is refused.';
comment on column public.feedback.search is 'Words of message, visitor and page, made by app.make_search; filled in by trigger where the writer did not.';
comment on column public.feedback.first_viewed_at is 'When a member first opened it; null while unread.';

-- The inbox is read newest first. A filter is answered by one index range per combination of its values (at most 125),
-- merged; so the cost of a page depends on the page, not on the number of items.
create index feedback_inbox_idx on public.feedback (organization_id, created_at desc, id desc);
create index feedback_inbox_filter_idx on public.feedback
  (organization_id, status, priority, type, created_at desc, id desc);
create index feedback_inbox_project_idx on public.feedback
  (organization_id, project_id, status, priority, type, created_at desc, id desc);
create index feedback_search_idx on public.feedback using gin (organization_id, search);

create function app.fill_in_search() returns trigger
language plpgsql set search_path = ''
as $$
begin
  new.search := app.make_search(new.message, new.visitor_email, new.visitor_name, new.page_url, new.page_title);
  return new;
end
$$;
comment on function app.fill_in_search() is 'Keeps the words in step with the text they come from.';
-- No generated column: ingest makes the words before it locks a project's counter, so that others need not wait for them.
create trigger fill_in_search before insert on public.feedback
  for each row when (new.search is null) execute function app.fill_in_search();
create trigger refill_search before update of message, visitor_email, visitor_name, page_url, page_title on public.feedback
  for each row execute function app.fill_in_search();

create table public.feedback_events (
  organization_id uuid not null,
  id uuid not null default app.uuid_v7(),
  feedback_id uuid not null,
  actor_user_id uuid,
  field text not null,
  from_value text,
  to_value text,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
create index feedback_events_feedback_idx on public.feedback_events (organization_id, feedback_id, created_at, id);
comment on table public.feedback_events is 'History of every change to an item: who, what, from, to. Written by trigger, changed by nobody.';
comment on column public.feedback_events.actor_user_id is 'Who did it; null for the system. No foreign key: history outlives accounts.';

create function app.before_feedback_update() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.status, new.closed_reason, new.priority) is distinct from (old.status, old.closed_reason, old.priority) then
    new.version := old.version + 1;
    new.updated_at := now();
    if new.status in ('resolved', 'closed') then
      new.resolved_at := coalesce(old.resolved_at, now());
    else
      new.resolved_at := null;
    end if;
  end if;
  return new;
end
$$;
comment on function app.before_feedback_update() is 'Counts the version and keeps the time of resolution.';
create trigger before_feedback_update before update on public.feedback
  for each row execute function app.before_feedback_update();

create function app.after_feedback_update() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.feedback_events (organization_id, feedback_id, actor_user_id, field, from_value, to_value)
  select new.organization_id, new.id, auth.uid(), c.field, c.from_value, c.to_value
  from (values
    ('status', old.status, new.status),
    ('closed_reason', old.closed_reason, new.closed_reason),
    ('priority', old.priority, new.priority)
  ) as c (field, from_value, to_value)
  where c.from_value is distinct from c.to_value;
  return null;
end
$$;
comment on function app.after_feedback_update() is 'Writes the history, so that no way of changing an item can forget it.';
create trigger after_feedback_update after update on public.feedback
  for each row when (old.version is distinct from new.version) execute function app.after_feedback_update();

-- Row-level security keeps a text search from using its index, because the search operator may not run before the
-- policy's check (it is not leakproof). So the search runs here, past the policies, behind the same question.
create function app.search_feedback(
  p_organization_id uuid, p_query text, p_project_ids uuid[], p_statuses text[], p_priorities text[], p_types text[],
  p_before_created_at timestamptz, p_before_id uuid, p_limit integer)
returns table (id uuid, created_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select f.id, f.created_at
  from public.feedback f
  where f.organization_id = p_organization_id
    and p_organization_id in (select app.visible_organization_ids())
    and f.search @@ p_query::tsquery
    and (p_project_ids is null or f.project_id = any (p_project_ids))
    and (p_statuses is null or f.status = any (p_statuses))
    and (p_priorities is null or f.priority = any (p_priorities))
    and (p_types is null or f.type = any (p_types))
    and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
  order by f.created_at desc, f.id desc
  limit p_limit
$$;
comment on function app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer) is
  'Newest items of an organisation that match a text query and filters (null: any), for those who may see it.';
grant execute on function app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer) to authenticated;

alter table public.feedback enable row level security;
alter table public.feedback force row level security;
create policy feedback_select on public.feedback for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy feedback_update on public.feedback for update to authenticated
  using (organization_id in (select app.visible_organization_ids()))
  with check (organization_id in (select app.visible_organization_ids()));
grant select, update (status, closed_reason, priority, first_viewed_at) on public.feedback to authenticated;
grant select, insert, update, delete on public.feedback to service_role;

alter table public.feedback_events enable row level security;
alter table public.feedback_events force row level security;
create policy feedback_events_select on public.feedback_events for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.feedback_events to authenticated;
grant select, insert on public.feedback_events to service_role;

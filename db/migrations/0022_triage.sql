-- What a team does with an item: assigns, tags, archives, merges it, throws it away and takes all of that back.

alter table public.feedback
  add column assignee_user_id uuid,
  add column archived_at timestamptz,
  add column deleted_at timestamptz,
  add column merged_into uuid check (merged_into <> id),
  add column first_response_at timestamptz,
  add constraint feedback_assignee_fkey foreign key (organization_id, assignee_user_id)
    references public.memberships (organization_id, user_id) on delete set null (assignee_user_id),
  add constraint feedback_merged_fkey foreign key (organization_id, merged_into)
    references public.feedback (organization_id, id) on delete set null (merged_into);
-- In a statement of its own: it reads the columns above.
alter table public.feedback
  add column place text not null generated always as (
    case
      when deleted_at is not null then 'trash'
      when merged_into is not null then 'merged'
      when spam_reason is not null then 'spam'
      when archived_at is not null then 'archived'
      else 'inbox'
    end) stored;
comment on column public.feedback.assignee_user_id is 'The member who looks after it.';
comment on column public.feedback.deleted_at is 'Thrown away then, and for good thirty days later; null: it was not.';
comment on column public.feedback.merged_into is 'The item that this one is a duplicate of; null: it stands for itself.';
comment on column public.feedback.first_response_at is 'When a member first answered the visitor.';
comment on column public.feedback.place is 'Where it is found: inbox, archived, spam, trash, or merged into another.';
create index feedback_assignee_idx on public.feedback (organization_id, assignee_user_id, created_at desc, id desc)
  where assignee_user_id is not null;
create index feedback_merged_idx on public.feedback (organization_id, merged_into) where merged_into is not null;
create index feedback_trash_idx on public.feedback (deleted_at) where deleted_at is not null;

grant update (assignee_user_id, tags, archived_at, deleted_at, merged_into, first_response_at)
  on public.feedback to authenticated;

alter table public.feedback_events add column operation_id uuid;
comment on column public.feedback_events.operation_id is
  'The change of many items that this one belongs to: by it the whole is undone. Null: it was changed alone.';
create index feedback_events_operation_idx on public.feedback_events (organization_id, operation_id)
  where operation_id is not null;

create or replace function app.before_feedback_update() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.status, new.closed_reason, new.priority, new.spam_reason, new.assignee_user_id, new.tags, new.archived_at,
      new.deleted_at, new.merged_into)
    is distinct from (old.status, old.closed_reason, old.priority, old.spam_reason, old.assignee_user_id, old.tags,
      old.archived_at, old.deleted_at, old.merged_into) then
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

-- Once per statement, not once per row: ten thousand items are changed at a time.
drop trigger after_feedback_update on public.feedback;
create or replace function app.after_feedback_update() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.feedback_events
    (organization_id, feedback_id, actor_user_id, field, from_value, to_value, operation_id)
  select n.organization_id, n.id, auth.uid(), c.field, c.from_value, c.to_value,
    nullif(current_setting('app.operation_id', true), '')::uuid
  from changed n
  join former o on o.organization_id = n.organization_id and o.id = n.id and o.version <> n.version
  cross join lateral (values
    ('status', o.status, n.status),
    ('closed_reason', o.closed_reason, n.closed_reason),
    ('priority', o.priority, n.priority),
    ('spam', o.spam_reason, n.spam_reason),
    ('assignee', o.assignee_user_id::text, n.assignee_user_id::text),
    -- As JSON, because a tag may hold any character.
    ('tags', nullif(array_to_json(o.tags)::text, '[]'), nullif(array_to_json(n.tags)::text, '[]')),
    ('archived', o.archived_at::text, n.archived_at::text),
    ('deleted', o.deleted_at::text, n.deleted_at::text),
    ('merged', o.merged_into::text, n.merged_into::text)
  ) as c (field, from_value, to_value)
  where c.from_value is distinct from c.to_value;
  return null;
end
$$;
create trigger after_feedback_update after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.after_feedback_update();

-- A submission on its way into the table. A type of its own, so that columns which only the team fills can be added to the
-- table without a word about ingest.
create type app.incoming_feedback as (
  organization_id uuid, id uuid, project_id uuid, type text, source text, message text, rating smallint,
  visitor_email text, visitor_name text, page_url text, page_title text, context jsonb, metadata jsonb,
  content_hash bytea, search tsvector, nps smallint, fields jsonb, consent boolean, tags text[], visitor_id text,
  visitor_verified boolean, visitor_key_hash bytea, spam_reason text
);

create or replace function app.store_submissions(p_batch json)
returns table (outcome text, number bigint)
language plpgsql security definer set search_path = ''
-- The tables may have grown since they were last counted. A plan made for an empty table, where every index costs the
-- same, would be kept and read all of the organisation's items for each row: plan each time, by the size the table has.
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  v_rows app.incoming_feedback[];
  v_files json;
begin
  -- Half of the work, done before anybody has to wait for it: reading the batch, and making the words to search by.
  select array_agg((
      i.organization_id, i.id, i.project_id, i.type, i.source, i.message, i.rating, i.visitor_email, i.visitor_name,
      i.page_url, i.page_title, i.context, i.metadata, i.content_hash,
      app.make_search(i.message || i.answers, i.visitor_email, i.visitor_name, i.page_url, i.page_title),
      i.nps, i.fields, i.consent, i.tags, i.visitor_id, i.visitor_verified, i.visitor_key_hash, i.spam_reason
    )::app.incoming_feedback order by i.place),
    json_agg(json_build_array(i.organization_id, i.id, i.content_hash, i.attachments))
      filter (where i.attachments is not null)
  into v_rows, v_files
  from rows from (
    json_to_recordset(p_batch) as (
      organization_id uuid, project_id uuid, id uuid, type text, source text, message text, rating smallint,
      visitor_email text, visitor_name text, page_url text, page_title text, context jsonb, metadata jsonb,
      content_hash bytea, answers text, nps smallint, fields jsonb, consent boolean, tags text[], visitor_id text,
      visitor_verified boolean, visitor_key_hash bytea, spam_reason text, attachments json)
  ) with ordinality as i (
    organization_id, project_id, id, type, source, message, rating, visitor_email, visitor_name, page_url, page_title,
    context, metadata, content_hash, answers, nps, fields, consent, tags, visitor_id, visitor_verified,
    visitor_key_hash, spam_reason, attachments, place);

  -- Every writer of a project waits here, in one order for all, so that numbers follow each other and nobody deadlocks.
  perform from public.project_counters c
  where (c.organization_id, c.project_id) in (select r.organization_id, r.project_id from unnest(v_rows) as r)
  order by c.organization_id, c.project_id
  for no key update;

  return query
  with incoming as materialized (
    select i.*, c.last_number, f.number as stored_number, f.content_hash as stored_hash
    from unnest(v_rows) with ordinality as i (
      organization_id, id, project_id, type, source, message, rating, visitor_email, visitor_name, page_url, page_title,
      context, metadata, content_hash, search, nps, fields, consent, tags, visitor_id, visitor_verified,
      visitor_key_hash, spam_reason, place)
    left join lateral (
      select c.last_number from public.project_counters c
      where c.organization_id = i.organization_id and c.project_id = i.project_id limit 1) c on true
    left join lateral (
      select f.number, f.content_hash from public.feedback f
      where f.organization_id = i.organization_id and f.id = i.id limit 1) f on true
  ),
  inserted as (
    insert into public.feedback as f (
      organization_id, id, project_id, number, type, source, message, rating, visitor_email, visitor_name, page_url,
      page_title, context, metadata, content_hash, search, nps, fields, consent, tags, visitor_id, visitor_verified,
      visitor_key_hash, spam_reason)
    select
      i.organization_id, i.id, i.project_id,
      i.last_number + row_number() over (partition by i.organization_id, i.project_id order by i.place),
      i.type, i.source, i.message, i.rating, i.visitor_email, i.visitor_name, i.page_url, i.page_title, i.context,
      i.metadata, i.content_hash, i.search, i.nps, i.fields, i.consent, i.tags, i.visitor_id, i.visitor_verified,
      i.visitor_key_hash, i.spam_reason
    from incoming i
    where i.last_number is not null and i.stored_number is null
    order by i.place
    -- Another project of the same organisation may have taken the id since we looked.
    on conflict (organization_id, id) do nothing
    returning f.organization_id, f.project_id, f.id, f.number
  ),
  counted as (
    update public.project_counters c
    set last_number = n.top, feedback_count = c.feedback_count + n.count
    from (
      select s.organization_id, s.project_id, max(s.number) as top, count(*) as count
      from inserted s group by s.organization_id, s.project_id
    ) n
    where c.organization_id = n.organization_id and c.project_id = n.project_id
    returning c.project_id
  ),
  enqueued as (
    select app.enqueue_job('feedback_received', json_build_object(
      'items', (select json_agg(json_build_object('organizationId', s.organization_id, 'id', s.id)) from inserted s)))
    from (select count(*) from inserted) as n (count)
    where n.count > 0
  )
  select
    case
      when s.number is not null then 'stored'
      when i.stored_hash = i.content_hash then 'replayed'
      when i.stored_number is not null then 'reused'
      when i.last_number is null then 'gone'
      else 'overtaken'
    end,
    coalesce(s.number, i.stored_number)
  from incoming i
  left join inserted s on s.organization_id = i.organization_id and s.id = i.id
  left join enqueued on true
  order by i.place;

  -- Few bring files, and only those pay for them. The same content is the same files, so a retry adds none.
  if v_files is not null then
    insert into public.feedback_attachments (organization_id, id, feedback_id, kind, name, position, duration_ms)
    select f.organization_id, a.id, f.id, a.kind, a.name, a.place - 1, a.duration_ms
    from json_array_elements(v_files) as b (item)
    join public.feedback f on f.organization_id = (b.item ->> 0)::uuid and f.id = (b.item ->> 1)::uuid
      and f.content_hash = (b.item ->> 2)::bytea
    cross join lateral rows from (
      json_to_recordset(b.item -> 3) as (id uuid, kind text, name text, duration_ms integer)
    ) with ordinality as a (id, kind, name, duration_ms, place)
    -- A file belongs to whoever announced it first.
    on conflict (organization_id, id) do nothing;
  end if;
end
$$;

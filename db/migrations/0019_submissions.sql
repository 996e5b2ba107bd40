-- What a whole widget sends: answers, attachments, signs of spam, and who the visitor is.

alter table public.feedback
  drop constraint feedback_message_check,
  add constraint feedback_message_check check (char_length(message) <= 10000),
  add column nps smallint check (nps between 0 and 10),
  add column fields jsonb not null default '{}',
  add column consent boolean,
  add column tags text[] not null default '{}' check (cardinality(tags) <= 20),
  add column visitor_id text check (char_length(visitor_id) between 1 and 200),
  add column visitor_verified boolean not null default false,
  add column visitor_key_hash bytea check (octet_length(visitor_key_hash) = 32),
  add column spam_reason text check (char_length(spam_reason) between 1 and 40);
comment on column public.feedback.message is 'Empty when a rating, an answer or an attachment says it all.';
comment on column public.feedback.nps is 'How likely the visitor is to recommend, 0 to 10.';
comment on column public.feedback.fields is 'Answers to the project''s own questions, by their ids.';
comment on column public.feedback.consent is 'Agreed to the consent line; null: was not asked.';
comment on column public.feedback.visitor_id is 'Who the site said the visitor is.';
comment on column public.feedback.visitor_verified is 'The site vouched for visitor_id by a signature.';
comment on column public.feedback.visitor_key_hash is 'SHA-256 of the browser''s secret: by it a visitor finds their own items.';
comment on column public.feedback.spam_reason is 'Why it lies in quarantine; null: it does not.';

grant update (spam_reason) on public.feedback to authenticated;

-- Few of many are spam: this index reads as fast as the inbox's own, and costs nothing for the others.
create index feedback_spam_idx on public.feedback (organization_id, created_at desc, id desc) where spam_reason is not null;
create index feedback_visitor_key_idx on public.feedback (organization_id, project_id, visitor_key_hash, created_at desc)
  where visitor_key_hash is not null;
create index feedback_visitor_idx on public.feedback (organization_id, project_id, visitor_id, created_at desc)
  where visitor_id is not null;

create or replace function app.before_feedback_update() returns trigger
language plpgsql set search_path = ''
as $$
begin
  if (new.status, new.closed_reason, new.priority, new.spam_reason)
      is distinct from (old.status, old.closed_reason, old.priority, old.spam_reason) then
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

create or replace function app.after_feedback_update() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into public.feedback_events (organization_id, feedback_id, actor_user_id, field, from_value, to_value)
  select new.organization_id, new.id, auth.uid(), c.field, c.from_value, c.to_value
  from (values
    ('status', old.status, new.status),
    ('closed_reason', old.closed_reason, new.closed_reason),
    ('priority', old.priority, new.priority),
    ('spam', old.spam_reason, new.spam_reason)
  ) as c (field, from_value, to_value)
  where c.from_value is distinct from c.to_value;
  return null;
end
$$;

create table public.feedback_comments (
  organization_id uuid not null,
  id uuid not null,
  feedback_id uuid not null,
  kind text not null check (kind in ('note', 'reply')),
  author_user_id uuid,
  text text not null check (char_length(text) between 1 and 10000),
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, feedback_id) references public.feedback (organization_id, id) on delete cascade
);
comment on table public.feedback_comments is
  'What the team wrote about an item: notes among themselves, and replies, which the visitor sees.';
comment on column public.feedback_comments.id is 'Made by the sender and the same over every retry.';
comment on column public.feedback_comments.author_user_id is 'No foreign key: what was said outlives accounts.';
create index feedback_comments_feedback_idx on public.feedback_comments (organization_id, feedback_id, created_at, id);

alter table public.feedback_comments enable row level security;
alter table public.feedback_comments force row level security;
create policy feedback_comments_select on public.feedback_comments for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy feedback_comments_insert on public.feedback_comments for insert to authenticated
  with check (organization_id in (select app.visible_organization_ids()) and author_user_id = auth.uid());
grant select, insert on public.feedback_comments to authenticated;
grant select, insert, update, delete on public.feedback_comments to service_role;

create or replace function app.search_feedback(
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
    and f.spam_reason is null
    and (p_project_ids is null or f.project_id = any (p_project_ids))
    and (p_statuses is null or f.status = any (p_statuses))
    and (p_priorities is null or f.priority = any (p_priorities))
    and (p_types is null or f.type = any (p_types))
    and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
  order by f.created_at desc, f.id desc
  limit p_limit
$$;

create or replace function app.store_submissions(p_batch json)
returns table (outcome text, number bigint)
language plpgsql security definer set search_path = ''
-- The tables may have grown since they were last counted. A plan made for an empty table, where every index costs the
-- same, would be kept and read all of the organisation's items for each row: plan each time, by the size the table has.
set enable_seqscan = off
set plan_cache_mode = force_custom_plan
as $$
declare
  v_rows public.feedback[];
begin
  -- Half of the work, done before anybody has to wait for it: reading the batch, and making the words to search by.
  select array_agg((
      i.organization_id, i.id, i.project_id, null, i.type, i.source, 'new', null, 'none', i.message, i.rating,
      i.visitor_email, i.visitor_name, i.page_url, i.page_title, i.context, i.metadata, i.content_hash, 1, now(), now(),
      null, null,
      app.make_search(i.message || i.answers, i.visitor_email, i.visitor_name, i.page_url, i.page_title),
      i.nps, i.fields, i.consent, i.tags, i.visitor_id, i.visitor_verified, i.visitor_key_hash, i.spam_reason
    )::public.feedback order by i.place)
  into v_rows
  from rows from (
    json_to_recordset(p_batch) as (
      organization_id uuid, project_id uuid, id uuid, type text, source text, message text, rating smallint,
      visitor_email text, visitor_name text, page_url text, page_title text, context jsonb, metadata jsonb,
      content_hash bytea, answers text, nps smallint, fields jsonb, consent boolean, tags text[], visitor_id text,
      visitor_verified boolean, visitor_key_hash bytea, spam_reason text)
  ) with ordinality as i (
    organization_id, project_id, id, type, source, message, rating, visitor_email, visitor_name, page_url, page_title,
    context, metadata, content_hash, answers, nps, fields, consent, tags, visitor_id, visitor_verified,
    visitor_key_hash, spam_reason, place);

  -- Every writer of a project waits here, in one order for all, so that numbers follow each other and nobody deadlocks.
  perform from public.project_counters c
  where (c.organization_id, c.project_id) in (select r.organization_id, r.project_id from unnest(v_rows) as r)
  order by c.organization_id, c.project_id
  for no key update;

  return query
  with incoming as materialized (
    select i.*, c.last_number, f.number as stored_number, f.content_hash as stored_hash
    from unnest(v_rows) with ordinality as i (
      organization_id, id, project_id, number, type, source, status, closed_reason, priority, message, rating,
      visitor_email, visitor_name, page_url, page_title, context, metadata, content_hash, version, created_at, updated_at,
      first_viewed_at, resolved_at, search, nps, fields, consent, tags, visitor_id, visitor_verified, visitor_key_hash,
      spam_reason, place)
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
  attached as (
    insert into public.feedback_attachments (organization_id, id, feedback_id, kind, name, position, duration_ms)
    select a.organization_id, a.id, a.feedback_id, a.kind, a.name, a.position, a.duration_ms
    from json_to_recordset(p_batch) as b (organization_id uuid, id uuid, attachments json)
    join inserted s on s.organization_id = b.organization_id and s.id = b.id
    cross join lateral (
      select b.organization_id, x.id, b.id as feedback_id, x.kind, x.name, x.duration_ms, x.place - 1 as position
      from rows from (
        json_to_recordset(b.attachments) as (id uuid, kind text, name text, duration_ms integer)
      ) with ordinality as x (id, kind, name, duration_ms, place)
    ) a
    where b.attachments is not null
    -- A file belongs to whoever announced it first.
    on conflict (organization_id, id) do nothing
    returning id
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
end
$$;

call app.add_system_policies();

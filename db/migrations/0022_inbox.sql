-- Finding things in the inbox: by any mix of filters, in any order, by words that may be mistyped, and counted.

create extension if not exists pg_trgm;

create function app.get_facet_prefix(p_organization_id uuid, p_place text) returns text
language sql immutable parallel safe set search_path = ''
as $$
  select right(p_organization_id::text, 5) || left(p_place, 1)
$$;
comment on function app.get_facet_prefix(uuid, text) is
  'What signs begin with, so that no list of them holds many items of other organisations or places. Six characters.';

create function app.make_list_facets(p_prefix text, p_media_kinds text[], p_tags text[]) returns text[]
language sql immutable parallel safe set search_path = ''
as $$
  select array(
    select p_prefix || 'm' || k.kind from unnest(p_media_kinds) as k (kind)
    union all select p_prefix || 't' || lower(t.tag) from unnest(p_tags) as t (tag))
$$;
comment on function app.make_list_facets(text, text[], text[]) is 'The signs of what an item has several of.';
-- Whoever changes an item has its signs made.
grant execute on function app.make_list_facets(text, text[], text[]) to authenticated, service_role;

alter table public.feedback add column media_kinds text[] not null default '{}';
comment on column public.feedback.media_kinds is 'Kinds of the files that it announced, each once.';
update public.feedback f set media_kinds = k.kinds
from (
  select a.organization_id, a.feedback_id, array_agg(distinct a.kind) as kinds
  from public.feedback_attachments a group by a.organization_id, a.feedback_id
) k
where k.organization_id = f.organization_id and k.feedback_id = f.id;

-- Ingest writes the kinds with the item. Whoever adds or removes a file another way finds this done for them.
create function app.keep_media_kinds() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.feedback f set media_kinds = k.kinds
  from (
    select distinct m.organization_id, m.feedback_id,
      array(select distinct a.kind from public.feedback_attachments a
        where a.organization_id = m.organization_id and a.feedback_id = m.feedback_id order by a.kind) as kinds
    from moved m
  ) k
  where f.organization_id = k.organization_id and f.id = k.feedback_id
    and not (f.media_kinds @> k.kinds and f.media_kinds <@ k.kinds);
  return null;
end
$$;
comment on function app.keep_media_kinds() is 'Keeps what an item consists of in step with its files.';
create trigger keep_media_kinds_added after insert on public.feedback_attachments
  referencing new table as moved for each statement execute function app.keep_media_kinds();
create trigger keep_media_kinds_removed after delete on public.feedback_attachments
  referencing old table as moved for each statement execute function app.keep_media_kinds();

-- An expression and no function of ours: it is worked out for every submission. Each sign is a part of one text, in which
-- the line feed, which no value holds, stands for what all begin with.
alter table public.feedback add column facets tsvector not null generated always as (
  array_to_tsvector(
    string_to_array(
      substr(replace(
        E'\nj' || project_id::text || E'\ns' || status || E'\np' || priority || E'\nk' || type || E'\no' || source
          || E'\na' || coalesce(assignee_user_id::text, 'none')
          || case when updated_at <> created_at then E'\n!touched' else E'\n!fresh' end
          || E'\nx' || (extract(epoch from created_at at time zone 'utc')::bigint >> 16)::text
          || E'\ny' || (extract(epoch from created_at at time zone 'utc')::bigint >> 20)::text
          || case when message <> '' then E'\nmtext' else '' end
          || case when rating is null then '' else E'\nr' || rating::text end
          || case when first_viewed_at is null then E'\nunread' else '' end
          || case
            when visitor_id is not null then E'\nv' || replace(visitor_id, E'\n', ' ')
            when visitor_email <> '' then E'\ne' || lower(replace(visitor_email, E'\n', ' '))
            else ''
          end,
        E'\n',
        E'\n' || right(organization_id::text, 5) || case
      when deleted_at is not null then 't'
      when merged_into is not null then 'm'
      when spam_reason is not null then 's'
      when archived_at is not null then 'a'
      else 'i'
    end), 2),
      E'\n')
    || case
      when media_kinds = '{}' and tags = '{}' then '{}'::text[]
      else app.make_list_facets(right(organization_id::text, 5) || case
        when deleted_at is not null then 't'
        when merged_into is not null then 'm'
        when spam_reason is not null then 's'
        when archived_at is not null then 'a'
        else 'i'
      end, media_kinds, tags)
    end)) stored;
comment on column public.feedback.facets is
  'What can be filtered by, as one sign for each value. Made by the database, so it is never out of step.';

-- Every place is read in order; one is not slower for what lies in another. A mix of status, priority, type and project
-- is one range per combination of their values, merged. Every other mix is found through signs and words in one index.
drop index public.feedback_inbox_idx;
drop index public.feedback_spam_idx;
drop index public.feedback_inbox_filter_idx;
drop index public.feedback_inbox_project_idx;
drop index public.feedback_search_idx;
create index feedback_place_idx on public.feedback (organization_id, place, created_at desc, id desc);
-- With the project, by which the policy leaves out those that are deleted: otherwise reading the other index through, which
-- holds it, looks cheaper than reading this one's first rows.
create index feedback_place_filter_idx on public.feedback
  (organization_id, place, status, priority, type, created_at desc, id desc) include (project_id);
create index feedback_place_project_idx on public.feedback
  (organization_id, project_id, place, status, priority, type, created_at desc, id desc);
-- Untouched items were updated when they came, so this holds only what the team worked on.
create index feedback_touched_idx on public.feedback (organization_id, place, updated_at desc, id desc)
  where updated_at <> created_at;
create index feedback_search_idx on public.feedback using gin (organization_id, facets, search);

-- A submission on its way into the table. A type of its own, so that columns which only the team fills can be added to the
-- table without a word about ingest.
create type app.incoming_feedback as (
  organization_id uuid, id uuid, project_id uuid, type text, source text, message text, rating smallint,
  visitor_email text, visitor_name text, page_url text, page_title text, context jsonb, metadata jsonb,
  content_hash bytea, search tsvector, nps smallint, fields jsonb, consent boolean, tags text[], visitor_id text,
  visitor_verified boolean, visitor_key_hash bytea, spam_reason text, media_kinds text[]
);

create or replace function app.store_submissions(p_batch json)
returns table (outcome text, number bigint)
language plpgsql security definer set search_path = ''
-- The tables may have grown since they were last counted. A plan made for an empty table, where every index costs the
-- same, would be kept and read all of the organisation's items for each row. So what reads them is planned each time, by
-- the size that they have; by EXECUTE and not by plan_cache_mode, which would also plan each item's words and references.
set enable_seqscan = off
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
      i.nps, i.fields, i.consent, i.tags, i.visitor_id, i.visitor_verified, i.visitor_key_hash, i.spam_reason,
      case
        when i.attachments is null then '{}'
        else array(select distinct a.file ->> 'kind' from json_array_elements(i.attachments) as a (file))
      end
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
  execute $q$
  select from public.project_counters c
  where (c.organization_id, c.project_id) in (select r.organization_id, r.project_id from unnest($1) as r)
  order by c.organization_id, c.project_id
  for no key update
  $q$ using v_rows;

  return query execute $q$
  with incoming as materialized (
    select i.*, c.last_number, f.number as stored_number, f.content_hash as stored_hash
    from unnest($1) with ordinality as i (
      organization_id, id, project_id, type, source, message, rating, visitor_email, visitor_name, page_url, page_title,
      context, metadata, content_hash, search, nps, fields, consent, tags, visitor_id, visitor_verified,
      visitor_key_hash, spam_reason, media_kinds, place)
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
      visitor_key_hash, spam_reason, media_kinds)
    select
      i.organization_id, i.id, i.project_id,
      i.last_number + row_number() over (partition by i.organization_id, i.project_id order by i.place),
      i.type, i.source, i.message, i.rating, i.visitor_email, i.visitor_name, i.page_url, i.page_title, i.context,
      i.metadata, i.content_hash, i.search, i.nps, i.fields, i.consent, i.tags, i.visitor_id, i.visitor_verified,
      i.visitor_key_hash, i.spam_reason, i.media_kinds
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
  order by i.place
  $q$ using v_rows;

  -- Few bring files, and only those pay for them. The same content is the same files, so a retry adds none.
  if v_files is not null then
    execute $q$
    insert into public.feedback_attachments (organization_id, id, feedback_id, kind, name, position, duration_ms)
    select f.organization_id, a.id, f.id, a.kind, a.name, a.place - 1, a.duration_ms
    from json_array_elements($1) as b (item)
    join public.feedback f on f.organization_id = (b.item ->> 0)::uuid and f.id = (b.item ->> 1)::uuid
      and f.content_hash = (b.item ->> 2)::bytea
    cross join lateral rows from (
      json_to_recordset(b.item -> 3) as (id uuid, kind text, name text, duration_ms integer)
    ) with ordinality as a (id, kind, name, duration_ms, place)
    -- A file belongs to whoever announced it first.
    on conflict (organization_id, id) do nothing
    $q$ using v_files;
  end if;
end
$$;

-- How many items of a project show a sign, by place. Writers only add rows, so that none waits for another; the rows of
-- `change_id` 0 hold what was folded together.
create table public.feedback_counts (
  organization_id uuid not null,
  project_id uuid not null,
  place text not null,
  facet text not null,
  change_id bigint not null,
  n bigint not null,
  primary key (organization_id, project_id, place, facet, change_id),
  foreign key (organization_id, project_id) references public.projects (organization_id, id) on delete cascade
);
comment on table public.feedback_counts is
  'Items by project, place and sign (see feedback.facets): the sum of n. An empty sign counts all, T… a tag as written.';
comment on column public.feedback_counts.change_id is '0: folded; others are changes that wait to be folded.';
create sequence app.feedback_count_changes;
create index feedback_counts_change_idx on public.feedback_counts (change_id) where change_id > 0;
alter table public.feedback_counts enable row level security;
alter table public.feedback_counts force row level security;
create policy feedback_counts_select on public.feedback_counts for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
grant select on public.feedback_counts to authenticated, service_role;

create function app.count_feedback() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    insert into public.feedback_counts (organization_id, project_id, place, facet, change_id, n)
    select c.organization_id, c.project_id, c.place, c.facet, nextval('app.feedback_count_changes'), c.n
    from (
      select f.organization_id, f.project_id, f.place, l.facet, count(*) as n
      from added f cross join lateral (
        select substr(u.facet, 7) as facet from unnest(tsvector_to_array(f.facets)) as u (facet)
        where substr(u.facet, 7, 1) not in ('e', 'j', 'v', 'x', 'y')
        union all select 'T' || t.tag from unnest(f.tags) as t (tag)
        union all select '' where f.facets is not null
      ) as l
      group by 1, 2, 3, 4
    ) c;
  elsif tg_op = 'UPDATE' then
    insert into public.feedback_counts (organization_id, project_id, place, facet, change_id, n)
    with pair as (
      select a.organization_id, a.project_id, a.place, a.facets, a.tags, r.project_id as former_project_id,
        r.place as former_place, r.facets as former_facets, r.tags as former_tags,
        a.place <> r.place or a.project_id <> r.project_id as is_moved
      from added a
      join removed r on r.organization_id = a.organization_id and r.id = a.id
      where a.facets <> r.facets or a.tags <> r.tags
    )
    select c.organization_id, c.project_id, c.place, c.facet, nextval('app.feedback_count_changes'), c.n
    from (
      select s.organization_id, s.project_id, s.place, l.facet, sum(s.sign) as n
      from (
        -- What an item shows as before is not counted down and up again.
        select p.organization_id, p.project_id, p.place, p.tags, p.is_moved, 1 as sign,
          case when p.is_moved then p.facets else ts_delete(p.facets, tsvector_to_array(p.former_facets)) end as facets
        from pair p
        union all
        select p.organization_id, p.former_project_id, p.former_place, p.former_tags, p.is_moved, -1,
          case when p.is_moved then p.former_facets else ts_delete(p.former_facets, tsvector_to_array(p.facets)) end
        from pair p
      ) s
      cross join lateral (
        select substr(u.facet, 7) as facet from unnest(tsvector_to_array(s.facets)) as u (facet)
        where substr(u.facet, 7, 1) not in ('e', 'j', 'v', 'x', 'y')
        union all select 'T' || t.tag from unnest(s.tags) as t (tag)
        union all select '' where s.is_moved
      ) as l
      group by 1, 2, 3, 4
      having sum(s.sign) <> 0
    ) c
    -- An item that goes with its organisation loses its assignee first, and its project is gone by now.
    where exists (
      select from public.projects p where p.organization_id = c.organization_id and p.id = c.project_id);
  else
    insert into public.feedback_counts (organization_id, project_id, place, facet, change_id, n)
    select c.organization_id, c.project_id, c.place, c.facet, nextval('app.feedback_count_changes'), -c.n
    from (
      select f.organization_id, f.project_id, f.place, l.facet, count(*) as n
      from removed f cross join lateral (
        select substr(u.facet, 7) as facet from unnest(tsvector_to_array(f.facets)) as u (facet)
        where substr(u.facet, 7, 1) not in ('e', 'j', 'v', 'x', 'y')
        union all select 'T' || t.tag from unnest(f.tags) as t (tag)
        union all select '' where f.facets is not null
      ) as l
      group by 1, 2, 3, 4
    ) c
    -- With its project an item's counts are gone.
    where exists (
      select from public.projects p where p.organization_id = c.organization_id and p.id = c.project_id);
  end if;
  return null;
end
$$;
comment on function app.count_feedback() is 'Notes what items came, changed and went, so that no list need be read through to be counted.';
create trigger count_feedback_added after insert on public.feedback
  referencing new table as added for each statement execute function app.count_feedback();
create trigger count_feedback_changed after update on public.feedback
  referencing old table as removed new table as added for each statement execute function app.count_feedback();
create trigger count_feedback_removed after delete on public.feedback
  referencing old table as removed for each statement execute function app.count_feedback();

create function app.fold_feedback_counts() returns void
language sql security definer set search_path = ''
as $$
  with gone as (
    delete from public.feedback_counts c where c.change_id > 0
    returning c.organization_id, c.project_id, c.place, c.facet, c.n
  )
  insert into public.feedback_counts as c (organization_id, project_id, place, facet, change_id, n)
  select g.organization_id, g.project_id, g.place, g.facet, 0, sum(g.n)
  from gone g
  group by 1, 2, 3, 4
  -- In one order for all, so that two who fold at a time don't deadlock.
  order by 1, 2, 3, 4
  on conflict (organization_id, project_id, place, facet, change_id) do update set n = c.n + excluded.n
$$;
comment on function app.fold_feedback_counts() is 'Adds up what writers noted. Changes no sum.';
grant execute on function app.fold_feedback_counts() to service_role;

insert into public.feedback_counts (organization_id, project_id, place, facet, change_id, n)
select f.organization_id, f.project_id, f.place, l.facet, 0, count(*)
from public.feedback f cross join lateral (
        select substr(u.facet, 7) as facet from unnest(tsvector_to_array(f.facets)) as u (facet)
        where substr(u.facet, 7, 1) not in ('e', 'j', 'v', 'x', 'y')
        union all select 'T' || t.tag from unnest(f.tags) as t (tag)
        union all select '' where f.facets is not null
      ) as l
group by 1, 2, 3, 4;

-- Words that an organisation's items hold: what is not among them may be mistyped.
create table public.feedback_words (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  word text collate "C" not null check (char_length(word) between 3 and 40),
  primary key (organization_id, word)
);
comment on table public.feedback_words is 'Words of letters that items hold, for finding what is near to a mistyped one.';
create index feedback_words_near_idx on public.feedback_words using gin (organization_id, word gin_trgm_ops);
alter table public.feedback_words enable row level security;
alter table public.feedback_words force row level security;

create function app.learn_words(p_organization_id uuid, p_feedback_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  insert into public.feedback_words (organization_id, word)
  select p_organization_id, w.word
  from (
    select distinct s.word
    from public.feedback f cross join lateral unnest(tsvector_to_array(f.search)) as s (word)
    where f.organization_id = p_organization_id and f.id = any (p_feedback_ids)
      and char_length(s.word) between 3 and 40 and s.word !~ '[^[:alpha:]]'
  ) w
  where not exists (
    select from public.feedback_words k where k.organization_id = p_organization_id and k.word = w.word collate "C")
  order by w.word collate "C"
  on conflict do nothing
$$;
comment on function app.learn_words(uuid, uuid[]) is 'Adds the words of new items to those that are known. Twice is as good as once.';
grant execute on function app.learn_words(uuid, uuid[]) to service_role;

insert into public.feedback_words (organization_id, word)
select distinct f.organization_id, s.word
from public.feedback f cross join lateral unnest(tsvector_to_array(f.search)) as s (word)
where char_length(s.word) between 3 and 40 and s.word !~ '[^[:alpha:]]';

create function app.similar_words(p_organization_id uuid, p_words text[])
returns table (typed text, word text, similarity real)
language sql stable security definer set search_path = ''
as $$
  select t.word, n.word, n.similarity
  from unnest(p_words) as t (word)
  cross join lateral (
    select k.word::text, public.similarity(k.word, t.word) as similarity
    from public.feedback_words k
    where k.organization_id = p_organization_id and k.word operator(public.%) t.word
    order by 2 desc, 1
    limit 50
  ) n
  where p_organization_id in (select app.visible_organization_ids())
    and not exists (
      select from public.feedback_words b
      where b.organization_id = p_organization_id
        and b.word >= t.word collate "C" and b.word < (t.word || chr(1114111)) collate "C")
$$;
comment on function app.similar_words(uuid, text[]) is
  'For each of the words with which no known one begins: those known that share most of its letters, nearest first.';
grant execute on function app.similar_words(uuid, text[]) to authenticated;

drop function app.search_feedback(uuid, text, uuid[], text[], text[], text[], timestamptz, uuid, integer, boolean);

create function app.make_time_query(p_prefix text, p_from timestamptz, p_to timestamptz) returns tsquery
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_first bigint := extract(epoch from p_from);
  v_last bigint := extract(epoch from p_to);
  v_sign text := 'x';
  v_bits integer := 16;
begin
  if (v_last >> v_bits) - (v_first >> v_bits) > 24 then
    v_sign := 'y';
    v_bits := 20;
  end if;
  -- So long a time that it hardly narrows anything.
  if (v_last >> v_bits) - (v_first >> v_bits) > 100 then return null; end if;
  return (
    select string_agg(quote_literal(p_prefix || v_sign || block), ' | ')::tsquery
    from generate_series(v_first >> v_bits, v_last >> v_bits) as block);
end
$$;
comment on function app.make_time_query(text, timestamptz, timestamptz) is
  'Signs of feedback.facets, at most a hundred, that everything of a stretch of time shows, and little besides; null: it is too long.';

-- Row-level security keeps a search by words or signs from using its index, because its operator may not run before the
-- policy's check (it is not leakproof). So the search runs here, past the policies, behind the same question.
create function app.find_feedback(
  p_organization_id uuid, p_place text, p_project_ids uuid[], p_groups jsonb, p_words text,
  p_from timestamptz, p_to timestamptz, p_sort text, p_after_at timestamptz, p_after_id uuid, p_limit integer)
returns table (id uuid, at timestamptz)
language plpgsql stable security definer set search_path = ''
set enable_seqscan = off
-- What is read in order is read to its first matches only; a sort would begin by reading all of it.
set enable_sort = off
as $$
declare
  -- Rows looked at in order at most, and before other ways are weighed. A test sets it low, to go every way.
  c_most constant integer := coalesce(nullif(current_setting('app.inbox_rows', true), ''), '6000');
  c_first constant integer := least(400, c_most);
  -- So few rows are collected and sorted, whatever their order.
  c_few constant integer := least(2500, c_most);
  -- So few that are left are read all at once rather than by stretches of time, each of which looks through its signs
  -- and words anew.
  c_rest constant integer := least(1000, c_most);
  v_column text := case p_sort when 'updated' then 'updated_at' else 'created_at' end;
  v_is_up boolean := p_sort = 'oldest';
  v_order text := format('f.%1$I %2$s, f.id %2$s', v_column, case when v_is_up then 'asc' else 'desc' end);
  v_own_where constant text := 'f.organization_id = $1 and f.place = $2';
  v_where text := v_own_where;
  v_match text;
  -- By nothing else than signs and words, so that no plan reads another index through.
  v_collect text := 'with found as materialized (
    select f.organization_id, f.place, f.id, f.created_at, f.updated_at from public.feedback f where ';
  v_between text := '';
  v_prefix text := app.get_facet_prefix(p_organization_id, p_place);
  v_facets tsquery;
  v_words tsquery := p_words::tsquery;
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_at timestamptz := p_after_at;
  v_id uuid := p_after_id;
  v_beyond text := format('(f.%I, f.id) %s ($8, $9)', v_column, case when v_is_up then '>' else '<' end);
  v_after text := case when v_at is null then '' else 'and ' || v_beyond end;
  v_all numeric;
  v_own numeric;
  v_least numeric;
  v_is_few boolean := false;
  v_share numeric;
  v_n numeric;
  v_group jsonb;
  v_row record;
  v_step integer;
  v_seen numeric := 0;
  v_found integer := 0;
  v_first_at timestamptz;
  v_rate numeric;
  v_span interval;
  v_edge timestamptz;
  v_oldest timestamptz;
  v_slice tsquery;
  v_before integer;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then return; end if;
  if p_from is not null or p_to is not null then
    v_between := 'and f.created_at >= $3 and f.created_at < $4';
    v_where := v_where || ' ' || v_between;
  end if;
  -- The index of what was touched holds nothing else.
  if p_sort = 'updated' then v_where := v_where || ' and f.updated_at <> f.created_at'; end if;

  select coalesce(sum(c.n), 0), coalesce(sum(c.n) filter (where p_project_ids is null or c.project_id = any (p_project_ids)), 0)
  into v_all, v_own
  from public.feedback_counts c
  where c.organization_id = p_organization_id and c.place = p_place and c.facet = '';
  if v_own <= 0 then return; end if;
  v_least := v_own;
  v_share := v_own / v_all;
  for v_group in select g.value from jsonb_array_elements(p_groups) as g (value) loop
    select (string_agg('''' || replace(replace(v_prefix || g.facet, '\', '\\'), '''', '''''') || '''', ' | '))::tsquery
    into v_slice from jsonb_array_elements_text(v_group) as g (facet);
    v_facets := case when v_facets is null then v_slice else v_facets && v_slice end;
    -- What one visitor sent, and what belongs to a project, is not counted by signs.
    if left(v_group ->> 0, 1) = 'v' then v_is_few := true; end if;
    if left(v_group ->> 0, 1) in ('v', 'j') then continue; end if;
    select coalesce(sum(c.n), 0) into v_n from public.feedback_counts c
    where c.organization_id = p_organization_id and c.place = p_place
      and c.facet in (select jsonb_array_elements_text(v_group))
      and (p_project_ids is null or c.project_id = any (p_project_ids));
    if v_n <= 0 then return; end if;
    v_least := least(v_least, v_n);
    v_share := v_share * least(1, v_n / v_own);
  end loop;
  v_match := coalesce(nullif(concat_ws(' and ', case when v_facets is not null then 'f.facets @@ $6' end,
    case when p_words is not null then 'f.search @@ $7' end), ''), 'true');
  v_is_few := v_is_few or v_least <= c_few and v_least < p_limit / v_share;
  if not v_is_few then
    -- In order, leaving out what does not match: a few rows, and more where that promises to fill the page.
    execute format('select f.%I from public.feedback f where %s %s order by %s limit 1',
      v_column, v_where, v_after, v_order)
      into v_first_at using p_organization_id, p_place, v_from, v_to, null::timestamptz, null::tsquery, null::tsquery, v_at, v_id;
    foreach v_step in array array[c_first, c_most - c_first] loop
      exit when v_step <= 0;
      for v_row in execute format(
        'select w.id, w.at from (
           select f.id, f.%1$I as at, %2$s as is_match from public.feedback f where %3$s %4$s order by %5$s limit %6$s
         ) w where w.is_match limit %7$s',
        v_column, v_match, v_where, v_after, v_order, v_step, p_limit - v_found)
        using p_organization_id, p_place, v_from, v_to, null::timestamptz, v_facets, v_words, v_at, v_id
      loop
        id := v_row.id;
        at := v_row.at;
        return next;
        v_found := v_found + 1;
      end loop;
      if v_found >= p_limit then return; end if;
      execute format('select f.%1$I as at, f.id from public.feedback f where %2$s %3$s order by %4$s offset %5$s limit 1',
        v_column, v_where, v_after, v_order, v_step - 1)
        into v_row using p_organization_id, p_place, v_from, v_to, null::timestamptz, null::tsquery, null::tsquery, v_at, v_id;
      if v_row.id is null then return; end if;
      v_at := v_row.at;
      v_id := v_row.id;
      v_after := 'and ' || v_beyond;
      v_seen := v_seen + v_step;
      exit when v_seen + (p_limit - v_found)::numeric * v_seen / greatest(v_found, 0.5) > c_most;
    end loop;
  end if;

  -- The rest through the index of signs and words: all at once where that is little, otherwise a stretch of time after
  -- another, each longer than the last.
  v_before := p_limit - v_found;
  v_share := least(v_share, (v_found + 1)::numeric / greatest(v_seen, 1));
  if v_is_few or v_all * v_share <= c_rest or p_sort = 'updated' then
    return query execute format(
      '%1$s %7$s) select f.id, f.%2$I from found f where %8$s %3$s %4$s order by %5$s limit %6$s',
      v_collect, v_column, v_between, v_after, v_order, v_before,
      case when v_facets is null then 'f.organization_id = $1 and ' || v_match else v_match end, v_own_where)
      using p_organization_id, p_place, v_from, v_to, null::timestamptz, v_facets, v_words, v_at, v_id;
    return;
  end if;

  execute format('select f.created_at from public.feedback f where %s order by f.created_at %s limit 1',
    v_where, case when v_is_up then 'desc' else 'asc' end)
    into v_oldest using p_organization_id, p_place, v_from, v_to;
  -- Rows per second here; then the time that holds a few times what is wanted.
  v_rate := v_seen / greatest(abs(extract(epoch from v_first_at - v_at)), 1);
  v_span := make_interval(secs => least(3 * v_before / v_share / v_rate, 3e9)::double precision);
  loop
    v_edge := case when v_is_up then v_at + v_span else v_at - v_span end;
    v_slice := app.make_time_query(v_prefix, least(v_at, v_edge), greatest(v_at, v_edge));
    v_before := 0;
    for v_row in execute format(
      '%1$s %9$s %7$s) select f.id, f.created_at as at from found f
       where %8$s and %2$s and f.created_at %3$s $5 %4$s order by %5$s limit %6$s',
      v_collect, v_beyond, case when v_is_up then '<=' else '>=' end, v_between, v_order, p_limit - v_found,
      case when p_words is not null then 'and f.search @@ $7' end, v_own_where,
      case when v_facets is null and v_slice is null then 'f.organization_id = $1' else 'f.facets @@ $6' end)
      using p_organization_id, p_place, v_from, v_to, v_edge, coalesce(v_facets && v_slice, v_facets, v_slice), v_words, v_at, v_id
    loop
      id := v_row.id;
      at := v_row.at;
      return next;
      v_before := v_before + 1;
    end loop;
    v_found := v_found + v_before;
    exit when v_found >= p_limit or (v_is_up and v_edge >= v_oldest) or (not v_is_up and v_edge <= v_oldest);
    v_at := v_edge;
    v_id := case when v_is_up then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else '00000000-0000-0000-0000-000000000000' end;
    -- What was expected of few rows is known better by now.
    v_seen := v_seen + v_rate * extract(epoch from v_span);
    v_span := case
      when v_all * (v_found + 1) / v_seen <= c_rest then make_interval(secs => 3e9)
      else v_span * case when v_before = 0 then 6 else 2 end
    end;
  end loop;
end
$$;
comment on function app.find_feedback(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, text, timestamptz, uuid,
  integer) is 'The next items of an organisation in an order that show all signs and words, for those who may see it.';
grant execute on function app.find_feedback(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, text, timestamptz,
  uuid, integer) to authenticated;

call app.add_system_policies();

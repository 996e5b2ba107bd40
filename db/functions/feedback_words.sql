-- Words of an organisation's items, and items with similar words.

create or replace function app.learn_words(p_organization_id uuid, p_feedback_ids uuid[]) returns void
language sql security definer set search_path = ''
as $$
  insert into public.feedback_words (organization_id, word)
  select p_organization_id, w.word
  -- Gathers the words of all items four times as fast as a join of their lists does. Its query holds ids alone.
  from ts_stat(format('select f.search from public.feedback f where f.organization_id = %L and f.id = any (%L)',
    p_organization_id, p_feedback_ids)) as w
  where char_length(w.word) between 3 and 40 and w.word !~ '[^[:alpha:]]'
    and not exists (
      select from public.feedback_words k where k.organization_id = p_organization_id and k.word = w.word collate "C")
  order by w.word collate "C"
  on conflict do nothing
$$;
comment on function app.learn_words(uuid, uuid[]) is 'Adds the words of new items to the known words. Idempotent.';
grant execute on function app.learn_words(uuid, uuid[]) to service_role;

create or replace function app.similar_words(p_organization_id uuid, p_words text[])
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
  'For each word that is no prefix of a known one: the most similar known words, by trigrams.';
-- Finds nothing for an API key: words of other projects stay unknown to it.
grant execute on function app.similar_words(uuid, text[]) to authenticated, earshot_api_key;

drop function if exists app.list_frequent_words(uuid);
create or replace function app.list_frequent_words(p_organization_id uuid, p_except_of text[] default '{}') returns setof text
language sql stable security definer set search_path = ''
as $$
  select w.word
  from ts_stat(format(
    $q$select f.search from public.feedback f
       where f.organization_id = %1$L and coalesce(f.visitor_id, '') <> all (%2$L) and coalesce(lower(f.visitor_email), '') <> all (%2$L)
       limit 20000$q$, p_organization_id, p_except_of)) as w
$$;
comment on function app.list_frequent_words(uuid, text[]) is
  'The words of 20,000 items, any of them, but not of the visitors p_except_of: all that an organisation uses often. In smaller ones, all '
  'words in use.';
grant execute on function app.list_frequent_words(uuid, text[]) to service_role;

create or replace function app.forget_words(p_organization_id uuid, p_words text[]) returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_word text;
  v_is_used boolean;
begin
  foreach v_word in array p_words loop
    -- Materialized, so that the index is read: to find any one item, a plan would read all items of the organisation in the hope
    -- of an early end, and a word that no item contains any more has none.
    execute
      'with found as materialized (select from public.feedback f where f.organization_id = $1 and f.search @@ $2)
       select exists (select from found)'
      into v_is_used using p_organization_id, quote_literal(v_word)::tsquery;
    if not v_is_used then
      delete from public.feedback_words w where w.organization_id = p_organization_id and w.word = v_word collate "C";
    end if;
  end loop;
end
$$;
comment on function app.forget_words(uuid, text[]) is 'Deletes those of the words that no item contains any more. Meant for rare words: the entries of frequent ones take long to read.';
grant execute on function app.forget_words(uuid, text[]) to service_role;

create or replace function app.find_similar_feedback(p_organization_id uuid, p_feedback_id uuid, p_limit integer)
returns table (id uuid, likeness real)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan
-- The words are few and rare: their entries in the index are read, never the table.
set enable_seqscan = off
as $$
declare
  -- Rows to read at most, by the planner's statistics. More would take too long for a hint.
  v_budget constant real := 400;
  v_project_id uuid;
  v_own text[];
  v_query tsquery;
begin
  select f.project_id, tsvector_to_array(app.make_search(f.message, null, null, '', null))
  into v_project_id, v_own
  from public.feedback f
  where f.organization_id = p_organization_id and f.id = p_feedback_id
    and (p_organization_id in (select app.visible_organization_ids())
      or (f.organization_id, f.project_id) in (select k.organization_id, k.project_id from app.key_projects() k));
  if not found or cardinality(v_own) = 0 then
    return;
  end if;

  with known as (
    select unnest(s.most_common_elems::text::text[]) as word, unnest(s.most_common_elem_freqs) as share
    from pg_catalog.pg_stats s
    where s.schemaname = 'public' and s.tablename = 'feedback' and s.attname = 'search' and not s.inherited
  ),
  size as (
    select greatest(c.reltuples, 0) as rows, (select min(k.share) from known k) as least
    from pg_catalog.pg_class c where c.oid = 'public.feedback'::regclass
  ),
  own as (
    select w.word, coalesce(k.share, size.least / 2, 0) * size.rows as rows
    from unnest(v_own) as w (word)
    cross join size
    left join known k on k.word = w.word
    where char_length(w.word) between 3 and 60
    order by 2, char_length(w.word) desc, w.word
    limit 24
  ),
  ranked as (
    select o.word, sum(o.rows) over (order by o.rows, char_length(o.word) desc, o.word) as rows,
      row_number() over (order by o.rows, char_length(o.word) desc, o.word) as position
    from own o
  )
  select coalesce(
    -- Any of the rare words; or, if every word is common, the three rarest together.
    (select string_agg(quote_literal(r.word), ' | ') from ranked r where r.rows <= v_budget),
    (select string_agg(quote_literal(r.word), ' & ') from ranked r where r.position <= 3)
  )::tsquery
  into v_query;
  if v_query is null then
    return;
  end if;

  return query
  with candidates as materialized (
    select f.id, f.message, ts_rank(f.search, v_query) as rank
    from public.feedback f
    where f.organization_id = p_organization_id
      and f.search @@ v_query
      and f.project_id = v_project_id
      and f.id <> p_feedback_id
      and f.location in ('inbox', 'snoozed', 'archived')
    limit 500
  ),
  closest as (
    select c.id, c.message from candidates c order by c.rank desc limit 25
  ),
  measured as (
    select c.id, w.shared::real / nullif(cardinality(v_own) + w.count - w.shared, 0) as likeness
    from closest c
    cross join lateral (
      select count(*) as count, count(*) filter (where each.word = any (v_own)) as shared
      from unnest(tsvector_to_array(app.make_search(c.message, null, null, '', null))) as each (word)
    ) w
  )
  select m.id, m.likeness::real from measured m
  where m.likeness >= 0.2
  order by m.likeness desc, m.id desc
  limit p_limit;
end
$$;
comment on function app.find_similar_feedback(uuid, uuid, integer) is
  'Items of the same project whose messages share the most words (Jaccard index, from 0.2), most similar first, for '
  'members of the organisation and API keys of the project. Candidates are found by the rarest words, so that the cost does not grow with the '
  'table.';
grant execute on function app.find_similar_feedback(uuid, uuid, integer) to authenticated, earshot_api_key;

-- Fewer candidates for similar items: looking at them was most of the time that the question took.

create or replace function app.find_similar_feedback(p_organization_id uuid, p_feedback_id uuid, p_limit integer)
returns table (id uuid, likeness real)
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan
-- Words are few and rare by choice: their entries in the index are read, never the table.
set enable_seqscan = off
as $$
declare
  -- Rows that may be looked at, by the database's estimate. More take longer than anybody waits for a hint.
  v_budget constant real := 400;
  v_project_id uuid;
  v_own text[];
  v_query tsquery;
begin
  select f.project_id, tsvector_to_array(app.make_search(f.message, null, null, '', null))
  into v_project_id, v_own
  from public.feedback f
  where f.organization_id = p_organization_id and f.id = p_feedback_id
    and p_organization_id in (select app.visible_organization_ids());
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
      row_number() over (order by o.rows, char_length(o.word) desc, o.word) as place
    from own o
  )
  select coalesce(
    -- Any of the rare words; or, where every word is common, the three rarest together.
    (select string_agg(quote_literal(r.word), ' | ') from ranked r where r.rows <= v_budget),
    (select string_agg(quote_literal(r.word), ' & ') from ranked r where r.place <= 3)
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
      and f.place in ('inbox', 'archived')
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

-- The inbox's search: the next items of a selection in an order, by one of three strategies.

-- With the functions of this file that take or return them, all of which are made below.
drop type if exists app.inbox_query, app.inbox_reading, app.inbox_estimate cascade;

create type app.inbox_query as (
  organization_id uuid,
  location text,
  facets tsquery,
  words tsquery,
  from_at timestamptz,
  to_at timestamptz,
  sort text,
  after_at timestamptz,
  after_id uuid,
  row_budget integer,
  unread_for uuid
);
comment on type app.inbox_query is
  'A selection, its order and the position to continue from. row_budget: rows to read in order before another '
  'strategy. unread_for: only items that this user has not read; null: all.';

create type app.inbox_reading as (
  ids uuid[], times timestamptz[], seen numeric, first_at timestamptz, last_at timestamptz, last_id uuid, is_complete boolean
);
comment on type app.inbox_reading is
  'Items found in order, how many rows were read for them, and the times of the first and the last of these rows.';

create type app.inbox_estimate as (facets tsquery, total numeric, least numeric, share numeric, is_visitor boolean);
comment on type app.inbox_estimate is
  'Items of a location, items of the rarest filter, and the expected share of items that match all filters.';

create or replace function app.get_search_start(p_organization_id uuid, p_from timestamptz, p_is_unread boolean)
returns timestamptz
language sql stable set search_path = ''
as $$
  select greatest(coalesce(p_from, '-infinity'),
    case when p_is_unread then app.get_read_until(p_organization_id) + interval '1 microsecond' end)
$$;
comment on function app.get_search_start(uuid, timestamptz, boolean) is
  'The earliest time of receipt that a search reads: p_from, or for unread items what the caller has read up to.';

create or replace function app.make_time_query(p_prefix text, p_from timestamptz, p_to timestamptz) returns tsquery
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_first bigint := extract(epoch from p_from);
  v_last bigint := extract(epoch from p_to);
  v_token text := 'x';
  v_bits integer := 16;
begin
  if (v_last >> v_bits) - (v_first >> v_bits) > 24 then
    v_token := 'y';
    v_bits := 20;
  end if;
  if (v_last >> v_bits) - (v_first >> v_bits) > 100 then return null; end if;
  return (
    select string_agg(quote_literal(p_prefix || v_token || block), ' | ')::tsquery
    from generate_series(v_first >> v_bits, v_last >> v_bits) as block);
end
$$;
comment on function app.make_time_query(text, timestamptz, timestamptz) is
  'At most a hundred facet tokens of time blocks that cover a time span; null: the span is longer, so that they would '
  'hardly narrow a search.';

create or replace function app.get_block_start(p_block bigint, p_bits integer) returns timestamptz
language sql immutable parallel safe set search_path = ''
-- Times are rounded to seconds, half a second up.
return to_timestamp((p_block << p_bits) - 0.5);
comment on function app.get_block_start(bigint, integer) is
  'The first time of receipt in a block of 2^p_bits seconds, as app.make_time_query numbers them.';

create or replace function app.write_inbox_sql(p_query app.inbox_query, p_template text) returns text
language plpgsql immutable parallel safe set search_path = ''
as $$
declare
  v_time constant text := case p_query.sort when 'updated' then 'f.updated_at' else 'f.created_at' end;
  v_direction constant text := case p_query.sort when 'oldest' then 'asc' else 'desc' end;
  v_text text := p_template;
begin
  v_text := replace(v_text, '{scope}', concat_ws(' and ',
    'f.organization_id = ($1).organization_id and f.location = ($1).location',
    case when p_query.from_at > '-infinity' or p_query.to_at < 'infinity'
      then 'f.created_at >= ($1).from_at and f.created_at < ($1).to_at' end,
    -- The condition of the index of touched items.
    case when p_query.sort = 'updated' then 'f.updated_at <> f.created_at' end));
  v_text := replace(v_text, '{match}', concat_ws(' and ',
    case when p_query.facets is null then 'f.organization_id = ($1).organization_id' else 'f.facets @@ ($1).facets' end,
    case when p_query.words is not null then 'f.search @@ ($1).words' end,
    case when p_query.unread_for is not null then
      'not exists (
         select from public.feedback_reads r
         where r.organization_id = f.organization_id and r.feedback_id = f.id and r.user_id = ($1).unread_for
           and r.seen_at >= coalesce(f.visitor_wrote_at, f.created_at))'
    end));
  v_text := replace(v_text, '{beyond}', case
    when p_query.after_at is null then 'true'
    else format('(%s, f.id) %s (($1).after_at, ($1).after_id)', v_time, case v_direction when 'asc' then '>' else '<' end)
  end);
  v_text := replace(v_text, '{order}', format('%1$s %2$s, f.id %2$s', v_time, v_direction));
  return replace(v_text, '{time}', v_time);
end
$$;
comment on function app.write_inbox_sql(app.inbox_query, text) is
  'A statement on public.feedback f, whose parameter $1 is the query. {scope}: organisation, location and time of '
  'receipt; {match}: facet tokens, words and what was read; {beyond}: after the position; {order} and {time}: of the sort order.';

create or replace function app.estimate_selection(
  p_organization_id uuid, p_location text, p_project_ids uuid[], p_groups jsonb) returns app.inbox_estimate
language plpgsql stable set search_path = ''
as $$
declare
  v_prefix constant text := app.get_facet_prefix(p_organization_id, p_location);
  -- feedback_counts counts open and done items of the inbox apart.
  v_locations constant text[] := case when p_location = 'inbox' then '{inbox,done}' else array[p_location] end;
  v_estimate app.inbox_estimate;
  v_own numeric;
  v_group jsonb;
  v_any tsquery;
  v_n numeric;
begin
  select coalesce(sum(c.n), 0),
    coalesce(sum(c.n) filter (where p_project_ids is null or c.project_id = any (p_project_ids)), 0)
  into v_estimate.total, v_own
  from public.feedback_counts c
  where c.organization_id = p_organization_id and c.location = any (v_locations) and c.facet = '';
  if v_own <= 0 then return null; end if;
  v_estimate.least := v_own;
  v_estimate.share := v_own / v_estimate.total;
  v_estimate.is_visitor := false;
  for v_group in select g.value from jsonb_array_elements(p_groups) as g (value) loop
    select (string_agg('''' || replace(replace(v_prefix || g.facet, '\', '\\'), '''', '''''') || '''', ' | '))::tsquery
    into v_any from jsonb_array_elements_text(v_group) as g (facet);
    v_estimate.facets := case when v_estimate.facets is null then v_any else v_estimate.facets && v_any end;
    -- Tokens of visitors and projects are not counted. A visitor has few items.
    if left(v_group ->> 0, 1) = 'v' then v_estimate.is_visitor := true; end if;
    if left(v_group ->> 0, 1) in ('v', 'j') then continue; end if;
    select coalesce(sum(c.n), 0) into v_n from public.feedback_counts c
    where c.organization_id = p_organization_id and c.location = any (v_locations)
      and c.facet in (select jsonb_array_elements_text(v_group))
      and (p_project_ids is null or c.project_id = any (p_project_ids));
    if v_n <= 0 then return null; end if;
    v_estimate.least := least(v_estimate.least, v_n);
    v_estimate.share := v_estimate.share * least(1, v_n / v_own);
  end loop;
  return v_estimate;
end
$$;
comment on function app.estimate_selection(uuid, text, uuid[], jsonb) is
  'How many items match groups of facet tokens, one token of each group; null: none. From feedback_counts, as if the '
  'groups were independent of each other.';

drop function if exists app.read_feedback_in_order(app.inbox_query, integer);
create or replace function app.read_feedback_in_order(p_query app.inbox_query, p_share numeric, p_limit integer)
returns app.inbox_reading
language plpgsql stable set search_path = ''
as $$
declare
  c_first constant integer := least(400, p_query.row_budget);
  v_query app.inbox_query := p_query;
  v_read app.inbox_reading;
  v_found integer := 0;
  v_rows integer;
  v_row record;
begin
  v_read.ids := '{}';
  v_read.times := '{}';
  v_read.seen := 0;
  v_read.is_complete := true;
  execute app.write_inbox_sql(v_query,
    'select {time} from public.feedback f where {scope} and {beyond} order by {order} limit 1')
    into v_read.first_at using v_query;
  foreach v_rows in array array[c_first, p_query.row_budget - c_first] loop
    exit when v_rows <= 0;
    for v_row in execute app.write_inbox_sql(v_query,
      'select w.id, w.at from (
         select f.id, {time} as at, {match} as is_match from public.feedback f
         where {scope} and {beyond} order by {order} limit $2
       ) w where w.is_match limit $3') using v_query, v_rows, p_limit - v_found
    loop
      v_read.ids := v_read.ids || v_row.id;
      v_read.times := v_read.times || v_row.at;
      v_found := v_found + 1;
    end loop;
    if v_found >= p_limit then return v_read; end if;
    execute app.write_inbox_sql(v_query,
      'select {time} as at, f.id from public.feedback f where {scope} and {beyond} order by {order} offset $2 limit 1')
      into v_row using v_query, v_rows - 1;
    if v_row.id is null then return v_read; end if;
    v_query.after_at := v_row.at;
    v_query.after_id := v_row.id;
    v_read.seen := v_read.seen + v_rows;
    exit when v_read.seen + (p_limit - v_found) / greatest(greatest(v_found, 0.5) / v_read.seen, p_share) > p_query.row_budget;
  end loop;
  v_read.last_at := v_query.after_at;
  v_read.last_id := v_query.after_id;
  v_read.is_complete := false;
  return v_read;
end
$$;
comment on function app.read_feedback_in_order(app.inbox_query, numeric, integer) is
  'First strategy, for selections that many items match: reads an index in order and leaves out the items that do not '
  'match. 400 rows first; up to the row budget if their matches, or p_share, the expected share of matches (0: unknown), promise '
  'to fill the page. Incomplete: another strategy continues after last_at and last_id.';

create or replace function app.collect_feedback(p_query app.inbox_query, p_limit integer)
returns table (id uuid, at timestamptz)
language plpgsql stable set search_path = ''
as $$
begin
  -- Materialized, and by facet tokens and words alone, so that no plan reads another index from end to end.
  return query execute app.write_inbox_sql(p_query,
    'with found as materialized (
       select f.organization_id, f.location, f.id, f.created_at, f.updated_at from public.feedback f where {match}
     )
     select f.id, {time} from found f where {scope} and {beyond} order by {order} limit $2') using p_query, p_limit;
end
$$;
comment on function app.collect_feedback(app.inbox_query, integer) is
  'Second strategy, for selections that few items match and for the order of updates: finds all of them by the index '
  'of facet tokens and words, then sorts them.';

create or replace function app.walk_feedback(
  p_query app.inbox_query, p_read app.inbox_reading, p_total numeric, p_share numeric, p_limit integer)
returns table (id uuid, at timestamptz)
language plpgsql stable set search_path = ''
as $$
declare
  -- So few remaining items are read at once: each further time span would be another search of the index.
  c_rest constant integer := least(1000, p_query.row_budget);
  c_prefix constant text := app.get_facet_prefix(p_query.organization_id, p_query.location);
  v_is_up constant boolean := p_query.sort = 'oldest';
  v_query app.inbox_query := p_query;
  v_found integer := 0;
  v_seen numeric := p_read.seen;
  -- Rows per second.
  v_rate numeric := p_read.seen / greatest(abs(extract(epoch from p_read.first_at - p_read.last_at)), 1);
  v_span interval := make_interval(secs => least(3 * p_limit / p_share / v_rate, 3e9)::double precision);
  -- Times of receipt where a search begins and ends, and where all items end.
  v_begin timestamptz := p_query.after_at;
  v_edge timestamptz;
  v_end timestamptz;
  v_bits integer;
  v_block bigint;
  v_slice tsquery;
  v_before integer;
  v_row record;
begin
  execute app.write_inbox_sql(p_query,
    'select f.created_at from public.feedback f where {scope} order by f.created_at '
      || case when v_is_up then 'desc' else 'asc' end || ' limit 1')
    into v_end using p_query;
  -- After a burst, such as an import, the first rows are far closer together than the others. Counted by their rate, all that is left would
  -- soon look like few rows, and be read at once.
  v_rate := least(v_rate, p_total / greatest(abs(extract(epoch from p_read.first_at - v_end)), 1));
  loop
    -- To the end of a block of time: the search reads whole blocks anyway.
    v_bits := case when v_span > make_interval(secs => 24 * 65536) then 20 else 16 end;
    v_edge := case when v_is_up then v_query.after_at + v_span else v_query.after_at - v_span end;
    v_block := extract(epoch from v_edge)::bigint >> v_bits;
    v_edge := case when v_is_up
      then app.get_block_start(v_block + 1, v_bits) - interval '1 microsecond' else app.get_block_start(v_block, v_bits) end;
    v_slice := app.make_time_query(c_prefix, least(v_begin, v_edge), greatest(v_begin, v_edge));
    v_query.facets := coalesce(p_query.facets && v_slice, p_query.facets, v_slice);
    v_before := v_found;
    for v_row in execute app.write_inbox_sql(v_query,
      'with found as materialized (
         select f.organization_id, f.location, f.id, f.created_at, f.updated_at from public.feedback f where {match}
       )
       select f.id, {time} as at from found f
       where {scope} and {beyond} and f.created_at ' || case when v_is_up then '<=' else '>=' end || ' $2
       order by {order} limit $3') using v_query, v_edge, p_limit - v_found
    loop
      id := v_row.id;
      at := v_row.at;
      return next;
      v_found := v_found + 1;
    end loop;
    exit when v_found >= p_limit or (v_is_up and v_edge >= v_end) or (not v_is_up and v_edge <= v_end);
    v_span := greatest(v_edge, v_query.after_at) - least(v_edge, v_query.after_at);
    v_seen := v_seen + v_rate * extract(epoch from v_span);
    v_query.after_at := v_edge;
    v_query.after_id := case when v_is_up then 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
      else '00000000-0000-0000-0000-000000000000' end;
    v_begin := case when v_is_up then v_edge + interval '1 microsecond' else v_edge - interval '1 microsecond' end;
    v_span := case
      when p_total * (cardinality(p_read.ids) + v_found + 1) / v_seen <= c_rest then make_interval(secs => 3e9)
      -- As long as the rest should take by what this span had, and half as long again.
      else v_span * case when v_found = v_before then 6
        else least(greatest(1.5 * (p_limit - v_found) / (v_found - v_before), 1), 16) end
    end;
  end loop;
end
$$;
comment on function app.walk_feedback(app.inbox_query, app.inbox_reading, numeric, numeric, integer) is
  'Third strategy, for selections that more items match than can be sorted, but too rarely to be found in order: '
  'finds the items of one time span after another, by facet tokens of time blocks. Continues what was read in order, '
  'whose density of items sets the first span; no span is shorter than the one before.';

-- Row-level security keeps a search by words or facet tokens from using its index, because its operator may not run before
-- the policy's check (it is not leakproof). So the search runs here, past the policies, after the same check.
drop function if exists app.find_feedback(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, text, timestamptz, uuid,
  integer);
create or replace function app.find_feedback(
  p_organization_id uuid, p_location text, p_project_ids uuid[], p_groups jsonb, p_words text,
  p_from timestamptz, p_to timestamptz, p_is_unread boolean, p_sort text, p_after_at timestamptz, p_after_id uuid,
  p_limit integer)
returns table (id uuid, at timestamptz)
language plpgsql stable security definer set search_path = ''
-- Both hold for the strategies too. Without the second, a plan may sort all rows instead of reading an index in order.
set enable_seqscan = off
set enable_sort = off
as $$
declare
  -- A test sets it low, so that few items need every strategy.
  c_row_budget constant integer := coalesce(nullif(current_setting('app.inbox_rows', true), ''), '6000');
  c_most_rows constant integer := 10 * c_row_budget;
  v_estimate app.inbox_estimate;
  v_query app.inbox_query;
  v_read app.inbox_reading;
  v_is_few boolean;
  -- The known share of matches, before any row is read.
  v_share numeric := 0;
begin
  if p_organization_id not in (select app.visible_organization_ids())
    and not app.is_key_selection(p_organization_id, p_project_ids)
  then return; end if;
  v_estimate := app.estimate_selection(p_organization_id, p_location, p_project_ids, p_groups);
  if v_estimate.total is null then return; end if;
  v_query.organization_id := p_organization_id;
  v_query.location := p_location;
  v_query.facets := v_estimate.facets;
  v_query.words := p_words::tsquery;
  v_query.from_at := app.get_search_start(p_organization_id, p_from, p_is_unread);
  v_query.to_at := coalesce(p_to, 'infinity');
  v_query.unread_for := case when p_is_unread then auth.uid() end;
  v_query.sort := p_sort;
  v_query.after_at := p_after_at;
  v_query.after_id := p_after_id;
  v_query.row_budget := c_row_budget;

  v_is_few := v_estimate.is_visitor
    or v_estimate.least <= least(2500, c_row_budget) and v_estimate.least < p_limit / v_estimate.share;
  if not v_is_few then
    -- What else there is for the order of updates is to collect and sort all matches. So as many rows are read first: after a change of
    -- thousands of items at once, the latest may all be without a match. The share says nothing of words, times and what is unread.
    if p_sort = 'updated' and coalesce(p_words, p_from::text, p_to::text) is null and not p_is_unread then
      v_query.row_budget := greatest(c_row_budget, least(v_estimate.total * v_estimate.share, c_most_rows));
      v_share := v_estimate.share;
    end if;
    v_read := app.read_feedback_in_order(v_query, v_share, p_limit);
    v_query.row_budget := c_row_budget;
    return query select r.id, r.at from unnest(v_read.ids, v_read.times) as r (id, at);
    if v_read.is_complete then return; end if;
    v_query.after_at := v_read.last_at;
    v_query.after_id := v_read.last_id;
    p_limit := p_limit - cardinality(v_read.ids);
    v_estimate.share := least(v_estimate.share, (cardinality(v_read.ids) + 1)::numeric / greatest(v_read.seen, 1));
  end if;

  if v_is_few or p_sort = 'updated' or v_estimate.total * v_estimate.share <= least(1000, c_row_budget) then
    return query select c.id, c.at from app.collect_feedback(v_query, p_limit) as c;
  else
    return query select w.id, w.at
    from app.walk_feedback(v_query, v_read, v_estimate.total, v_estimate.share, p_limit) as w;
  end if;
end
$$;
comment on function app.find_feedback(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, text, timestamptz,
  uuid, integer) is
  'The next items of a selection in an order, for members of the organisation, and for an API key that asks for its '
  'own project. p_groups: lists of facet tokens without their prefix; an item matches one of each list. p_is_unread: only items that the caller has not read, of '
  'those that came after app.get_read_until; the others are in app.list_unread_exceptions.';
grant execute on function app.find_feedback(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, text,
  timestamptz, uuid, integer) to authenticated, earshot_api_key;

drop function if exists app.count_matches(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, integer);
create or replace function app.count_matches(
  p_organization_id uuid, p_location text, p_project_ids uuid[], p_groups jsonb, p_words text,
  p_from timestamptz, p_to timestamptz, p_is_unread boolean, p_limit integer)
returns integer
language plpgsql stable security definer set search_path = ''
set enable_seqscan = off
as $$
declare
  v_estimate app.inbox_estimate;
  v_query app.inbox_query;
  v_count integer;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then return 0; end if;
  v_estimate := app.estimate_selection(p_organization_id, p_location, p_project_ids, p_groups);
  if v_estimate.total is null then return 0; end if;
  v_query.organization_id := p_organization_id;
  v_query.location := p_location;
  v_query.facets := v_estimate.facets;
  v_query.words := p_words::tsquery;
  v_query.from_at := app.get_search_start(p_organization_id, p_from, p_is_unread);
  v_query.to_at := coalesce(p_to, 'infinity');
  v_query.unread_for := case when p_is_unread then auth.uid() end;
  v_query.sort := 'newest';
  execute app.write_inbox_sql(v_query,
    'select count(*) from (select from public.feedback f where {match} and {scope} limit $2) m')
    into v_count using v_query, p_limit;
  return v_count;
end
$$;
comment on function app.count_matches(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, integer) is
  'How many items a selection has, for members of the organisation; counting ends at the limit. Arguments as of '
  'app.find_feedback.';
grant execute on function app.count_matches(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, integer)
  to authenticated;

create or replace function app.count_groups(
  p_organization_id uuid, p_location text, p_project_ids uuid[], p_groups jsonb, p_words text,
  p_from timestamptz, p_to timestamptz, p_is_unread boolean, p_by text, p_zone text, p_limit integer)
returns table (value text, n bigint)
language plpgsql stable security definer set search_path = ''
set enable_seqscan = off
as $$
declare
  v_estimate app.inbox_estimate;
  v_query app.inbox_query;
  v_value constant text := case p_by
    when 'status' then 'f.status'
    when 'priority' then 'f.priority'
    when 'type' then 'f.type'
    when 'assignee' then 'coalesce(f.assignee_user_id::text, ''none'')'
    when 'project' then 'f.project_id::text'
    when 'day' then format('to_char(f.created_at at time zone %L, ''YYYY-MM-DD'')', p_zone)
  end;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then return; end if;
  v_estimate := app.estimate_selection(p_organization_id, p_location, p_project_ids, p_groups);
  if v_estimate.total is null then return; end if;
  v_query.organization_id := p_organization_id;
  v_query.location := p_location;
  v_query.facets := v_estimate.facets;
  v_query.words := p_words::tsquery;
  v_query.from_at := app.get_search_start(p_organization_id, p_from, p_is_unread);
  v_query.to_at := coalesce(p_to, 'infinity');
  v_query.unread_for := case when p_is_unread then auth.uid() end;
  v_query.sort := 'newest';
  -- Days end with the latest that are counted whole; other values are counted in any order.
  return query execute app.write_inbox_sql(v_query, format(
    'select m.value, count(*) from (
       select %s as value from public.feedback f where {match} and {scope} %s limit $2) m
     group by m.value', v_value, case when p_by = 'day' then 'order by {order}' end))
    using v_query, p_limit;
end
$$;
comment on function app.count_groups(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, text, text, integer) is
  'How many items of a selection have each value of p_by, for members of the organisation: status, priority, type, assignee '
  '(or none), project, or day of receipt in the time zone. Counting ends at the limit. Other arguments as of '
  'app.find_feedback.';
grant execute on function
  app.count_groups(uuid, text, uuid[], jsonb, text, timestamptz, timestamptz, boolean, text, text, integer) to authenticated;

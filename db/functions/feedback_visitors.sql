-- Visitors: list and search.

create or replace function app.list_visitor_keys(p_organization_id uuid, p_key text) returns text[]
language sql stable set search_path = ''
as $$
  with known as (
    -- Addresses are keys in small letters; an id that looks like one may have capitals.
    select coalesce(
      (select v.key from public.visitors v where v.organization_id = p_organization_id and v.key = p_key),
      -- API keys read no visitors, but the items of their project.
      (select f.visitor_id from public.feedback f
       where f.organization_id = p_organization_id and f.visitor_id = p_key limit 1),
      case when p_key like '%@%' then lower(p_key) else p_key end) as key
  ),
  root as (
    select coalesce(j.root_key, k.key) as key
    from known k
    left join public.visitor_joins j
      on j.organization_id = p_organization_id and j.part_key = k.key and j.separated_at is null
  )
  select array[r.key] || array(
    select j.part_key from public.visitor_joins j
    where j.organization_id = p_organization_id and j.root_key = r.key and j.separated_at is null
    order by j.joined_at, j.part_key)
  from root r
$$;
comment on function app.list_visitor_keys(uuid, text) is
  'Keys of a visitor, by any of them: the one under which all are shown, then its parts.';
grant execute on function app.list_visitor_keys(uuid, text) to authenticated, service_role, earshot_api_key;

drop function if exists app.list_visitors(uuid, text, timestamptz, text, integer);
create or replace function app.list_visitors(
  p_organization_id uuid, p_pattern text, p_sort text, p_before_count integer, p_before timestamptz, p_before_key text,
  p_limit integer)
returns setof public.visitors
language plpgsql stable security definer set search_path = ''
as $$
declare
  -- The column before the time in comparisons and orders; empty for the plain order.
  v_count text := case p_sort when 'items' then 'v.items, ' when 'unanswered' then 'v.unanswered_items, ' else '' end;
  v_order text := replace(v_count, ', ', ' desc, ') || 'v.last_seen_at desc, v.key desc';
  v_after text := case
    when p_before is null then ''
    else format(' and (%sv.last_seen_at, v.key) < (%s$3, $4)', v_count, case when v_count = '' then '' else '$5, ' end)
  end;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then
    return;
  end if;
  -- Planned for the values by EXECUTE: the best plan depends on how many match.
  if p_pattern is null then
    return query execute format($q$
    select v.* from public.visitors v
    where v.organization_id = $1 %s
      and not exists (
        select from public.visitor_joins j
        where j.organization_id = v.organization_id and j.part_key = v.key and j.separated_at is null)
    order by %s limit $6
    $q$, v_after, v_order) using p_organization_id, p_pattern, p_before, p_before_key, p_before_count, p_limit;
  else
    return query execute format($q$
    select v.* from (
      (select v.* from public.visitors v
       where v.organization_id = $1 and v.search like $2 %1$s
         and not exists (
           select from public.visitor_joins j
           where j.organization_id = v.organization_id and j.part_key = v.key and j.separated_at is null)
       order by %2$s limit $6)
      union
      -- Visitors of whom a part matches.
      (select v.* from public.visitors p
       join public.visitor_joins j
         on j.organization_id = p.organization_id and j.part_key = p.key and j.separated_at is null
       join public.visitors v on v.organization_id = j.organization_id and v.key = j.root_key
       where p.organization_id = $1 and p.search like $2 %1$s
       order by %2$s limit $6)
    ) as v
    order by %2$s limit $6
    $q$, v_after, v_order) using p_organization_id, p_pattern, p_before, p_before_key, p_before_count, p_limit;
  end if;
end
$$;
comment on function app.list_visitors(uuid, text, text, integer, timestamptz, text, integer) is
  'Visitors of an organisation for its members; parts of another stand under that one. p_pattern: as LIKE takes it; null: '
  'all. p_sort: items or unanswered, most first, last seen first among equals; anything else: last seen first. '
  'p_before_count, p_before, p_before_key: where the page before ended.';
grant execute on function app.list_visitors(uuid, text, text, integer, timestamptz, text, integer) to authenticated;

create or replace function app.mark_changed_visitors() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.visitor_marks (organization_id, key)
  select distinct n.organization_id, coalesce(n.visitor_id, lower(n.visitor_email))
  from changed n
  join former o on o.organization_id = n.organization_id and o.id = n.id
  where coalesce(n.visitor_id, n.visitor_email) is not null
    and (n.location, n.status, n.last_reply_by, n.rating) is distinct from (o.location, o.status, o.last_reply_by, o.rating);
  return null;
end
$$;
comment on function app.mark_changed_visitors() is
  'Marks the visitors whose sums a change of items affects. The visitor of an item never changes. Marks for new items '
  'are not needed: a subscriber counts their visitors, so that ingest pays nothing.';
create or replace trigger mark_changed_visitors after update on public.feedback
  referencing old table as former new table as changed
  for each statement execute function app.mark_changed_visitors();

create or replace function app.mark_deleted_visitors() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.visitor_marks (organization_id, key)
  select distinct o.organization_id, coalesce(o.visitor_id, lower(o.visitor_email)) from former o
  where coalesce(o.visitor_id, o.visitor_email) is not null;
  return null;
end
$$;
comment on function app.mark_deleted_visitors() is 'Marks the visitors whose items were permanently deleted.';
create or replace trigger mark_deleted_visitors after delete on public.feedback
  referencing old table as former
  for each statement execute function app.mark_deleted_visitors();

drop function if exists app.find_visitor_addresses(uuid, text, integer);
create or replace function app.find_visitor_addresses(p_organization_id uuid, p_keys text[], p_newest integer)
returns text[]
language sql stable security definer set search_path = ''
as $$
  select array_agg(distinct a.address)
  from unnest(p_keys) as k (key)
  cross join lateral (
    select lower(k.key) as address
    union all
    (select lower(f.visitor_email) from public.feedback f
     where f.organization_id = p_organization_id and f.visitor_id = k.key and f.visitor_email is not null
     order by f.created_at desc limit p_newest)
  ) as a
$$;
comment on function app.find_visitor_addresses(uuid, text[], integer) is
  'Addresses that the newest items under each of these keys claim, and the keys themselves. Anyone can type an address: '
  'they prove nothing. Does not check the caller.';
grant execute on function app.find_visitor_addresses(uuid, text[], integer) to service_role;

drop function if exists app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer);
create or replace function app.list_visitor_feedback(
  p_organization_id uuid, p_key text, p_before_created_at timestamptz, p_before_id uuid, p_limit integer,
  p_with_claimed boolean)
returns table (id uuid, created_at timestamptz)
-- A page. With the default of 1000 rows, items are joined by reading the whole table.
language plpgsql stable security definer rows 50 set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_keys text[];
  v_own_addresses text[];
  v_addresses text[];
  v_project_id uuid;
  v_share integer;
  v_since timestamptz;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then
    select k.project_id into v_project_id from app.key_projects() k where k.organization_id = p_organization_id;
    if not found then
      return;
    end if;
  end if;
  -- Joins and claimed addresses may come from items of another project.
  v_keys := case when v_project_id is null then app.list_visitor_keys(p_organization_id, p_key) else array[p_key] end;
  v_own_addresses := array(select lower(k.key) from unnest(v_keys) as k (key));
  v_addresses := case when p_with_claimed and v_project_id is null then app.find_visitor_addresses(p_organization_id, v_keys, 1000)
    else v_own_addresses end;
  -- An id that many people share claims hundreds of addresses, each with as many items as a page. A few of each are enough to
  -- know a time since which there are as many as the page takes: only those since then are read.
  v_share := ceil(p_limit::numeric / greatest(cardinality(v_addresses), 1));
  loop
    exit when v_share >= p_limit;
    select found.created_at into v_since
    from unnest(v_addresses) as a (address)
    cross join lateral (
      select f.created_at from public.feedback f
      where f.organization_id = p_organization_id and lower(f.visitor_email) = a.address
        and (f.visitor_id is null or a.address = any (v_own_addresses))
        and (v_project_id is null or f.project_id = v_project_id)
        and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
      order by f.created_at desc, f.id desc limit v_share
    ) as found
    order by found.created_at desc offset p_limit - 1 limit 1;
    exit when found;
    v_share := v_share * 4;
  end loop;
  return query
  select both_ways.id, both_ways.created_at
  from (
    (select found.id, found.created_at
     from unnest(v_keys) as k (key)
     cross join lateral (
       select f.id, f.created_at from public.feedback f
       where f.organization_id = p_organization_id and f.visitor_id = k.key
         and (v_project_id is null or f.project_id = v_project_id)
         and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
       order by f.created_at desc, f.id desc limit p_limit
     ) as found)
    union
    (select found.id, found.created_at
     from unnest(v_addresses) as a (address)
     cross join lateral (
       select f.id, f.created_at from public.feedback f
       where f.organization_id = p_organization_id and lower(f.visitor_email) = a.address
         and (f.visitor_id is null or a.address = any (v_own_addresses))
         and (v_project_id is null or f.project_id = v_project_id)
         and (p_before_created_at is null or (f.created_at, f.id) < (p_before_created_at, p_before_id))
         and f.created_at >= coalesce(v_since, '-infinity')
       order by f.created_at desc, f.id desc limit p_limit
     ) as found)
  ) as both_ways
  order by both_ways.created_at desc, both_ways.id desc
  limit p_limit;
end
$$;
comment on function app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer, boolean) is
  'Newest items of a visitor and of the parts, in any location and project: items under an id, and items from an address '
  'that is a key. p_with_claimed: also items without an id from an address that an item under an id claims, which may be '
  'other people''s. For members of the organisation, and for API keys: those get items of their project that carry the key.';
grant execute on function app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer, boolean)
  to authenticated, earshot_api_key;

create or replace function app.list_key_visitors(
  p_pattern text, p_before timestamptz, p_before_key text, p_limit integer)
returns setof public.visitors
language plpgsql stable security definer set search_path = ''
set plan_cache_mode = force_custom_plan
as $$
declare
  v_organization_id uuid;
  v_project_id uuid;
begin
  select k.organization_id, k.project_id into v_organization_id, v_project_id from app.key_projects() k;
  if not found then
    return;
  end if;
  return query
  with page as materialized (
    select coalesce(f.visitor_id, lower(f.visitor_email)) as key, min(f.created_at) as first_at, max(f.created_at) as last_at
    from public.feedback f
    where f.organization_id = v_organization_id and f.project_id = v_project_id
      and coalesce(f.visitor_id, f.visitor_email) is not null
    group by coalesce(f.visitor_id, lower(f.visitor_email))
    having (p_before is null
        or (max(f.created_at), coalesce(f.visitor_id, lower(f.visitor_email))) < (p_before, p_before_key))
      and (p_pattern is null or bool_or(lower(
        concat(' ', coalesce(f.visitor_id, f.visitor_email), ' ', f.visitor_email, ' ', f.visitor_name)) like p_pattern))
    order by max(f.created_at) desc, coalesce(f.visitor_id, lower(f.visitor_email)) desc
    limit p_limit
  )
  select v_organization_id, p.key, s.visitor_id, s.email, s.name, s.is_verified, p.first_at, p.last_at, '', s.items,
    s.open_items, s.unanswered_items, s.last_rating
  from page p
  cross join lateral (
    -- As in visitor-sums.queries.ts and note-visitors.queries.ts, of one project.
    select max(o.visitor_id) as visitor_id,
      (array_agg(o.visitor_email order by o.created_at desc) filter (where o.visitor_email is not null))[1] as email,
      (array_agg(o.visitor_name order by o.created_at desc) filter (where o.visitor_name is not null))[1] as name,
      bool_or(o.visitor_verified) as is_verified, least(count(*), 1000)::integer as items,
      least(count(*) filter (where o.is_open), 1000)::integer as open_items,
      least(count(*) filter (where o.is_open and (o.last_reply_by = 'visitor'
        or o.last_reply_by is null and coalesce(o.visitor_email, '') <> '')), 1000)::integer as unanswered_items,
      (array_agg(o.rating order by o.created_at desc) filter (where o.rating is not null))[1] as last_rating
    from (
      (select f.*, f.location = 'inbox' and f.status in ('new', 'open', 'in_progress') as is_open from public.feedback f
       where f.organization_id = v_organization_id and f.project_id = v_project_id and f.visitor_id = p.key
       order by f.created_at desc limit 1000)
      union all
      (select f.*, f.location = 'inbox' and f.status in ('new', 'open', 'in_progress') as is_open from public.feedback f
       where f.organization_id = v_organization_id and f.project_id = v_project_id and lower(f.visitor_email) = p.key
         and f.visitor_id is null
       order by f.created_at desc limit 1000)
    ) as o
  ) as s
  order by p.last_at desc, p.key desc;
end
$$;
comment on function app.list_key_visitors(text, timestamptz, text, integer) is
  'Visitors of the calling API key''s project, last seen first, as that project''s items tell. Joins do not count: they may '
  'come from items of another project. p_pattern: as LIKE takes it; null: all. p_before, p_before_key: where the page '
  'before ended. Reads the visitor columns of all items of the project.';
grant execute on function app.list_key_visitors(text, timestamptz, text, integer) to earshot_api_key;

drop policy if exists visitor_joins_select on public.visitor_joins;
create policy visitor_joins_select on public.visitor_joins for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));

-- The server compares values in exports, imports and saved views itself: server/features/feedback/visitors.
drop function if exists app.forget_copies(uuid, text[]);

drop policy if exists visitor_marks_service on app.visitor_marks;
create policy visitor_marks_service on app.visitor_marks to service_role using (id is not null) with check (id is not null);

-- Visitors: list and search.

create or replace function app.list_visitors(
  p_organization_id uuid, p_pattern text, p_before timestamptz, p_before_key text, p_limit integer)
returns setof public.visitors
language plpgsql stable security definer set search_path = ''
-- The best plan depends on how many match: plan for the values.
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
  'Visitors of an organisation, last seen first, for its members. p_pattern: as LIKE takes it; null: all.';
grant execute on function app.list_visitors(uuid, text, timestamptz, text, integer) to authenticated;

create or replace function app.find_visitor_addresses(p_organization_id uuid, p_key text, p_newest integer) returns text[]
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
  'Addresses of a visitor, by the newest items under their id; the key itself is one of them. Does not check the '
  'caller.';
grant execute on function app.find_visitor_addresses(uuid, text, integer) to service_role;

create or replace function app.list_visitor_feedback(
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
  'Newest items of a visitor in any location and project: items under their id, items from an address that is the '
  'key, and items without an id from an address that was used under the id. For members of the organisation.';
grant execute on function app.list_visitor_feedback(uuid, text, timestamptz, uuid, integer) to authenticated;

-- The server compares values in exports, imports and saved views itself: server/features/feedback/visitors.
drop function if exists app.forget_copies(uuid, text[]);

-- What each member has read: an item is unread while its visitor has written after what the member has seen.

create or replace function app.get_read_until(p_organization_id uuid) returns timestamptz
language sql stable security definer set search_path = ''
as $$
  select coalesce((
    select m.feedback_read_until from public.memberships m
    where m.organization_id = p_organization_id and m.user_id = auth.uid()), 'infinity')
$$;
comment on function app.get_read_until(uuid) is
  'What the caller has seen of items without a row in feedback_reads. Infinity: no member, for whom nothing is unread.';
grant execute on function app.get_read_until(uuid) to authenticated, service_role;

create or replace function app.list_unread_exceptions(p_organization_id uuid) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select r.feedback_id from public.feedback_reads r
  where r.organization_id = p_organization_id and r.user_id = auth.uid() and r.seen_at = '-infinity'
  union
  select f.id from public.feedback f
  where f.organization_id = p_organization_id and f.visitor_wrote_at > app.get_read_until(p_organization_id)
    and p_organization_id in (select app.visible_organization_ids())
$$;
comment on function app.list_unread_exceptions(uuid) is
  'Items from before app.get_read_until that may be unread for the caller: marked as unread, or with later words of '
  'their visitor. Few: app.compact_feedback_reads bounds the first, and visitors rarely write again.';
grant execute on function app.list_unread_exceptions(uuid) to authenticated;

create or replace function app.count_unread(
  p_organization_id uuid, p_location text, p_statuses text[], p_project_ids uuid[], p_limit integer)
returns integer
language plpgsql stable security definer set search_path = ''
-- Ranges of an index in order: counting ends at the limit.
set enable_seqscan = off
set enable_sort = off
as $$
declare
  v_user constant uuid := auth.uid();
  v_until constant timestamptz := app.get_read_until(p_organization_id);
  v_deleted constant uuid[] := app.deleted_project_ids();
  v_since integer;
  v_before integer;
begin
  if p_organization_id not in (select app.visible_organization_ids()) then return 0; end if;
  select count(*) into v_since from (
    select from public.feedback f
    where f.organization_id = p_organization_id and f.location = p_location and f.created_at > v_until
      and (p_statuses is null or f.status = any (p_statuses))
      and (p_project_ids is null or f.project_id = any (p_project_ids)) and f.project_id <> all (v_deleted)
      and not exists (
        select from public.feedback_reads r
        where r.organization_id = f.organization_id and r.feedback_id = f.id and r.user_id = v_user
          and r.seen_at >= coalesce(f.visitor_wrote_at, f.created_at))
    limit p_limit
  ) unread;
  if v_since = p_limit then return p_limit; end if;
  select count(*) into v_before
  from app.list_unread_exceptions(p_organization_id) as e (id)
  join public.feedback f on f.organization_id = p_organization_id and f.id = e.id
  left join public.feedback_reads r
    on r.organization_id = f.organization_id and r.feedback_id = f.id and r.user_id = v_user
  where f.location = p_location and f.created_at <= v_until
    and (p_statuses is null or f.status = any (p_statuses))
    and (p_project_ids is null or f.project_id = any (p_project_ids)) and f.project_id <> all (v_deleted)
    and coalesce(f.visitor_wrote_at, f.created_at) > coalesce(r.seen_at, v_until);
  return least(v_since + v_before, p_limit);
end
$$;
comment on function app.count_unread(uuid, text, text[], uuid[], integer) is
  'How many items of a location are unread for the caller, with one of the statuses and of the projects where those are '
  'given; counting ends at the limit.';
grant execute on function app.count_unread(uuid, text, text[], uuid[], integer) to authenticated;

create or replace function app.compact_feedback_reads(p_rows integer, p_unread integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  -- Submissions that began before this time are stored by now.
  c_until constant timestamptz := now() - interval '1 hour';
  v_count integer := 0;
  v record;
begin
  for v in
    select m.organization_id, m.user_id, m.feedback_read_until as former
    from (
      select r.organization_id, r.user_id from public.feedback_reads r where r.seen_at > '-infinity'
      group by 1, 2 having count(*) > p_rows
    ) many
    join public.memberships m on m.organization_id = many.organization_id and m.user_id = many.user_id
    where m.feedback_read_until < c_until
    order by 1, 2
  loop
    insert into public.feedback_reads as r (organization_id, feedback_id, user_id, seen_at)
    select f.organization_id, f.id, v.user_id, '-infinity'
    from public.feedback f
    left join public.feedback_reads o
      on o.organization_id = f.organization_id and o.feedback_id = f.id and o.user_id = v.user_id
    where f.organization_id = v.organization_id and f.created_at <= c_until
      and (f.created_at > v.former or f.visitor_wrote_at > v.former)
      and coalesce(f.visitor_wrote_at, f.created_at) > coalesce(o.seen_at, v.former)
    order by f.created_at desc limit p_unread
    on conflict (organization_id, feedback_id, user_id) do update set seen_at = '-infinity';
    delete from public.feedback_reads r
    using public.feedback f
    where r.organization_id = v.organization_id and r.user_id = v.user_id and r.seen_at > '-infinity'
      -- Undo needs them.
      and r.operation_id is null
      and f.organization_id = r.organization_id and f.id = r.feedback_id
      and coalesce(f.visitor_wrote_at, f.created_at) <= c_until;
    update public.memberships m set feedback_read_until = c_until
    where m.organization_id = v.organization_id and m.user_id = v.user_id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function app.compact_feedback_reads(integer, integer) is
  'Moves feedback_read_until on for members with more rows than p_rows: read items lose their rows, and unread ones get '
  'a row, at most p_unread, the newest. So what a member has read costs no more the longer they are here.';
grant execute on function app.compact_feedback_reads(integer, integer) to service_role;

drop policy if exists feedback_reads_own on public.feedback_reads;
create policy feedback_reads_own on public.feedback_reads to authenticated
  using (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()))
  with check (organization_id in (select app.visible_organization_ids()) and user_id = (select auth.uid()));

-- A user's own organisations: list, selection, creation, and where a link leads.

drop function if exists app.list_own_organizations(text, text, uuid, integer);
create or replace function app.list_own_organizations(p_query text, p_after_name text, p_after_id uuid, p_limit integer)
returns table (
  id uuid, name text, slug text, role text, delete_after timestamptz, suspended_at timestamptz, sort_name text)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.name, o.slug, m.role, o.delete_after, o.suspended_at, lower(o.name)
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = auth.uid()
    and app.is_usable_account(m.user_id)
    -- Those that are being removed have left the list.
    and (o.delete_after is null or o.delete_after > now())
    and (p_query = '' or strpos(lower(o.name), lower(p_query)) > 0 or strpos(o.slug, lower(p_query)) > 0)
    and (p_after_id is null or (lower(o.name), o.id) > (p_after_name, p_after_id))
  order by lower(o.name), o.id
  limit p_limit
$$;
comment on function app.list_own_organizations(text, text, uuid, integer) is
  'The caller''s organisations by name, closed and suspended ones among them, after a position.';
grant execute on function app.list_own_organizations(text, text, uuid, integer) to authenticated;

create or replace function app.select_organization(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  update public.memberships m set selected_at = now()
  where m.organization_id = p_id and m.user_id = auth.uid() and app.is_usable_account(m.user_id);
  return found;
end
$$;
comment on function app.select_organization(uuid) is
  'Notes that the caller switched to the organisation, for the next sign-in. False: they are no member.';
grant execute on function app.select_organization(uuid) to authenticated;

create or replace function app.create_own_organization(p_id uuid, p_name text, p_limit_a_day integer) returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_user_id uuid := auth.uid();
  v_known public.organizations;
begin
  -- One at a time for each user, so that the limit is exact.
  perform from auth.users u where u.id = v_user_id and app.is_usable_account(u.id) for no key update;
  if not found then
    raise exception 'no such account' using errcode = 'insufficient_privilege';
  end if;
  select o.* into v_known from public.organizations o where o.id = p_id;
  if found then
    return case when v_known.created_by = v_user_id and v_known.name = p_name then 'replayed' else 'reused' end;
  end if;
  if p_limit_a_day <= (
    select count(*) from public.organizations o where o.created_by = v_user_id and o.created_at > now() - interval '1 day')
  then
    return 'too_many';
  end if;
  begin
    perform app.create_organization_for(v_user_id, p_name, p_id);
  exception when unique_violation then
    -- Another user has taken the id since it was looked up.
    return 'reused';
  end;
  return 'created';
end
$$;
comment on function app.create_own_organization(uuid, text, integer) is
  'Creates an organisation of the caller''s, as sign-up does. Outcomes: created, replayed (the id is its own from an '
  'earlier request), reused (the id is another organisation''s), too_many (within 24 hours).';
grant execute on function app.create_own_organization(uuid, text, integer) to authenticated;

create or replace function app.find_own_organization_of(p_feedback_id uuid, p_project_id uuid)
returns table (id uuid, name text)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.name
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = auth.uid()
    and app.is_usable_account(m.user_id)
    and o.closed_at is null
    and exists (
      select from public.projects p
      where p.organization_id = o.id and p.deleted_at is null and p.id = coalesce(p_project_id, (
        select f.project_id from public.feedback f where f.organization_id = o.id and f.id = p_feedback_id)))
  limit 1
$$;
comment on function app.find_own_organization_of(uuid, uuid) is
  'Which of the caller''s organisations has the item or the project that a link names; no row: none.';
grant execute on function app.find_own_organization_of(uuid, uuid) to authenticated;

-- Members: their list, their last activity, leaving; what an owner changes of an organisation.

-- Sorting --------------------------------------------------------------------------------------------------------------
create or replace function app.name_for_lists(p_full_name text, p_email text) returns text
language sql immutable set search_path = ''
as $$
  select lower(left(coalesce(nullif(p_full_name, ''), p_email), 200))
$$;
comment on function app.name_for_lists(text, text) is 'What a person is sorted by in lists: the name, or the address without one.';

create or replace function app.list_member_by_name() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.listed_as := coalesce(
    (select app.name_for_lists(p.full_name, p.email) from public.profiles p where p.user_id = new.user_id), '');
  return new;
end
$$;
comment on function app.list_member_by_name() is 'Sorts a new member by the name in the profile.';
create or replace trigger list_member_by_name before insert on public.memberships
  for each row execute function app.list_member_by_name();

create or replace function app.on_profile_renamed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.memberships m set listed_as = app.name_for_lists(new.full_name, new.email) where m.user_id = new.user_id;
  return null;
end
$$;
comment on function app.on_profile_renamed() is 'Sorts a renamed person by the new name, in all organisations.';
create or replace trigger on_profile_renamed after update of full_name, email on public.profiles
  for each row when (app.name_for_lists(old.full_name, old.email) <> app.name_for_lists(new.full_name, new.email))
  execute function app.on_profile_renamed();

create or replace function app.list_members(
  p_organization_id uuid, p_words text, p_after_name text, p_after_id uuid, p_limit integer)
returns table (
  user_id uuid, name text, email text, role text, avatar_url text, joined_at timestamptz, last_active_at timestamptz,
  listed_as text)
language sql stable security definer set search_path = ''
as $$
  select m.user_id, coalesce(nullif(p.full_name, ''), p.email), p.email, m.role, p.avatar_url, m.joined_at,
    a.last_active_at, m.listed_as
  from public.memberships m
  join public.profiles p on p.user_id = m.user_id
  left join public.member_activity a
    on a.organization_id = m.organization_id and a.user_id = m.user_id
    and p_organization_id in (select app.owned_organization_ids())
  where m.organization_id = p_organization_id
    and p_organization_id in (select app.visible_organization_ids())
    -- Defaults below all rows, so that every page is one range of the index.
    and (m.listed_as, m.user_id) > (
      coalesce(p_after_name, ''), coalesce(p_after_id, '00000000-0000-0000-0000-000000000000'))
    and (p_words = '' or strpos(m.listed_as, lower(p_words)) > 0 or strpos(lower(p.email), lower(p_words)) > 0)
  order by m.listed_as, m.user_id
  limit p_limit
$$;
comment on function app.list_members(uuid, text, text, uuid, integer) is
  'A page of an organisation''s members by name; p_words is contained in the name or the address. Only '
  'owners read when members were last active. A function, because policies would look up every colleague for each page.';
grant execute on function app.list_members(uuid, text, text, uuid, integer) to authenticated;

-- Activity -------------------------------------------------------------------------------------------------------------
create or replace function app.record_activity(p_user_id uuid, p_organization_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  insert into public.member_activity as a (organization_id, user_id)
  select m.organization_id, m.user_id
  from public.memberships m
  where m.organization_id = p_organization_id and m.user_id = p_user_id
  on conflict (organization_id, user_id) do update set last_active_at = excluded.last_active_at
    where a.last_active_at < excluded.last_active_at - interval '10 minutes'
$$;
comment on function app.record_activity(uuid, uuid) is 'Notes that a member works in an organisation; nothing for others.';
grant execute on function app.record_activity(uuid, uuid) to authenticator;

-- Leaving --------------------------------------------------------------------------------------------------------------
create or replace function app.leave_organization(p_organization_id uuid) returns void
language sql volatile security definer set search_path = ''
as $$
  delete from public.memberships m
  where m.organization_id = p_organization_id and m.user_id = auth.uid()
    and p_organization_id in (select app.visible_organization_ids())
$$;
comment on function app.leave_organization(uuid) is
  'Ends the caller''s own membership, if there is one. Refused at commit for the only owner.';
grant execute on function app.leave_organization(uuid) to authenticated;

-- Name, slug and logo ----------------------------------------------------------------------------------------------------
create or replace function app.record_organization_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_before constant jsonb := jsonb_build_object('name', old.name, 'slug', old.slug, 'mailsHoldWords', old.mails_hold_words);
  v_after constant jsonb := jsonb_build_object('name', new.name, 'slug', new.slug, 'mailsHoldWords', new.mails_hold_words);
begin
  perform app.write_event(new.id, 'organization.updated', array[new.id], (
    select jsonb_build_object('before', jsonb_object_agg(b.key, b.value), 'after', jsonb_object_agg(b.key, v_after -> b.key))
    from jsonb_each(v_before) b
    where b.value <> v_after -> b.key));
  return null;
end
$$;
comment on function app.record_organization_change() is 'Records which settings of an organisation changed, and how.';
create or replace trigger record_organization_change after update on public.organizations
  for each row when ((old.name, old.slug, old.mails_hold_words) is distinct from (new.name, new.slug, new.mails_hold_words))
  execute function app.record_organization_change();

create or replace function app.record_logo_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_organization_id constant uuid := coalesce(new.organization_id, old.organization_id);
begin
  -- With its organisation the logo is deleted too: nothing is left to tell.
  if exists (select from public.organizations o where o.id = v_organization_id) then
    perform app.write_event(v_organization_id, 'organization.updated', array[v_organization_id],
      jsonb_build_object('before', jsonb_build_object('logoId', old.id), 'after', jsonb_build_object('logoId', new.id)));
  end if;
  return null;
end
$$;
comment on function app.record_logo_change() is 'Records that an organisation has another logo, or none.';
create or replace trigger record_logo_change after insert or update or delete on public.organization_logos
  for each row execute function app.record_logo_change();

create or replace function app.find_logo(p_id uuid) returns table (mime text, bytes bytea)
language sql stable security definer set search_path = ''
as $$
  select l.mime, l.bytes from public.organization_logos l where l.id = p_id
$$;
comment on function app.find_logo(uuid) is 'A logo by its id. The id is unguessable, so a URL that contains it is enough.';
grant execute on function app.find_logo(uuid) to authenticator;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists member_activity_select on public.member_activity;
create policy member_activity_select on public.member_activity for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists organization_logos_select on public.organization_logos;
create policy organization_logos_select on public.organization_logos for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists organization_logos_change on public.organization_logos;
create policy organization_logos_change on public.organization_logos to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));

-- Who may see and do what; functions that browsers call.

-- What a person may see ----------------------------------------------------------------------------------------------
create or replace function app.is_usable_account(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- Google confirms addresses itself; its users have a confirmation time too.
  select exists (
    select from auth.users u
    where u.id = p_user_id
      and u.email_confirmed_at is not null
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now()))
$$;
comment on function app.is_usable_account(uuid) is 'Whether the account is confirmed, not deleted and not banned.';

-- An access token outlives its session by up to an hour. After a sign-out, the functions that browsers call refuse it.
create or replace function app.is_usable_session() returns boolean
language sql stable security definer set search_path = ''
as $$
  select app.is_usable_account(auth.uid())
    and exists (
      select from auth.sessions s
      -- As text, so that a malformed claim is compared and not cast.
      where s.user_id = auth.uid() and s.id::text = auth.jwt() ->> 'session_id')
$$;
comment on function app.is_usable_session() is
  'Whether the caller''s account is confirmed, not deleted and not banned, and the session of its token exists.';
grant execute on function app.is_usable_session() to authenticated;

create or replace function app.visible_organization_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  -- A request names its organisation in app.organization_id; without one (RPC), every membership counts.
  select m.organization_id
  from public.memberships m
  where m.user_id = auth.uid()
    and app.is_usable_account(m.user_id)
    and m.organization_id = coalesce(nullif(current_setting('app.organization_id', true), '')::uuid, m.organization_id)
    and app.is_reachable_organization(m.organization_id, m.role)
  union
  select o.id
  from app.superadmins s
  -- Suspended ones too.
  join public.organizations o on o.id = nullif(current_setting('app.organization_id', true), '')::uuid and o.closed_at is null
  where s.user_id = auth.uid()
    and app.is_usable_account(s.user_id)
$$;
comment on function app.visible_organization_ids() is
  'Organisations whose rows the caller may see: the caller''s own, and for a superadmin the one named by the request. Not '
  'closed ones, which have functions of their own. Suspended ones only for superadmins and for requests that say so.';
grant execute on function app.visible_organization_ids() to authenticated;

create or replace function app.owned_organization_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select v.id
  from app.visible_organization_ids() as v (id)
  where exists (select from public.memberships m where m.organization_id = v.id and m.user_id = auth.uid() and m.role = 'owner')
     or exists (select from app.superadmins s where s.user_id = auth.uid())
$$;
comment on function app.owned_organization_ids() is 'Organisations in which the caller has an owner''s rights.';
grant execute on function app.owned_organization_ids() to authenticated;

create or replace function app.visible_user_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.user_id
  from public.memberships m
  where m.organization_id in (select app.visible_organization_ids())
  union
  select auth.uid()
$$;
comment on function app.visible_user_ids() is 'People whose profile the caller may see: colleagues, and the caller.';
grant execute on function app.visible_user_ids() to authenticated;

drop function if exists app.get_actor(uuid, uuid, uuid);
create or replace function app.get_actor(p_user_id uuid, p_session_id uuid, p_organization_id uuid)
returns table (
  is_known boolean, is_verified boolean, is_banned boolean, is_superadmin boolean,
  organization_exists boolean, organization_is_closed boolean, organization_is_suspended boolean, membership_role text)
language sql stable security definer set search_path = ''
as $$
  select
    u.deleted_at is null and exists (select from auth.sessions s where s.id = p_session_id and s.user_id = u.id),
    u.email_confirmed_at is not null,
    u.banned_until is not null and u.banned_until > now(),
    exists (select from app.superadmins s where s.user_id = u.id),
    o.id is not null,
    o.closed_at is not null,
    o.suspended_at is not null,
    (select m.role from public.memberships m where m.organization_id = p_organization_id and m.user_id = u.id)
  from auth.users u
  left join public.organizations o on o.id = p_organization_id
  where u.id = p_user_id
$$;
comment on function app.get_actor(uuid, uuid, uuid) is
  'What the guard needs to know about the caller, in one read: a sign-out, a ban or a change of role takes effect '
  'with the next call, even if the access token is still valid.';
grant execute on function app.get_actor(uuid, uuid, uuid) to authenticator;

-- An organisation always keeps one owner -----------------------------------------------------------------------------
create or replace function app.keep_one_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Of two owners who step down at once, each still sees the other: the lock makes the second wait for the first.
  -- A closed organisation may lose its owners with their accounts: it is removed at the end of its grace.
  perform from public.organizations o where o.id = old.organization_id and o.closed_at is null for update;
  if not found then
    return null;
  end if;
  -- Above READ COMMITTED the second would not see the first one's change: a write to the same row makes it fail instead.
  update public.organizations o set name = o.name where o.id = old.organization_id;
  if not exists (select from public.memberships m where m.organization_id = old.organization_id and m.role = 'owner')
    -- A deleted account may leave an organisation without members; a person who leaves may not.
    and (auth.uid() is not null or exists (select from public.memberships m where m.organization_id = old.organization_id))
  then
    raise exception 'An organisation must keep at least one owner.' using errcode = 'check_violation', constraint = 'memberships_keep_one_owner';
  end if;
  return null;
end
$$;
comment on function app.keep_one_owner() is
  'Refuses a change after which an open organisation has no owner, unless an account without colleagues was deleted.';
drop trigger if exists memberships_keep_one_owner on public.memberships;
create constraint trigger memberships_keep_one_owner
  after update of role or delete on public.memberships
  deferrable initially deferred
  for each row when (old.role = 'owner')
  execute function app.keep_one_owner();

create or replace function app.queue_member_changes() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if auth.uid() is not null then
    perform from public.organizations o where o.id in (select app.visible_organization_ids()) order by o.id for update;
  end if;
  return null;
end
$$;
comment on function app.queue_member_changes() is
  'Lets one person at a time change members of an organisation. Before any row is locked: two who change each other, '
  'each with the other''s row, would otherwise wait for each other at the check of owners.';
create or replace trigger queue_member_changes before update or delete on public.memberships
  for each statement execute function app.queue_member_changes();

-- Who came, went and may do what else ----------------------------------------------------------------------------------
create or replace function app.record_member_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_member jsonb;
begin
  -- The organisation itself is being deleted: no member is left to be told.
  if tg_op = 'DELETE' and exists (
    select from public.organizations o where o.id = old.organization_id and o.delete_after <= now())
  then
    return null;
  end if;
  if tg_op <> 'UPDATE' then
    -- With the name: the account may be deleted before a subscriber reads the event.
    v_member := jsonb_strip_nulls(jsonb_build_object(
      'userId', coalesce(new.user_id, old.user_id),
      'role', coalesce(new.role, old.role),
      'name', (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p
               where p.user_id = coalesce(new.user_id, old.user_id))));
  end if;
  if tg_op = 'INSERT' then
    -- At sign-up no one is signed in yet.
    perform app.write_event(new.organization_id, 'member.joined', array[new.user_id],
      jsonb_build_object('members', jsonb_build_array(v_member)),
      p_actor_user_id => case when auth.uid() is null then new.user_id end);
  elsif tg_op = 'UPDATE' then
    perform app.write_event(new.organization_id, 'member.role_changed', array[new.user_id], jsonb_build_object('members',
      jsonb_build_array(jsonb_build_object('userId', new.user_id, 'from', old.role, 'to', new.role))));
  else
    perform app.write_event(old.organization_id, 'member.removed', array[old.user_id],
      jsonb_build_object('members', jsonb_build_array(v_member)));
  end if;
  return null;
end
$$;
comment on function app.record_member_change() is 'Records who became a member, has another role, or is a member no longer.';
create or replace trigger record_member_arrival after insert or delete on public.memberships
  for each row execute function app.record_member_change();
create or replace trigger record_member_role after update of role on public.memberships
  for each row when (old.role <> new.role) execute function app.record_member_change();

-- The three functions that the browser calls ---------------------------------------------------------------------------
create or replace function public.is_superadmin(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (is_superadmin.user_id = auth.uid() or exists (select from app.superadmins c where c.user_id = auth.uid()))
    and app.is_usable_session()
    and exists (select from app.superadmins s where s.user_id = is_superadmin.user_id),
    false)
$$;
comment on function public.is_superadmin(uuid) is
  'Whether that user is a superadmin. About other users, only superadmins get true.';
grant execute on function public.is_superadmin(uuid) to authenticated, service_role;

create or replace function app.organization_rows(p_user_id uuid)
returns table (
  organization_id uuid, organization_name text, organization_slug text, organization_created_at timestamptz,
  organization_trial_ends_at timestamptz, organization_subscription_status text, organization_subscription_plan_id uuid,
  membership_user_id uuid, membership_role text, membership_joined_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select o.id, o.name, o.slug, o.created_at, o.trial_ends_at, o.subscription_status, o.subscription_plan_id,
         m.user_id, m.role, m.joined_at
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = p_user_id
    and o.closed_at is null
    and (o.suspended_at is null or exists (select from app.superadmins s where s.user_id = auth.uid()))
    -- p_user_id is the browser's: a stranger's rows look as if they did not exist.
    and (p_user_id = auth.uid() or exists (select from app.superadmins s where s.user_id = auth.uid()))
    and app.is_usable_session()
$$;
comment on function app.organization_rows(uuid) is 'A user''s open organisations, for that user and for superadmins, who alone get suspended ones.';

create or replace function public.get_user_organization_by_id(p_org_id uuid, p_user_id uuid)
returns table (
  organization_id uuid, organization_name text, organization_slug text, organization_created_at timestamptz,
  organization_trial_ends_at timestamptz, organization_subscription_status text, organization_subscription_plan_id uuid,
  membership_user_id uuid, membership_role text, membership_joined_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select r.* from app.organization_rows(p_user_id) r where r.organization_id = p_org_id
$$;
comment on function public.get_user_organization_by_id(uuid, uuid) is 'One organisation of the user, or no row.';
grant execute on function public.get_user_organization_by_id(uuid, uuid) to authenticated, service_role;

create or replace function public.get_user_current_organization(p_user_id uuid)
returns table (
  organization_id uuid, organization_name text, organization_slug text, organization_created_at timestamptz,
  organization_trial_ends_at timestamptz, organization_subscription_status text, organization_subscription_plan_id uuid,
  membership_user_id uuid, membership_role text, membership_joined_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select r.* from app.organization_rows(p_user_id) r
  join public.memberships m on m.organization_id = r.organization_id and m.user_id = r.membership_user_id
  order by m.selected_at desc nulls last, r.membership_joined_at, r.organization_id
  limit 1
$$;
comment on function public.get_user_current_organization(uuid) is
  'The organisation that the user last switched to, else joined first, or no row.';
grant execute on function public.get_user_current_organization(uuid) to authenticated, service_role;

-- Policies ------------------------------------------------------------------------------------------------------------

drop policy if exists organizations_select on public.organizations;
create policy organizations_select on public.organizations for select to authenticated
  using (id in (select app.visible_organization_ids()));
drop policy if exists organizations_update on public.organizations;
create policy organizations_update on public.organizations for update to authenticated
  using (id in (select app.owned_organization_ids())) with check (id in (select app.owned_organization_ids()));
drop policy if exists organizations_delete on public.organizations;

drop policy if exists memberships_select on public.memberships;
create policy memberships_select on public.memberships for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
drop policy if exists memberships_update on public.memberships;
create policy memberships_update on public.memberships for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
drop policy if exists memberships_delete on public.memberships;
create policy memberships_delete on public.memberships for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));

drop policy if exists profiles_select on public.profiles;
create policy profiles_select on public.profiles for select to authenticated using (user_id in (select app.visible_user_ids()));

drop policy if exists superadmins_service on app.superadmins;
create policy superadmins_service on app.superadmins to service_role using (user_id is not null) with check (user_id is not null);

drop policy if exists invitations_select on public.invitations;
create policy invitations_select on public.invitations for select to authenticated
  using (organization_id in (select app.owned_organization_ids()));
drop policy if exists invitations_insert on public.invitations;
create policy invitations_insert on public.invitations for insert to authenticated
  with check (organization_id in (select app.owned_organization_ids()) and invited_by = auth.uid());
drop policy if exists invitations_update on public.invitations;
create policy invitations_update on public.invitations for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));

drop policy if exists avatars_own on public.avatars;
create policy avatars_own on public.avatars to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));

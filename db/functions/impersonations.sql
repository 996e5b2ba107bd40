-- Impersonations: begun, checked at every call, ended.

create or replace function app.start_impersonation(
  p_id uuid, p_superadmin_id uuid, p_session_id uuid, p_user_id uuid, p_reason text, p_mode text, p_minutes integer)
returns text
language plpgsql security definer set search_path = ''
as $$
declare
  v_confirmed_at timestamptz;
  v_banned_until timestamptz;
begin
  -- The account's ban or its right as superadmin waits for this, or is seen below.
  select u.email_confirmed_at, u.banned_until into v_confirmed_at, v_banned_until
  from auth.users u where u.id = p_user_id and u.deleted_at is null for share;
  if not found then
    return null;
  end if;
  if p_user_id = p_superadmin_id then
    return 'own';
  end if;
  if exists (select from app.superadmins s where s.user_id = p_user_id) then
    return 'superadmin';
  end if;
  if v_confirmed_at is null then
    return 'unconfirmed';
  end if;
  if v_banned_until > now() then
    return 'banned';
  end if;
  insert into app.impersonations (id, superadmin_id, superadmin_session_id, user_id, reason, mode, expires_at)
  values (p_id, p_superadmin_id, p_session_id, p_user_id, p_reason, p_mode, now() + make_interval(mins => p_minutes))
  on conflict (id) do nothing;
  if found then
    return 'started';
  end if;
  -- A retry gets its first row, unless that was something else or has ended.
  return (
    select case
      when (i.superadmin_id, i.superadmin_session_id, i.user_id, i.reason, i.mode, i.expires_at)
        = (p_superadmin_id, p_session_id, p_user_id, p_reason, p_mode, i.created_at + make_interval(mins => p_minutes))
        and i.ended_at is null and i.expires_at > now()
      then 'repeated' else 'taken' end
    from app.impersonations i where i.id = p_id);
end
$$;
comment on function app.start_impersonation(uuid, uuid, uuid, uuid, text, text, integer) is
  'Begins an impersonation. Returns started; repeated: a retry of the same; taken: the id is of another; own, superadmin, '
  'unconfirmed or banned: refused; null: there is no such account.';
grant execute on function app.start_impersonation(uuid, uuid, uuid, uuid, text, text, integer) to service_role;

create or replace function app.find_impersonation_end(p app.impersonations) returns text
language sql stable security definer set search_path = ''
as $$
  select case
    when p.ended_at is not null then p.end_reason
    when p.expires_at <= now() then 'expired'
    when not exists (select from app.superadmins s where s.user_id = p.superadmin_id) then 'superadmin_lost_right'
    when not app.is_usable_account(p.superadmin_id) then 'superadmin_lost_right'
    when not exists (
      select from auth.sessions s where s.id = p.superadmin_session_id and s.user_id = p.superadmin_id)
    then 'superadmin_signed_out'
    when exists (select from app.superadmins s where s.user_id = p.user_id) then 'user_became_superadmin'
    when not app.is_usable_account(p.user_id) then 'user_unusable'
  end
$$;
comment on function app.find_impersonation_end(app.impersonations) is
  'Why an impersonation is over, whether or not that was noted yet. Null: it is not.';

create or replace function app.get_impersonation(p_id uuid)
returns table (expires_at timestamptz, email text, name text, user_metadata jsonb)
language sql stable security definer set search_path = ''
as $$
  select i.expires_at, coalesce(u.email, ''), coalesce(p.full_name, ''), coalesce(u.raw_user_meta_data, '{}')
  from app.impersonations i
  join auth.users u on u.id = i.user_id
  left join public.profiles p on p.user_id = i.user_id
  where i.id = p_id
$$;
comment on function app.get_impersonation(uuid) is 'Who is impersonated and until when, as the tab shows it that does so.';
grant execute on function app.get_impersonation(uuid) to service_role;

create or replace function app.find_organization_of(p_user_id uuid, p_organization_id uuid)
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
  where m.user_id = p_user_id and o.closed_at is null and (p_organization_id is null or o.id = p_organization_id)
  order by m.selected_at desc nulls last, m.joined_at, o.id
  limit 1
$$;
comment on function app.find_organization_of(uuid, uuid) is
  'What get_user_organization_by_id and get_user_current_organization answer to the user, for an impersonation.';
grant execute on function app.find_organization_of(uuid, uuid) to service_role;

drop function if exists app.get_impersonated_actor(uuid, uuid, uuid, uuid, text, uuid);
create or replace function app.get_impersonated_actor(
  p_id uuid, p_superadmin_id uuid, p_session_id uuid, p_user_id uuid, p_mode text, p_organization_id uuid)
returns table (
  organization_exists boolean, organization_is_closed boolean, organization_is_suspended boolean, membership_role text)
language sql stable security definer set search_path = ''
as $$
  select
    exists (select from public.organizations o where o.id = p_organization_id),
    exists (select from public.organizations o where o.id = p_organization_id and o.closed_at is not null),
    exists (select from public.organizations o where o.id = p_organization_id and o.suspended_at is not null),
    (select m.role from public.memberships m where m.organization_id = p_organization_id and m.user_id = i.user_id)
  from app.impersonations i
  where i.id = p_id and i.superadmin_id = p_superadmin_id and i.superadmin_session_id = p_session_id
    and i.user_id = p_user_id and i.mode = p_mode
    and app.find_impersonation_end(i) is null
$$;
comment on function app.get_impersonated_actor(uuid, uuid, uuid, uuid, text, uuid) is
  'What the guard needs to know about an impersonated caller, in one read, as app.get_actor tells of others. No row: the '
  'impersonation is over. So its end takes effect with the next call in every process.';
grant execute on function app.get_impersonated_actor(uuid, uuid, uuid, uuid, text, uuid) to authenticator;

create or replace function app.end_impersonations(p_ids uuid[], p_reason text default null) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_origin constant jsonb := coalesce(nullif(current_setting('app.origin', true), ''), '{}')::jsonb;
  -- Who ends it: a superadmin by a call of their own, or by the token of the impersonation.
  v_actor_id constant uuid := coalesce(v_origin ->> 'impersonatorId',
    case when v_origin ->> 'kind' = 'superadmin' then v_origin ->> 'userId' end)::uuid;
  v_row app.impersonations;
  v_reason text;
  v_count integer := 0;
begin
  for v_row in
    select * from app.impersonations i where i.id = any (p_ids) and i.ended_at is null order by i.id for update
  loop
    v_reason := coalesce(app.find_impersonation_end(v_row), p_reason);
    continue when v_reason is null;
    update app.impersonations i
    set ended_at = case when v_reason = 'expired' then i.expires_at else now() end, end_reason = v_reason
    where i.id = v_row.id;
    insert into public.audit_log (organization_id, actor_kind, actor_user_id, actor_name, action, category, target_type,
      target_id, target_name, after, ip, user_agent, request_id, cause, impersonation_id)
    select '00000000-0000-0000-0000-000000000000', case when v_actor_id is null then 'system' else 'superadmin' end,
      v_actor_id, (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.user_id = v_actor_id),
      'user.impersonation_ended', 'superadmin', 'user', v_row.user_id,
      (select p.email from public.profiles p where p.user_id = v_row.user_id),
      jsonb_build_object('end', v_reason), (v_origin ->> 'ip')::inet, v_origin ->> 'userAgent', v_origin ->> 'requestId',
      v_origin ->> 'job', v_row.id;
    -- Open streams of live events ask again whether they may go on.
    perform app.send_live_message(m.organization_id, 'access.changed', array[v_row.user_id])
    from public.memberships m where m.user_id = v_row.user_id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function app.end_impersonations(uuid[], text) is
  'Notes the end of impersonations with an entry in the log of the instance, and tells open streams. Without a reason, only '
  'of those that are over already. Returns how many it ended.';
grant execute on function app.end_impersonations(uuid[], text) to service_role;

create or replace function app.end_finished_impersonations() returns integer
language sql security definer set search_path = ''
as $$
  -- Few are open at a time.
  select app.end_impersonations(array(select i.id from app.impersonations i where i.ended_at is null))
$$;
comment on function app.end_finished_impersonations() is 'Notes the end of all impersonations that are over.';
grant execute on function app.end_finished_impersonations() to service_role;

create or replace function app.prune_impersonations(p_limit integer) returns integer
language plpgsql security definer set search_path = ''
as $$
declare
  v_deleted integer;
begin
  delete from app.impersonations i using (
    select o.id from app.impersonations o
    where o.ended_at is not null and o.created_at < now() - make_interval(
      days => (select s.audit_retention_days from app.instance_settings s))
    limit p_limit for update skip locked) old
  where i.id = old.id;
  get diagnostics v_deleted = row_count;
  return v_deleted;
end
$$;
comment on function app.prune_impersonations(integer) is
  'Deletes impersonations as old as the entries of the audit log that are deleted, at most so many.';
grant execute on function app.prune_impersonations(integer) to service_role;

create or replace function app.on_superadmin_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Impersonations that are still good stay: app.end_impersonations decides by their state now.
  perform app.end_impersonations(array(
    select i.id from app.impersonations i
    where i.ended_at is null
      and coalesce(new.user_id, old.user_id) in (i.user_id, i.superadmin_id)));
  return null;
end
$$;
comment on function app.on_superadmin_changed() is
  'Ends impersonations by someone who is no longer superadmin, and of someone who has become superadmin.';
create or replace trigger on_superadmin_changed after insert or delete on app.superadmins
  for each row execute function app.on_superadmin_changed();

create or replace function app.list_impersonations(p_user_id uuid, p_limit integer)
returns table (
  id uuid, superadmin_id uuid, superadmin_name text, reason text, mode text, created_at timestamptz,
  expires_at timestamptz, ended_at timestamptz, end_reason text)
language sql stable security definer set search_path = ''
as $$
  select i.id, i.superadmin_id,
    (select coalesce(nullif(p.full_name, ''), p.email) from public.profiles p where p.user_id = i.superadmin_id),
    i.reason, i.mode, i.created_at, i.expires_at,
    -- Over, and not noted yet.
    coalesce(i.ended_at, case when app.find_impersonation_end(i) is not null then least(now(), i.expires_at) end),
    app.find_impersonation_end(i)
  from app.impersonations i
  where i.user_id = p_user_id
  order by i.created_at desc, i.id desc
  limit p_limit
$$;
comment on function app.list_impersonations(uuid, integer) is
  'Impersonations of a user for superadmins, the latest first. Names are null once the account is deleted.';
grant execute on function app.list_impersonations(uuid, integer) to service_role;

-- New tables: see the end of app.sql, which ran before this file.
call app.add_system_policies();

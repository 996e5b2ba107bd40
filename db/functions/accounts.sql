-- Accounts, as superadmins see and change them.

create or replace function app.on_account_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if new.deleted_at is not null then
    delete from app.accounts a where a.user_id = new.id;
    return null;
  end if;
  insert into app.accounts as a (user_id, search, created_at, confirmed_at, banned_until)
  values (
    new.id,
    -- As profiles have it.
    lower(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200)
      || ' ' || coalesce(new.email, '')),
    coalesce(new.created_at, now()), new.email_confirmed_at, new.banned_until)
  on conflict (user_id) do update
    set search = excluded.search, confirmed_at = excluded.confirmed_at, banned_until = excluded.banned_until;
  return null;
end
$$;
comment on function app.on_account_changed() is 'Keeps what superadmins list in step with the accounts.';
create or replace trigger on_account_created after insert on auth.users
  for each row execute function app.on_account_changed();
create or replace trigger on_account_changed
  after update of email, raw_user_meta_data, email_confirmed_at, banned_until, deleted_at on auth.users
  for each row execute function app.on_account_changed();

create or replace function app.describe_accounts(p_user_ids uuid[])
returns table (
  user_id uuid, email text, name text, created_at timestamptz, confirmed_at timestamptz, banned_until timestamptz,
  last_sign_in_at timestamptz, last_active_at timestamptz, organization_count integer, session_count integer,
  is_superadmin boolean)
language sql stable security definer set search_path = ''
as $$
  select u.id, coalesce(u.email, ''), coalesce(p.full_name, ''), u.created_at, u.email_confirmed_at,
    case when u.banned_until > now() then u.banned_until end, u.last_sign_in_at,
    (select max(a.last_active_at) from public.member_activity a where a.user_id = u.id),
    (select count(*)::integer from public.memberships m where m.user_id = u.id),
    (select count(*)::integer from auth.sessions s where s.user_id = u.id),
    exists (select from app.superadmins s where s.user_id = u.id)
  from auth.users u
  left join public.profiles p on p.user_id = u.id
  where u.id = any (p_user_ids) and u.deleted_at is null
$$;
comment on function app.describe_accounts(uuid[]) is 'A page of accounts for superadmins. banned_until is null once a ban has ended.';
grant execute on function app.describe_accounts(uuid[]) to service_role;

create or replace function app.list_sessions_of(p_user_id uuid)
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at), s.user_agent, host(s.ip)
  from auth.sessions s
  where s.user_id = p_user_id
  order by 3 desc, s.id
  limit 50
$$;
comment on function app.list_sessions_of(uuid) is 'Signed-in devices of an account for superadmins, last used first.';
grant execute on function app.list_sessions_of(uuid) to service_role;

create or replace function app.has_password(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(u.encrypted_password, '') <> '' from auth.users u where u.id = p_user_id
$$;
comment on function app.has_password(uuid) is
  'For superadmins: whether an account has a password, or signs in by another way alone.';
grant execute on function app.has_password(uuid) to service_role;

create or replace function app.ban_account(p_user_id uuid, p_until timestamptz) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  -- A new superadmin's row waits for this one, or is seen below.
  perform from auth.users u where u.id = p_user_id and u.deleted_at is null for update;
  if not found then
    return null;
  end if;
  if exists (select from app.superadmins s where s.user_id = p_user_id) then
    return 'superadmin';
  end if;
  update auth.users u set banned_until = p_until, updated_at = now() where u.id = p_user_id;
  delete from auth.sessions s where s.user_id = p_user_id;
  return 'banned';
end
$$;
comment on function app.ban_account(uuid, timestamptz) is
  'Bans an account and ends its sessions. Returns banned; superadmin: refused; null: there is no such account.';
grant execute on function app.ban_account(uuid, timestamptz) to service_role;

create or replace function app.unban_account(p_user_id uuid) returns boolean
language sql security definer set search_path = ''
as $$
  update auth.users u set banned_until = null, updated_at = now()
  where u.id = p_user_id and u.deleted_at is null and u.banned_until is not null
  returning true
$$;
comment on function app.unban_account(uuid) is 'Lifts a ban. Null: there is none.';
grant execute on function app.unban_account(uuid) to service_role;

create or replace function app.confirm_account(p_user_id uuid) returns boolean
language sql security definer set search_path = ''
as $$
  with confirmed as (
    update auth.users u
    set email_confirmed_at = now(), updated_at = now(), confirmation_token = '',
        raw_user_meta_data = coalesce(u.raw_user_meta_data, '{}') || '{"email_verified": true}'
    where u.id = p_user_id and u.deleted_at is null and u.email_confirmed_at is null
    returning u.id
  ), proven as (
    update auth.identities i set identity_data = i.identity_data || '{"email_verified": true}', updated_at = now()
    from confirmed c where i.user_id = c.id and i.provider = 'email'
  )
  select true from confirmed
$$;
comment on function app.confirm_account(uuid) is
  'Confirms the address of an account, as its link would. Null: there is no unconfirmed account.';
grant execute on function app.confirm_account(uuid) to service_role;

create or replace function app.end_sessions_of(p_user_id uuid) returns integer
language sql security definer set search_path = ''
as $$
  with ended as (delete from auth.sessions s where s.user_id = p_user_id returning 1)
  select count(*)::integer from ended
$$;
comment on function app.end_sessions_of(uuid) is 'Signs an account out of all devices. Returns of how many.';
grant execute on function app.end_sessions_of(uuid) to service_role;

create or replace function app.grant_superadmin(p_user_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  -- A ban of this account is over, or waits.
  perform from auth.users u where u.id = p_user_id for update;
  if not app.is_usable_account(p_user_id) then
    return false;
  end if;
  insert into app.superadmins (user_id) values (p_user_id) on conflict do nothing;
  return true;
end
$$;
comment on function app.grant_superadmin(uuid) is
  'Makes an account superadmin. False: there is none, or it is unconfirmed or banned.';
grant execute on function app.grant_superadmin(uuid) to service_role;

create or replace function app.revoke_superadmin(p_user_id uuid) returns text
language plpgsql security definer set search_path = ''
as $$
begin
  -- One at a time: of two who remove each other, the second finds that one superadmin is left.
  lock table app.superadmins in share row exclusive mode;
  if not exists (select from app.superadmins s where s.user_id = p_user_id) then
    return null;
  end if;
  if not exists (select from app.superadmins s where s.user_id <> p_user_id and app.is_usable_account(s.user_id)) then
    return 'last';
  end if;
  delete from app.superadmins s where s.user_id = p_user_id;
  return 'revoked';
end
$$;
comment on function app.revoke_superadmin(uuid) is
  'Takes the right of a superadmin away. Returns revoked; last: refused, as no other one can sign in; null: it has none.';
grant execute on function app.revoke_superadmin(uuid) to service_role;

-- What people do with their own account: their picture, their signed-in devices, and leaving.

create table public.avatars (
  user_id uuid primary key references auth.users (id) on delete cascade,
  id uuid not null unique,
  mime text not null check (mime in ('image/webp', 'image/png', 'image/jpeg')),
  bytes bytea not null check (octet_length(bytes) between 1 and 102400),
  created_at timestamptz not null default now()
);
comment on table public.avatars is 'Pictures that people chose of themselves. A new picture gets a new id, so that its address can be cached for ever.';

alter table public.avatars enable row level security;
alter table public.avatars force row level security;
create policy avatars_own on public.avatars to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
grant select, insert, update, delete on public.avatars to authenticated;
grant select, delete on public.avatars to service_role;

create function app.find_avatar(p_id uuid) returns table (mime text, bytes bytea)
language sql stable security definer set search_path = ''
as $$
  select a.mime, a.bytes from public.avatars a where a.id = p_id
$$;
comment on function app.find_avatar(uuid) is 'A picture by its id, which nobody guesses: for whoever was shown its address.';
grant execute on function app.find_avatar(uuid) to authenticator;

create function app.avatar_url_of(p_user_id uuid, p_metadata jsonb) returns text
language sql stable security definer set search_path = ''
as $$
  -- A picture that the person chose here goes before the one of a provider.
  select coalesce(
    (select '/api/v1/avatars/' || a.id from public.avatars a where a.user_id = p_user_id),
    (select v.url from (select p_metadata ->> 'avatar_url' as url) v where v.url ~ '^https://' and char_length(v.url) <= 2000))
$$;
comment on function app.avatar_url_of(uuid, jsonb) is 'Where the person''s picture is; null without one. Other addresses than https are not kept.';

create or replace function app.on_user_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p
  set full_name = nullif(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200), ''),
      email = coalesce(new.email, ''),
      avatar_url = app.avatar_url_of(new.id, new.raw_user_meta_data)
  where p.user_id = new.id;
  return null;
end
$$;

create function app.on_avatar_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p
  set avatar_url = app.avatar_url_of(u.id, u.raw_user_meta_data)
  from auth.users u
  where u.id = coalesce(new.user_id, old.user_id) and p.user_id = u.id;
  return null;
end
$$;
comment on function app.on_avatar_changed() is 'Keeps profiles in step with the pictures.';
create trigger on_avatar_changed after insert or update or delete on public.avatars
  for each row execute function app.on_avatar_changed();

create function app.get_own_account()
returns table (full_name text, email text, avatar_url text, has_password boolean)
language sql stable security definer set search_path = ''
as $$
  select p.full_name, p.email, p.avatar_url, coalesce(u.encrypted_password, '') <> ''
  from auth.users u
  join public.profiles p on p.user_id = u.id
  where u.id = auth.uid()
$$;
comment on function app.get_own_account() is 'The caller''s own account.';
grant execute on function app.get_own_account() to authenticated;

create function app.list_own_sessions()
returns table (id uuid, created_at timestamptz, last_used_at timestamptz, user_agent text, ip text)
language sql stable security definer set search_path = ''
as $$
  select s.id, s.created_at, coalesce(s.refreshed_at at time zone 'UTC', s.created_at), s.user_agent, host(s.ip)
  from auth.sessions s
  where s.user_id = auth.uid() and (s.not_after is null or s.not_after > now())
  order by 3 desc
  limit 200
$$;
comment on function app.list_own_sessions() is 'The caller''s signed-in devices, last used first.';
grant execute on function app.list_own_sessions() to authenticated;

create function app.end_own_session(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = auth.uid();
  return found;
end
$$;
comment on function app.end_own_session(uuid) is 'Signs one of the caller''s devices out; false when it is none of theirs.';
grant execute on function app.end_own_session(uuid) to authenticated;

create function app.delete_own_account(p_email text) returns table (outcome text, organization_names text[])
language plpgsql security definer set search_path = ''
as $$
declare
  v_user_id uuid := auth.uid();
  v_held text[];
begin
  -- Waits for whoever changes the account at this moment.
  perform from auth.users u where u.id = v_user_id and lower(u.email) = lower(trim(p_email)) for update;
  if not found then
    -- Gone already: the same wish, sent twice.
    return query select case when exists (select from auth.users u where u.id = v_user_id) then 'other_address' else 'deleted' end, null::text[];
    return;
  end if;
  -- Nobody joins or leaves these while it is looked whether anybody else is there.
  perform from public.organizations o
  where o.id in (select m.organization_id from public.memberships m where m.user_id = v_user_id)
  order by o.id
  for update;
  select array_agg(o.name order by o.name) into v_held
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = v_user_id
    and m.role = 'owner'
    and exists (
      select from public.memberships other where other.organization_id = m.organization_id and other.user_id <> v_user_id)
    and not exists (
      select from public.memberships other
      where other.organization_id = m.organization_id and other.user_id <> v_user_id and other.role = 'owner');
  if v_held is not null then
    return query select 'last_owner', v_held;
    return;
  end if;
  delete from public.organizations o
  where exists (
      select from public.memberships m where m.organization_id = o.id and m.user_id = v_user_id)
    and not exists (
      select from public.memberships other where other.organization_id = o.id and other.user_id <> v_user_id);
  insert into public.audit_log (organization_id, actor_user_id, action, target_type, target_id)
  values ('00000000-0000-0000-0000-000000000000', v_user_id, 'account.deleted', 'user', v_user_id);
  delete from auth.users u where u.id = v_user_id;
  return query select 'deleted', null::text[];
end
$$;
comment on function app.delete_own_account(text) is
  'Deletes the caller with everything that is theirs alone, organisations included; refused while an organisation with '
  'other members would lose its only owner.';
grant execute on function app.delete_own_account(text) to authenticated;

-- The first confirmed user runs the instance; when that person leaves, the next stranger must not.
alter table app.instance_settings add column has_had_superadmin boolean not null default false;
comment on column app.instance_settings.has_had_superadmin is 'Whether somebody became superadmin by being the first. Happens once.';
update app.instance_settings set has_had_superadmin = exists (select from app.superadmins);

create or replace function app.on_user_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_first boolean;
begin
  -- The first confirmed user of an instance runs it. The row's lock decides between two who confirm at once.
  update app.instance_settings s set has_had_superadmin = true where not s.has_had_superadmin;
  v_is_first := found;
  if v_is_first or lower(new.email) = any (select unnest(s.superadmin_emails) from app.instance_settings s) then
    insert into app.superadmins (user_id) values (new.id) on conflict do nothing;
  end if;
  return null;
end
$$;

call app.add_system_policies();

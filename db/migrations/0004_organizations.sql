-- Organisations, who belongs to them, and what a person may see. Everything else hangs on these.

create table public.organizations (
  id uuid primary key default app.uuid_v7(),
  name text not null check (char_length(name) between 1 and 100),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 80),
  trial_ends_at timestamptz,
  subscription_status text not null default 'self_hosted'
    check (subscription_status in ('trialing', 'active', 'past_due', 'canceled', 'expired', 'self_hosted')),
  subscription_plan_id uuid,
  created_at timestamptz not null default now()
);
comment on table public.organizations is 'A customer: owns projects, has members, pays one subscription.';
comment on column public.organizations.slug is 'The name as it can stand in an address. Unique in the instance.';
comment on column public.organizations.trial_ends_at is 'End of the trial; null where there never was one.';

create table public.memberships (
  organization_id uuid not null references public.organizations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  joined_at timestamptz not null default now(),
  primary key (organization_id, user_id)
);
create index memberships_user_id_idx on public.memberships (user_id, joined_at);
comment on table public.memberships is 'Who belongs to which organisation, in which role.';

create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text,
  email text not null,
  avatar_url text
);
comment on table public.profiles is
  'What members may know of each other. A copy of auth.users kept by trigger, because nobody may read that table.';

create table app.superadmins (
  user_id uuid primary key references auth.users (id) on delete cascade,
  granted_at timestamptz not null default now()
);
comment on table app.superadmins is 'People who run the instance. They hold every permission in every organisation.';

-- What a person may see ----------------------------------------------------------------------------------------------

create function app.is_usable_account(p_user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  -- A provider other than e-mail vouches for the address itself; its users carry a confirmation time as well.
  select exists (
    select from auth.users u
    where u.id = p_user_id
      and u.email_confirmed_at is not null
      and u.deleted_at is null
      and (u.banned_until is null or u.banned_until <= now()))
$$;
comment on function app.is_usable_account(uuid) is 'Whether the account is confirmed, not deleted and not banned.';

create function app.visible_organization_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  -- A request names its organisation in app.organization_id; without one (RPC), every membership counts.
  select m.organization_id
  from public.memberships m
  where m.user_id = auth.uid()
    and app.is_usable_account(m.user_id)
    and m.organization_id = coalesce(nullif(current_setting('app.organization_id', true), '')::uuid, m.organization_id)
  union
  select nullif(current_setting('app.organization_id', true), '')::uuid
  from app.superadmins s
  where s.user_id = auth.uid()
    and app.is_usable_account(s.user_id)
    and nullif(current_setting('app.organization_id', true), '') is not null
$$;
comment on function app.visible_organization_ids() is
  'Organisations whose rows the caller may see: the caller''s own, and for a superadmin the one named by the request.';
grant execute on function app.visible_organization_ids() to authenticated;

create function app.owned_organization_ids() returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select v.id
  from app.visible_organization_ids() as v (id)
  where exists (select from public.memberships m where m.organization_id = v.id and m.user_id = auth.uid() and m.role = 'owner')
     or exists (select from app.superadmins s where s.user_id = auth.uid())
$$;
comment on function app.owned_organization_ids() is 'Organisations in which the caller may do what only an owner may.';
grant execute on function app.owned_organization_ids() to authenticated;

create function app.visible_user_ids() returns setof uuid
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

create function app.get_actor(p_user_id uuid, p_session_id uuid, p_organization_id uuid)
returns table (
  is_known boolean, is_verified boolean, is_banned boolean, is_superadmin boolean,
  organization_exists boolean, membership_role text)
language sql stable security definer set search_path = ''
as $$
  select
    u.deleted_at is null and exists (select from auth.sessions s where s.id = p_session_id and s.user_id = u.id),
    u.email_confirmed_at is not null,
    u.banned_until is not null and u.banned_until > now(),
    exists (select from app.superadmins s where s.user_id = u.id),
    exists (select from public.organizations o where o.id = p_organization_id),
    (select m.role from public.memberships m where m.organization_id = p_organization_id and m.user_id = u.id)
  from auth.users u
  where u.id = p_user_id
$$;
comment on function app.get_actor(uuid, uuid, uuid) is
  'All that the guard before a call must know of the caller, in one read: so that a sign-out, a ban or a change of role '
  'holds from the next call on, however long the access token still lives.';
grant execute on function app.get_actor(uuid, uuid, uuid) to authenticator;

alter table public.organizations enable row level security;
alter table public.organizations force row level security;
create policy organizations_select on public.organizations for select to authenticated
  using (id in (select app.visible_organization_ids()));
create policy organizations_update on public.organizations for update to authenticated
  using (id in (select app.owned_organization_ids())) with check (id in (select app.owned_organization_ids()));
create policy organizations_delete on public.organizations for delete to authenticated
  using (id in (select app.owned_organization_ids()));
grant select, update (name), delete on public.organizations to authenticated;
grant select, insert, update, delete on public.organizations to service_role;

alter table public.memberships enable row level security;
alter table public.memberships force row level security;
create policy memberships_select on public.memberships for select to authenticated
  using (organization_id in (select app.visible_organization_ids()));
create policy memberships_update on public.memberships for update to authenticated
  using (organization_id in (select app.owned_organization_ids()))
  with check (organization_id in (select app.owned_organization_ids()));
create policy memberships_delete on public.memberships for delete to authenticated
  using (organization_id in (select app.owned_organization_ids()));
grant select, update (role), delete on public.memberships to authenticated;
grant select, insert, update, delete on public.memberships to service_role;

alter table public.profiles enable row level security;
alter table public.profiles force row level security;
create policy profiles_select on public.profiles for select to authenticated using (user_id in (select app.visible_user_ids()));
grant select on public.profiles to authenticated, service_role;

alter table app.superadmins enable row level security;
alter table app.superadmins force row level security;
create policy superadmins_service on app.superadmins to service_role using (user_id is not null) with check (user_id is not null);
grant select, insert, delete on app.superadmins to service_role;

-- An organisation always keeps one owner -----------------------------------------------------------------------------

create function app.keep_one_owner() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Two owners who step down at once would each still see the other: the lock makes the second wait for the first.
  perform from public.organizations o where o.id = old.organization_id for update;
  if found
    and exists (select from public.memberships m where m.organization_id = old.organization_id)
    and not exists (select from public.memberships m where m.organization_id = old.organization_id and m.role = 'owner')
  then
    raise exception 'An organisation must keep at least one owner.' using errcode = 'check_violation', constraint = 'memberships_keep_one_owner';
  end if;
  return null;
end
$$;
comment on function app.keep_one_owner() is 'Refuses a change after which an organisation with members has no owner.';
create constraint trigger memberships_keep_one_owner
  after update of role or delete on public.memberships
  deferrable initially deferred
  for each row when (old.role = 'owner')
  execute function app.keep_one_owner();

-- Sign-up ------------------------------------------------------------------------------------------------------------

create function app.make_slug(p_name text) returns text
language sql volatile set search_path = ''
as $$
  select coalesce(nullif(trim(both '-' from left(regexp_replace(lower(p_name), '[^a-z0-9]+', '-', 'g'), 60)), ''), 'organization')
$$;
comment on function app.make_slug(text) is 'The name in lower-case letters, digits and single dashes. Not yet unique.';

create function app.create_organization_for(p_user_id uuid, p_name text) returns uuid
language plpgsql security definer set search_path = ''
as $$
declare
  v_id uuid := app.uuid_v7();
  v_base text := app.make_slug(p_name);
  v_slug text := v_base;
  v_billing boolean := coalesce((select s.billing_enabled from app.instance_settings s), false);
begin
  loop
    insert into public.organizations (id, name, slug, trial_ends_at, subscription_status)
    values (
      v_id, p_name, v_slug,
      case when v_billing then now() + interval '14 days' end,
      case when v_billing then 'trialing' else 'self_hosted' end)
    on conflict (slug) do nothing;
    exit when found;
    v_slug := v_base || '-' || substr(md5(gen_random_uuid()::text), 1, 6);
  end loop;
  insert into public.memberships (organization_id, user_id, role) values (v_id, p_user_id, 'owner');
  return v_id;
end
$$;
comment on function app.create_organization_for(uuid, text) is
  'A new organisation with its first owner; a 14-day trial where the instance bills.';

create function app.on_user_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Metadata is the visitor's own text: strip what a name cannot hold, and never let it refuse a sign-up.
  v_name text := nullif(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'organization_name', ''), '[[:cntrl:]]+', ' ', 'g')), '');
begin
  insert into public.profiles (user_id, full_name, email, avatar_url)
  values (
    new.id,
    nullif(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200), ''),
    coalesce(new.email, ''),
    new.raw_user_meta_data ->> 'avatar_url');
  -- Someone invited joins the inviter's organisation instead.
  if new.invited_at is null then
    perform app.create_organization_for(new.id, left(coalesce(v_name, initcap(split_part(coalesce(new.email, 'My'), '@', 1)) || '''s organisation'), 100));
  end if;
  return null;
end
$$;
comment on function app.on_user_created() is
  'Sign-up makes profile, organisation, owner membership and trial in the transaction that makes the user.';
create trigger on_user_created after insert on auth.users for each row execute function app.on_user_created();

create function app.on_user_changed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.profiles p
  set full_name = nullif(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200), ''),
      email = coalesce(new.email, ''),
      avatar_url = new.raw_user_meta_data ->> 'avatar_url'
  where p.user_id = new.id;
  return null;
end
$$;
comment on function app.on_user_changed() is 'Keeps profiles in step with the accounts they copy.';
create trigger on_user_changed after update of email, raw_user_meta_data on auth.users
  for each row when (old.email is distinct from new.email or old.raw_user_meta_data is distinct from new.raw_user_meta_data)
  execute function app.on_user_changed();

create function app.on_user_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- The first confirmed user of an instance runs it. The lock decides between two who confirm at once.
  perform pg_advisory_xact_lock(hashtext('app.superadmins'));
  if not exists (select from app.superadmins)
    or lower(new.email) = any (select unnest(s.superadmin_emails) from app.instance_settings s)
  then
    insert into app.superadmins (user_id) values (new.id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function app.on_user_confirmed() is
  'Makes the first confirmed user, and those named in SUPERADMIN_EMAILS, superadmins. Confirmed, because an address '
  'that nobody proved to own must not give power.';
create trigger on_user_confirmed_at_creation after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function app.on_user_confirmed();
create trigger on_user_confirmed after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null) execute function app.on_user_confirmed();

-- The three functions that the browser calls ---------------------------------------------------------------------------

create function public.is_superadmin(user_id uuid) returns boolean
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (is_superadmin.user_id = auth.uid() or exists (select from app.superadmins c where c.user_id = auth.uid()))
    and app.is_usable_account(auth.uid())
    and exists (select from app.superadmins s where s.user_id = is_superadmin.user_id),
    false)
$$;
comment on function public.is_superadmin(uuid) is
  'Whether that user is a superadmin. Somebody else''s state is told to superadmins only; everyone else gets false.';
grant execute on function public.is_superadmin(uuid) to authenticated, service_role;

create function app.organization_rows(p_user_id uuid)
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
    -- The subject comes from the caller, so it must be the caller: another's rows are as if they did not exist.
    and (p_user_id = auth.uid() or exists (select from app.superadmins s where s.user_id = auth.uid()))
    and app.is_usable_account(auth.uid())
$$;
comment on function app.organization_rows(uuid) is 'A user''s organisations, for that user and for superadmins.';

create function public.get_user_organization_by_id(p_org_id uuid, p_user_id uuid)
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

create function public.get_user_current_organization(p_user_id uuid)
returns table (
  organization_id uuid, organization_name text, organization_slug text, organization_created_at timestamptz,
  organization_trial_ends_at timestamptz, organization_subscription_status text, organization_subscription_plan_id uuid,
  membership_user_id uuid, membership_role text, membership_joined_at timestamptz)
language sql stable security definer set search_path = ''
as $$
  select r.* from app.organization_rows(p_user_id) r order by r.membership_joined_at, r.organization_id limit 1
$$;
comment on function public.get_user_current_organization(uuid) is 'The organisation that the user joined first, or no row.';
grant execute on function public.get_user_current_organization(uuid) to authenticated, service_role;

-- Accounts: sign-up, profile, picture, devices, deletion.

-- Sign-up ------------------------------------------------------------------------------------------------------------
-- Letters that are written with several Latin ones, and letters that are no Latin ones with a mark. German umlauts are
-- written out before marks are taken off: "Söhne" is "soehne", "René" is "rene".
create or replace function app.transliterate(p_text text) returns text
language plpgsql immutable set search_path = ''
as $$
declare
  v_text text := lower(normalize(p_text, nfc));
  v_several constant text[] := array[
    'ä', 'ae', 'ö', 'oe', 'ü', 'ue', 'ß', 'ss', 'æ', 'ae', 'œ', 'oe', 'ø', 'oe', 'å', 'aa', 'þ', 'th',
    'ж', 'zh', 'х', 'kh', 'ц', 'ts', 'ч', 'ch', 'ш', 'sh', 'щ', 'shch', 'ю', 'yu', 'я', 'ya', 'ё', 'yo', 'є', 'ye', 'ї', 'yi',
    'θ', 'th', 'φ', 'ph', 'χ', 'ch', 'ψ', 'ps'];
begin
  for i in 1 .. array_length(v_several, 1) by 2 loop
    v_text := replace(v_text, v_several[i], v_several[i + 1]);
  end loop;
  -- The marks of all other letters.
  v_text := regexp_replace(normalize(v_text, nfd), '[\u0300-\u036f]', '', 'g');
  return translate(v_text,
    'łđðħıабвгдезийклмнопрстуфыэіґαβγδεζηικλμνξοπρσςτυω' || 'ъь',
    'lddhiabvgdeziiklmnoprstufyeigabgdeziiklmnxoprsstyo');
end
$$;
comment on function app.transliterate(text) is
  'The text in lower case with Latin, Cyrillic and Greek letters as plain Latin ones. Other scripts stay as they are.';

create or replace function app.write_slug(p_text text) returns text
language sql immutable security definer set search_path = ''
as $$
  select nullif(trim(both '-' from left(trim(both '-' from
    regexp_replace(app.transliterate(p_text), '[^a-z0-9]+', '-', 'g')), 60)), '')
$$;
comment on function app.write_slug(text) is
  'The text in lower-case letters, digits and single dashes: "Bar & Söhne" is bar-soehne. Null: nothing is left of it.';
grant execute on function app.write_slug(text) to authenticated, service_role;

create or replace function app.make_slug(p_name text) returns text
language sql volatile set search_path = ''
as $$
  select coalesce(app.write_slug(p_name), 'organization')
$$;
comment on function app.make_slug(text) is 'The slug of a new organisation. Not yet unique.';

-- Its older form, without the id.
drop function if exists app.create_organization_for(uuid, text);
create or replace function app.create_organization_for(p_user_id uuid, p_name text, p_id uuid default app.uuid_v7())
returns void
language plpgsql security definer set search_path = ''
as $$
declare
  v_base text := app.make_slug(p_name);
  v_slug text := v_base;
  v_billing boolean := coalesce((select s.billing_enabled from app.instance_settings s), false);
  v_trial constant interval := '14 days';
begin
  loop
    insert into public.organizations (id, name, slug, created_by, trial_ends_at, subscription_status)
    values (
      p_id, p_name, v_slug, p_user_id,
      case when v_billing then now() + v_trial end,
      case when v_billing then 'trialing' else 'self_hosted' end)
    on conflict (slug) do nothing;
    exit when found;
    v_slug := v_base || '-' || substr(md5(gen_random_uuid()::text), 1, 6);
  end loop;
  insert into public.memberships (organization_id, user_id, role) values (p_id, p_user_id, 'owner');
  perform app.write_event(p_id, 'organization.created', array[p_id], '{}', 'never', p_user_id);
  if v_billing then
    perform app.write_event(p_id, 'trial.started', array[p_id],
      jsonb_build_object('endsAt', to_char((now() + v_trial) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      'never', p_user_id);
  end if;
end
$$;
comment on function app.create_organization_for(uuid, text, uuid) is
  'A new organisation with its first owner; a 14-day trial where the instance bills.';

create or replace function app.on_user_created() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  -- Metadata is the visitor's own text: strip control characters, and never let it refuse a sign-up.
  v_name text := nullif(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'organization_name', ''), '[[:cntrl:]]+', ' ', 'g')), '');
  v_token text := new.raw_user_meta_data ->> 'invitation_token';
begin
  insert into public.profiles (user_id, full_name, email, avatar_url)
  values (
    new.id,
    nullif(left(trim(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]+', ' ', 'g')), 200), ''),
    coalesce(new.email, ''),
    new.raw_user_meta_data ->> 'avatar_url');
  if v_token is not null then
    -- It would be a part of every access token.
    update auth.users u set raw_user_meta_data = u.raw_user_meta_data - 'invitation_token' where u.id = new.id;
  end if;
  -- An invited user joins the inviter's organisation instead: invited by the operator, or by an invitation.
  if new.invited_at is null and not exists (
    select from public.invitations i
    where i.token_hash = sha256(convert_to(v_token, 'UTF8'))
      and i.email = lower(new.email)
      and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
      and app.is_open_organization(i.organization_id)
  ) then
    perform app.create_organization_for(new.id, left(coalesce(v_name, initcap(split_part(coalesce(new.email, 'My'), '@', 1)) || '''s organisation'), 100));
  end if;
  return null;
end
$$;
comment on function app.on_user_created() is
  'Sign-up makes profile, organisation, owner membership and trial in the transaction that makes the user.';
create or replace trigger on_user_created after insert on auth.users for each row execute function app.on_user_created();

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
comment on function app.on_user_changed() is 'Keeps profiles in step with the accounts they copy.';
create or replace trigger on_user_changed after update of email, raw_user_meta_data on auth.users
  for each row when (old.email is distinct from new.email or old.raw_user_meta_data is distinct from new.raw_user_meta_data)
  execute function app.on_user_changed();

create or replace function app.on_user_confirmed() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_is_first boolean;
  v_named text[] := (select s.superadmin_emails from app.instance_settings s);
begin
  -- The first confirmed user of an instance runs it, unless the operator names who does. Of two who confirm at once, the
  -- row's lock lets one be first. The chance is gone either way: if the names are removed later, no stranger gets it.
  update app.instance_settings s set has_had_superadmin = true where not s.has_had_superadmin;
  v_is_first := found;
  if lower(new.email) = any (v_named) or (v_is_first and coalesce(cardinality(v_named), 0) = 0) then
    insert into app.superadmins (user_id) values (new.id) on conflict do nothing;
  end if;
  return null;
end
$$;
comment on function app.on_user_confirmed() is
  'Makes those named in SUPERADMIN_EMAILS superadmins or, where it names no one, the first confirmed user. Confirmed, '
  'because an unconfirmed address proves nothing.';
create or replace trigger on_user_confirmed_at_creation after insert on auth.users
  for each row when (new.email_confirmed_at is not null) execute function app.on_user_confirmed();
create or replace trigger on_user_confirmed after update of email_confirmed_at on auth.users
  for each row when (old.email_confirmed_at is null and new.email_confirmed_at is not null) execute function app.on_user_confirmed();

create or replace function app.on_user_deleted_softly() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- In the order of all changes of members: organisations first.
  perform from public.organizations o
  where o.id in (select m.organization_id from public.memberships m where m.user_id = new.id)
  order by o.id
  for update;
  delete from public.memberships m where m.user_id = new.id;
  delete from app.superadmins s where s.user_id = new.id;
  return null;
end
$$;
comment on function app.on_user_deleted_softly() is
  'Removes a softly deleted account from its organisations. Refused, with the deletion, where members would be left '
  'without an owner.';
create or replace trigger on_user_deleted_softly after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.on_user_deleted_softly();

create or replace function app.find_avatar(p_id uuid) returns table (mime text, bytes bytea)
language sql stable security definer set search_path = ''
as $$
  select a.mime, a.bytes from public.avatars a where a.id = p_id
$$;
comment on function app.find_avatar(uuid) is
  'A picture by its id. The id is unguessable, so a URL that contains it is enough.';
grant execute on function app.find_avatar(uuid) to authenticator;

create or replace function app.avatar_url_of(p_user_id uuid, p_metadata jsonb) returns text
language sql stable security definer set search_path = ''
as $$
  -- An uploaded picture takes precedence over a provider's.
  select coalesce(
    (select '/api/v1/avatars/' || a.id from public.avatars a where a.user_id = p_user_id),
    (select v.url from (select p_metadata ->> 'avatar_url' as url) v where v.url ~ '^https://' and char_length(v.url) <= 2000))
$$;
comment on function app.avatar_url_of(uuid, jsonb) is
  'URL of the user''s picture; null: none. Only https URLs of a provider are kept.';

create or replace function app.on_avatar_changed() returns trigger
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
create or replace trigger on_avatar_changed after insert or update or delete on public.avatars
  for each row execute function app.on_avatar_changed();

create or replace function app.get_own_account()
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

create or replace function app.list_own_sessions()
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

create or replace function app.end_own_session(p_id uuid) returns boolean
language plpgsql security definer set search_path = ''
as $$
begin
  delete from auth.sessions s where s.id = p_id and s.user_id = auth.uid();
  if not found then
    return false;
  end if;
  perform app.record_account_event(auth.uid(), 'account.sessions_ended', '{"scope": "one"}');
  return true;
end
$$;
comment on function app.end_own_session(uuid) is
  'Signs one of the caller''s devices out; false: it is another user''s, or already signed out.';
grant execute on function app.end_own_session(uuid) to authenticated;

create or replace function app.list_own_losses(p_limit integer)
returns table (name text, projects integer, items integer, is_blocking boolean)
language sql stable security definer set search_path = ''
as $$
  select o.name,
    (select count(*)::integer from public.projects p where p.organization_id = o.id and p.deleted_at is null),
    (select count(*)::integer from (
      select from public.feedback f where f.organization_id = o.id limit p_limit) counted),
    others.members > 0 and o.closed_at is null
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  cross join lateral (
    select count(*) as members, count(*) filter (where other.role = 'owner') as owners
    from public.memberships other
    where other.organization_id = m.organization_id and other.user_id <> m.user_id) others
  where m.user_id = auth.uid() and (others.members = 0 or m.role = 'owner' and others.owners = 0)
  order by o.name, o.id
$$;
comment on function app.list_own_losses(integer) is
  'The organisations that end with the caller''s account, and those that block its deletion because the caller is the '
  'only owner beside other members. A closed one ends: without its owner no one can restore it. Items are counted up to '
  'p_limit.';
grant execute on function app.list_own_losses(integer) to authenticated;

create or replace function app.delete_own_account(p_email text) returns table (outcome text, organization_names text[])
language plpgsql security definer set search_path = ''
as $$
declare
  v_user_id uuid := auth.uid();
  v_held text[];
  v_doomed_id uuid;
begin
  -- Waits for concurrent changes of the account.
  perform from auth.users u where u.id = v_user_id and lower(u.email) = lower(trim(p_email)) for update;
  if not found then
    -- A repeated request: the account is already deleted.
    return query select case when exists (select from auth.users u where u.id = v_user_id) then 'other_address' else 'deleted' end, null::text[];
    return;
  end if;
  -- Locked, so that no member joins or leaves between the check and the deletion.
  perform from public.organizations o
  where o.id in (select m.organization_id from public.memberships m where m.user_id = v_user_id)
  order by o.id
  for update;
  select array_agg(o.name order by o.name) into v_held
  from public.memberships m
  join public.organizations o on o.id = m.organization_id
  where m.user_id = v_user_id
    and m.role = 'owner'
    and o.closed_at is null
    and exists (
      select from public.memberships other where other.organization_id = m.organization_id and other.user_id <> v_user_id)
    and not exists (
      select from public.memberships other
      where other.organization_id = m.organization_id and other.user_id <> v_user_id and other.role = 'owner');
  if v_held is not null then
    return query select 'last_owner', v_held;
    return;
  end if;
  -- Without grace: no one is left who could restore them. A job removes their rows and files.
  for v_doomed_id in
    update public.organizations o
    set closed_at = coalesce(o.closed_at, now()), closed_by = v_user_id, delete_after = now()
    where exists (
        select from public.memberships m where m.organization_id = o.id and m.user_id = v_user_id)
      and not exists (
        select from public.memberships other where other.organization_id = o.id and other.user_id <> v_user_id)
    returning o.id
  loop
    perform app.enqueue_job('remove_organization',
      json_build_object('organizationId', v_doomed_id), 'remove_organization:' || v_doomed_id);
  end loop;
  insert into public.audit_log (organization_id, actor_kind, actor_user_id, action, category, target_type, target_id)
  values ('00000000-0000-0000-0000-000000000000', 'user', v_user_id, 'account.deleted', 'security', 'user', v_user_id);
  -- Before the profile, whose name the entries of the organisations keep.
  delete from public.memberships m where m.user_id = v_user_id;
  delete from auth.users u where u.id = v_user_id;
  return query select 'deleted', null::text[];
end
$$;
comment on function app.delete_own_account(text) is
  'Deletes the caller''s account and the organisations without other members; refused while an organisation with '
  'other members would lose its only owner.';
grant execute on function app.delete_own_account(text) to authenticated;

-- Devices ------------------------------------------------------------------------------------------------------------
drop policy if exists system on app.known_devices;
create policy system on app.known_devices for all to current_user, service_role using (true) with check (true);

create or replace function app.is_known_device(p_email text, p_token_hash bytea) returns boolean
language sql stable security definer set search_path = ''
as $$
  select exists (
    select from app.known_devices d
    join auth.users u on u.id = d.user_id
    where u.email = lower(p_email) and not u.is_sso_user and d.token_hash = p_token_hash
      and d.seen_at > now() - interval '180 days')
$$;
comment on function app.is_known_device(text, bytea) is
  'Whether the account with this address has signed in with this device within 180 days.';
grant execute on function app.is_known_device(text, bytea) to supabase_auth_admin;

create or replace function app.remember_device(p_user_id uuid, p_token_hash bytea) returns void
language plpgsql security definer set search_path = ''
as $$
begin
  insert into app.known_devices as d (user_id, token_hash) values (p_user_id, p_token_hash)
  on conflict (user_id, token_hash) do update set seen_at = now() where d.seen_at < now() - interval '1 hour';
  -- A program without cookies is a new device at every sign-in: the latest 50 are kept.
  delete from app.known_devices d
  where d.user_id = p_user_id
    and d.token_hash not in (
      select k.token_hash from app.known_devices k where k.user_id = p_user_id order by k.seen_at desc limit 50);
end
$$;
comment on function app.remember_device(uuid, bytea) is 'Records a sign-in with a device; each account keeps its latest 50.';
grant execute on function app.remember_device(uuid, bytea) to supabase_auth_admin;
